package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that end at a time, whatever is still to do. */
class CutOffRunTest {
  private static RunResult until(
      Cluster cluster, Jobs jobs, Policy policy, double seconds, RunObserver observer) {
    return new Simulation(cluster, jobs, "tested", policy, new Estimate.Perfect(), 1, observer)
        .run(seconds);
  }

  private static RunResult until(
      Cluster cluster, Jobs jobs, String policy, double seconds, RunObserver observer) {
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(Map.of());
    return until(cluster, jobs, spec.create(settings, cluster), seconds, observer);
  }

  private static final Jobs THREE =
      Jobs.builder(ModelTable.standard())
          .addDuration("long", 0, 8, 20, "")
          .addDuration("short", 5, 8, 14, "")
          .addDuration("late", 60, 3, 10, "")
          .build();

  /**
   * Eight GPUs, srtf, restart 10 s: "long" runs from 0 to 5, "short" to 19, "long" again to 44
   * without progress until 29.
   */
  @Test
  void jobsHaveDoneWhatTheyHadTimeFor() {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 10);
    RunResult stopped = until(cluster, THREE, "srtf", 12, RunObserver.NONE);
    assertThat(stopped.finished()).isZero();
    assertThat(stopped.doneShare(0)).isEqualTo(5 / 20.0);
    assertThat(stopped.doneShare(1)).isEqualTo(7 / 14.0);
    assertThat(stopped.heldSeconds(0)).isEqualTo(5);
    assertThat(stopped.heldSeconds(1)).isEqualTo(7);

    RunResult restarting = until(cluster, THREE, "srtf", 25, RunObserver.NONE);
    assertThat(restarting.doneShare(0)).isEqualTo(5 / 20.0);
    assertThat(restarting.heldSeconds(0)).isEqualTo(5 + 6);
    assertThat(restarting.restarts(0)).isEqualTo(1);
    assertThat(restarting.finishSeconds(1)).isEqualTo(19);
    assertThat(restarting.doneShare(1)).isEqualTo(1);

