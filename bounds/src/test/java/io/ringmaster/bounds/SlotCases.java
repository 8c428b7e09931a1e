package io.ringmaster.bounds;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.gadget.SlotJob;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Slots at random: some with racks, reservations, CPUs and memory, some with jobs that run. */
final class SlotCases {
  private static final double LINK = 10e9 / 8;

  private SlotCases() {}

  static SlotProblem random(RandomGenerator random, int servers, int mostGpus, int jobs) {
    Cluster cluster = cluster(random, servers, mostGpus);
    return new SlotProblem(
        cluster, IntStream.range(0, jobs).mapToObj(i -> job(random, cluster, i)).toList());
  }

  private static Cluster cluster(RandomGenerator random, int count, int mostGpus) {
    boolean counted = random.nextBoolean();
    boolean inRacks = random.nextBoolean();
    List<Rack> racks =
        List.of(
            new Rack("r0", LINK * random.nextInt(1, 4) / 3),
            new Rack("r1", LINK * random.nextInt(1, 4) / 3));
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      int gpus = random.nextInt(1, mostGpus + 1);
      double cpus = counted ? random.nextInt(1, 4 * gpus) * 0.7 : Double.POSITIVE_INFINITY;
      double memory = counted ? random.nextInt(8, 33) * 1e9 * gpus : Double.POSITIVE_INFINITY;
      String rack = "r" + random.nextInt(2);
      servers.add(new Server("s" + s, gpus, "v100", rack, LINK, 300e9 / 8, cpus, memory, 300));
    }
    Network network =
        random.nextInt(3) == 0 ? Network.None.USUAL : Network.Contention.USUAL.reserving(LINK / 3);
    return new Cluster("random", servers, inRacks ? racks : List.of(), network, 0);
  }

  private static SlotJob job(RandomGenerator random, Cluster cluster, int id) {
    int min = random.nextInt(4) == 0 ? 2 : 1;
    int max = min + random.nextInt(cluster.totalGpus());
    double[][] onOne = worth(random, cluster.size(), max);
    double[][] across = worth(random, cluster.size() + 1, max);
    double reserved = random.nextInt(4) == 0 ? 0 : LINK * random.nextInt(1, 4) / 3;
    Demand demand =
        new Demand(
            random.nextInt(3) == 0 ? 2 * random.nextDouble() : random.nextInt(4) * 0.7,
            random.nextInt(3) * 9e9,
            cluster.network().reservesFixed() ? reserved : 0);
    Placement current = current(random, cluster, min, max);
    double stay = random.nextDouble();
    return job(
        id,
        demand,
        min,
        max,
        cluster,
        current,
        placement ->
            (placement.crossesServers()
                    ? across[placement.size()][placement.workers()]
                    : onOne[placement.server(0)][placement.workers()])
                + (Objects.equals(placement, current) ? stay : 0));
  }

  static SlotJob job(
      int id,
      Demand demand,
      int min,
      int max,
      Cluster cluster,
      @Nullable Placement current,
      ToDoubleFunction<Placement> profit) {
    double[][] most = new double[2][max - min + 1];
    Arrays.fill(most[0], Double.NEGATIVE_INFINITY);
    Arrays.fill(most[1], Double.NEGATIVE_INFINITY);
    for (Placement each : all(cluster)) {
      if (each.workers() >= min && each.workers() <= max) {
        double[] of = most[each.crossesServers() ? 1 : 0];
        int i = each.workers() - min;
        of[i] = Math.max(of[i], profit.applyAsDouble(each));
      }
    }
    return new SlotJob(id, demand, min, most[0], most[1], current, profit);
  }

  private static double[][] worth(RandomGenerator random, int rows, int max) {
    double[][] worth = new double[rows][max + 1];
    for (double[] row : worth) {
      for (int w = 1; w <= max; w++) {
        row[w] = w * (random.nextDouble() - 0.15);
      }
    }
    return worth;
  }

  private static @Nullable Placement current(
      RandomGenerator random, Cluster cluster, int min, int max) {
    List<Placement> all =
        all(cluster).stream().filter(p -> p.workers() >= min && p.workers() <= max).toList();
    return all.isEmpty() || random.nextBoolean() ? null : all.get(random.nextInt(all.size()));
  }

  /** Every placement on the GPUs of a small cluster. */
  static List<Placement> all(Cluster cluster) {
    List<Placement> all = new ArrayList<>();
    int[] gpus = new int[cluster.size()];
    for (int s = 0; s < gpus.length; ) {
      for (s = 0; s < gpus.length && ++gpus[s] > cluster.gpus(s); s++) {
        gpus[s] = 0;
      }
      if (s < gpus.length) {
        int[] servers = IntStream.range(0, gpus.length).filter(i -> gpus[i] > 0).toArray();
        all.add(Placement.of(servers, Arrays.stream(servers).map(i -> gpus[i]).toArray()));
      }
    }
    return all;
  }

  /** Placements that a job may have, if it is alone. */
  static List<Placement> all(SlotProblem problem, SlotJob job) {
    ScratchServers empty = new ScratchServers(problem.cluster());
    return all(problem.cluster()).stream()
        .filter(p -> p.workers() >= job.minWorkers() && p.workers() <= job.maxWorkers())
        .filter(p -> empty.holds(p, job.demand()))
        .toList();
  }

  /** The best profit there is, by trying everything. */
  static double bestByTrying(SlotProblem problem) {
    List<List<Placement>> all = problem.jobs().stream().map(job -> all(problem, job)).toList();
    return best(problem, all, 0, new ScratchServers(problem.cluster()));
  }

  private static double best(
      SlotProblem problem, List<List<Placement>> all, int job, ScratchServers free) {
    if (job == all.size()) {
      return 0;
    }
    double best = best(problem, all, job + 1, free);
    SlotJob it = problem.jobs().get(job);
    for (Placement each : all.get(job)) {
      if (free.holds(each, it.demand())) {
        free.take(each, it.demand());
        best = Math.max(best, it.profit(each) + best(problem, all, job + 1, free));
        free.release(each, it.demand());
      }
    }
    return best;
  }

  /** What stands against a plan, or nothing. */
  static String broken(SlotProblem problem, SlotPlan plan) {
    if (plan.placements().size() != problem.jobs().size()) {
      return "not one placement for each job";
    }
    ScratchServers free = new ScratchServers(problem.cluster());
    double sum = 0;
    for (int i = 0; i < problem.jobs().size(); i++) {
      SlotJob job = problem.jobs().get(i);
      Placement placement = plan.placements().get(i);
      if (placement == null) {
        continue;
      }
      if (placement.workers() < job.minWorkers() || placement.workers() > job.maxWorkers()) {
        return "job %d has %d workers".formatted(i, placement.workers());
      }
      if (!free.holds(placement, job.demand())) {
        return "job %d does not fit at %s".formatted(i, placement);
      }
      free.take(placement, job.demand());
      if (job.profit(placement) < 0) {
        return "job %d runs at a loss".formatted(i);
      }
      sum += job.profit(placement);
    }
    return Math.abs(sum - plan.profit()) > 1e-9 * (1 + sum) ? "the sum is " + sum : "";
  }
}
