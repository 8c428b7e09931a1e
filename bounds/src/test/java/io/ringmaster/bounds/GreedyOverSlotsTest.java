package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.gadget.SlotJob;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The guarantee of GADGET's greedy over slots: with the best plan in every slot it has at least
 * half the utility of the best schedule that knows the future.
 */
class GreedyOverSlotsTest {
  private static final List<DoubleUnaryOperator> UTILITIES =
      List.of(
          x -> Math.min(x, 1),
          x -> (1 - Math.exp(-3 * x)) / (1 - Math.exp(-3)),
          x -> Math.log(1 + x) / Math.log(2));

  /**
   * A job. Speed is w / (A + B (w - 1) / w), which is not concave in w.
   *
   * @param size what makes a utility of 1 before its weight
   */
  private record Job(
      int slot,
      int most,
      double compute,
      double exchange,
      double size,
      double weight,
      DoubleUnaryOperator utility) {

    static Job random(RandomGenerator random, int slots, int gpus) {
      boolean trap = random.nextBoolean();
      return new Job(
          random.nextInt(slots),
          random.nextInt(1, gpus + 1),
          trap ? 1 : random.nextDouble(0.3, 2),
          trap ? 2 : random.nextDouble(0, 4),
          random.nextDouble(0.5, 5),
          random.nextDouble(0.2, 2),
          UTILITIES.get(random.nextInt(UTILITIES.size())));
    }

    /** Within a server the exchange takes a quarter of the time. */
    double speed(Placement placement) {
      double w = placement.workers();
      double ring = placement.crossesServers() ? exchange : exchange / 4;
      return w / (compute + ring * (w - 1) / w);
    }

    double utility(double done) {
      return weight * utility.applyAsDouble(done / size);
    }
  }

  private record Case(Cluster cluster, List<Job> jobs, int slots) {

    static Case random(RandomGenerator random) {
      int servers = random.nextInt(1, 4);
      int each = servers == 1 ? random.nextInt(2, 5) : servers == 2 ? random.nextInt(1, 3) : 1;
      Cluster cluster = Cluster.uniform(servers, each, Network.None.USUAL, 0);
      int slots = random.nextInt(2, 4);
      List<Job> jobs = new ArrayList<>();
      int count = random.nextInt(2, 4);
      for (int i = 0; i < count; i++) {
        jobs.add(Job.random(random, slots, cluster.totalGpus()));
      }
      return new Case(cluster, jobs, slots);
    }

    double utility(double[] done) {
      double sum = 0;
      for (int i = 0; i < done.length; i++) {
        sum += jobs.get(i).utility(done[i]);
      }
      return sum;
    }

    double greedy() {
      double[] done = new double[jobs.size()];
      for (int t = 0; t < slots; t++) {
        SlotProblem slot = slot(t, done);
        SlotPlan plan = new ExactSlot().solve(slot, new SplittableRandom(1));
        for (int k = 0; k < slot.jobs().size(); k++) {
          int job = slot.jobs().get(k).id();
          Placement placement = plan.placements().get(k);
          done[job] += placement == null ? 0 : jobs.get(job).speed(placement);
        }
      }
      return utility(done);
    }

    private SlotProblem slot(int t, double[] done) {
      List<SlotJob> there = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        Job job = jobs.get(i);
        double before = done[i];
        if (job.slot() <= t) {
          there.add(
              SlotCases.job(
                  i,
                  Demand.NONE,
                  1,
                  job.most(),
                  cluster,
                  null,
                  p -> job.utility(before + job.speed(p)) - job.utility(before)));
        }
      }
      return new SlotProblem(cluster, there);
    }

    /** The best utility there is, by trying every plan in every slot. */
    double best() {
      List<List<double[]>> gains = new ArrayList<>();
      for (int t = 0; t < slots; t++) {
        List<double[]> possible = new ArrayList<>();
        gains(t, 0, new double[jobs.size()], new ScratchServers(cluster), possible);
        gains.add(possible);
      }
      return best(gains, 0, new double[jobs.size()]);
    }

    private void gains(int t, int i, double[] gain, ScratchServers free, List<double[]> possible) {
      if (i == gain.length) {
        if (possible.stream().noneMatch(other -> covers(other, gain))) {
          possible.removeIf(other -> covers(gain, other));
          possible.add(gain.clone());
        }
        return;
      }
      gains(t, i + 1, gain, free, possible);
      Job job = jobs.get(i);
      for (Placement each : SlotCases.all(cluster)) {
        if (job.slot() <= t && each.workers() <= job.most() && free.holds(each, Demand.NONE)) {
          free.take(each, Demand.NONE);
          gain[i] = job.speed(each);
          gains(t, i + 1, gain, free, possible);
          gain[i] = 0;
          free.release(each, Demand.NONE);
        }
      }
    }

    private static boolean covers(double[] a, double[] b) {
      for (int i = 0; i < a.length; i++) {
        if (a[i] < b[i]) {
          return false;
        }
      }
      return true;
    }

    private double best(List<List<double[]>> gains, int t, double[] done) {
      if (t == gains.size()) {
        return utility(done);
      }
      double best = 0;
      for (double[] gain : gains.get(t)) {
        double[] then = done.clone();
        for (int i = 0; i < then.length; i++) {
          then[i] += gain[i];
        }
        best = Math.max(best, best(gains, t + 1, then));
      }
      return best;
    }
  }

  @Test
  void hasAtLeastHalfOfTheBest() {
    double[] worst = {1};
    Seeds.each(
        400,
        (random, seed) -> {
          Case it = Case.random(random);
          double greedy = it.greedy();
          double best = it.best();
          assertThat(greedy).isBetween(best / 2 - 1e-7, best + 1e-7);
          worst[0] = Math.min(worst[0], greedy / best);
        });
    System.out.printf("greedy over slots: at least %.3f of the clairvoyant best%n", worst[0]);
  }
}