    RunResult later = until(cluster, THREE, "srtf", 32, RunObserver.NONE);
    assertThat(later.doneShare(0)).isEqualTo(8 / 20.0);
    assertThat(later.finishSeconds(0)).isNaN();
    assertThat(later.startSeconds(2)).isNaN();
    assertThat(later.doneShare(2)).isZero();
  }

  /** Ends and starts at that very moment happen; what starts then has done nothing. */
  @Test
  void whatHappensAtTheEndStillHappens() {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 10);
    Segments segments = new Segments();
    RunResult run = until(cluster, THREE, "srtf", 60, segments);
    assertThat(run.finished()).isEqualTo(2);
    assertThat(run.startSeconds(2)).isEqualTo(60);
    assertThat(run.doneShare(2)).isZero();
    assertThat(Validator.check(cluster, THREE, segments, run)).isEmpty();
    assertThat(until(cluster, THREE, "srtf", 44, RunObserver.NONE).finishSeconds(0)).isEqualTo(44);
  }

  /** Slots of 10 s, three iterations in each: ten iterations are done before the fourth ends. */
  @Test
  void inTheMiddleOfTheLastSlotNoMoreThanAllIsDone() {
    Network network =
        new Network.Reserved(new RingTerms(1, 0, 0, 0.5e9, Double.POSITIVE_INFINITY, 10), 1e9);
    Cluster cluster = Pairs.servers(2, network);
    Jobs jobs = Pairs.jobs(7, 10);
    Policy policy = new Scripted(List.of(Scripted.ring(0, 1)));
    Segments segments = new Segments();
    RunResult run = until(cluster, jobs, policy, 45, segments);
    assertThat(run.finishSeconds(0)).isNaN();
    assertThat(run.doneShare(0)).isEqualTo(1);
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
    assertThat(until(cluster, jobs, policy, 30, RunObserver.NONE).doneShare(0))
        .isCloseTo(6 / 10.0, within(1e-12));
  }

  @Test
  void theValidatorFindsAWrongShare() {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 10);
    Segments segments = new Segments();
    RunResult run = until(cluster, THREE, "srtf", 12, segments);
    run.doneShare[1] = 0.6;
    assertThat(Validator.check(cluster, THREE, segments, run))
        .containsExactly("job short: did work for 7.0 ideal seconds, asked for 8.4");
    run.doneShare[1] = 0.5;
    run.doneShare[2] = 0.1;
    assertThat(Validator.check(cluster, THREE, segments, run))
        .containsExactly("job late: never ran");
  }

  private record Segment(int job, double start, double end, Placement placement) {}

  private static final class Observed implements RunObserver {
    final List<Segment> all = new ArrayList<>();

    @Override
    public void segment(int job, double start, double end, double warmup, Placement placement) {
      all.add(new Segment(job, start, end, placement));
    }
  }

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  /** No ring slows another down, so each segment can be integrated by itself. */
  private static Network calm(RandomGenerator random, long seed) {
    return seed % 2 == 0 ? Network.None.USUAL : Workloads.contention(random).reserving(0);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void isTheFullRunUpToThatTime(String policy) {
    Seeds.each(
        12,
        (random, seed) -> {
          double restart = seed % 3 == 0 ? 0 : 10;
          Cluster cluster = Workloads.cluster(random, calm(random, seed), restart);
          Jobs jobs = Workloads.mixed(random, cluster, 12, seed % 4 < 2);
          Observed full = new Observed();
          RunResult whole = until(cluster, jobs, policy, Double.POSITIVE_INFINITY, full);
          double last = full.all.stream().mapToDouble(Segment::end).max().getAsDouble();
          double cut = random.nextDouble(last);
          Segments segments = new Segments();
          RunResult part = until(cluster, jobs, policy, cut, segments);

          double[] done = doneBy(cluster, jobs, full.all, cut);
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(part.doneShare(job)).as("job %d", job).isCloseTo(done[job], within(1e-9));
            assertThat(part.startSeconds(job)).isEqualTo(upTo(cut, whole.startSeconds(job)));
            assertThat(part.finishSeconds(job)).isEqualTo(upTo(cut, whole.finishSeconds(job)));
          }
          double joules = energyBy(cluster, full.all, cut);
          assertThat(part.energyJoules()).isCloseTo(joules, within(1e-9 * joules));
          assertThat(Validator.check(cluster, jobs, segments, part)).isEmpty();
        });
  }

  /** Boxed: NaN is then equal to itself. */
  private static Double upTo(double cut, double seconds) {
    return seconds <= cut ? seconds : Double.NaN;
  }

  private static double[] doneBy(Cluster cluster, Jobs jobs, List<Segment> segments, double cut) {
    IterationTime time = IterationTime.of(cluster);
    double[] done = new double[jobs.size()];
    boolean[] ranBefore = new boolean[jobs.size()];
    for (Segment segment : segments) {
      int job = segment.job();
      double from = segment.start() + (ranBefore[job] ? cluster.restartSeconds() : 0);
      double to = Math.min(cut, segment.end());
      ranBefore[job] = true;
      double ideal = time.seconds(jobs.profile(job), cluster.idealPlacement(jobs.gpus(job)), 1);
      double iterations = jobs.workIsDuration(job) ? jobs.work(job) / ideal : jobs.work(job);
      double tau = time.seconds(jobs.profile(job), segment.placement(), 1);
      double miniBatches = Math.max(0, to - from) / tau * segment.placement().workers();
      done[job] += miniBatches / (iterations * jobs.gpus(job));
    }
    return done;
  }

  private static double energyBy(Cluster cluster, List<Segment> segments, double cut) {
    double joules = 0;
    for (Segment segment : segments) {
      double seconds = Math.max(0, Math.min(cut, segment.end()) - segment.start());
      for (int i = 0; i < segment.placement().size(); i++) {
        double watts = cluster.server(segment.placement().server(i)).gpuWatts();
        joules += seconds * segment.placement().gpus(i) * watts;
      }
    }
    return joules;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aCutAtTheEndCutsNothing(String policy) {
    Seeds.each(
        4,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.network(random, seed), 10);
          Jobs jobs = Workloads.mixed(random, cluster, 12, seed % 2 == 0);
          Observed full = new Observed();
          Observed same = new Observed();
          RunResult whole = until(cluster, jobs, policy, Double.POSITIVE_INFINITY, full);
          double last = full.all.stream().mapToDouble(Segment::end).max().getAsDouble();
          RunResult cut = until(cluster, jobs, policy, last, same);
          assertThat(cut.finished()).isEqualTo(jobs.size());
          assertThat(same.all).isEqualTo(full.all);
          assertThat(cut.finishSeconds).isEqualTo(whole.finishSeconds);
          assertThat(cut.doneShare).containsOnly(1);
          assertThat(cut.energyJoules()).isEqualTo(whole.energyJoules());
          assertThat(cut.events()).isEqualTo(whole.events());
        });
  }

  @Test
  void aCutBeforeTheFirstJobLeavesAllUndone() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs = Jobs.builder(ModelTable.standard()).addDuration("a", 10, 4, 5, "").build();
    Segments segments = new Segments();
    RunResult run = until(cluster, jobs, "fifo", 9, segments);
    assertThat(run.startSeconds(0)).isNaN();
    assertThat(run.doneShare(0)).isZero();
    assertThat(run.energyJoules()).isZero();
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
  }

  /**
   * A V100 draws 300 W, the other GPU 450 W. Two V100 for 10 s are 6,000 J; one of each for 5 s,
   * 3,750 J. By 4 s it is 2 x 300 x 4 + 750 x 4 = 5,400 J.
   */
  @Test
  void energyIsWhatHeldGpusDraw() {
    Cluster cluster =
        new Cluster(
            "test",
            List.of(
                new Server("s1", 4, "v100", "r1", 1e9, 1e10),
                new Server(
                    "s2",
                    4,
                    "other",
                    "r1",
                    1e9,
                    1e10,
                    Double.POSITIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    450)),
            Network.None.USUAL,
            0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 2, 10, "")
            .addDuration("b", 0, 2, 5, "")
            .build();
    Placement[] places = {Placement.on(0, 2), Scripted.ring(0, 1)};
    RunResult run = Scripted.run(cluster, jobs, places);
    assertThat(run.energyJoules()).isEqualTo(9750);
    assertThat(Runs.summary(cluster, jobs, run).energyKwh()).isCloseTo(9750 / 3.6e6, within(1e-15));
    RunResult cut = until(cluster, jobs, new Scripted(List.of(places)), 4, RunObserver.NONE);
    assertThat(cut.energyJoules()).isEqualTo(5400);
  }
}
