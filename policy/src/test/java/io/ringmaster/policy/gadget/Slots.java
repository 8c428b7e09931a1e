package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.placement.Pack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Small problems of one slot, and the best plan of each by trying all. */
final class Slots {
  private Slots() {}

  /** A job of one number of workers that is worth as much wherever it is. */
  static SlotJob fixed(int id, Demand demand, int workers, double onOne, double across) {
    return job(id, demand, workers, new double[] {onOne}, new double[] {across}, null);
  }

  static SlotJob job(
      int id,
      Demand demand,
      int minWorkers,
      double[] onOne,
      double[] across,
      @Nullable Placement current) {
    return new SlotJob(
        id,
        demand,
        minWorkers,
        onOne,
        across,
        current,
        p -> {
          double most = (p.crossesServers() ? across : onOne)[p.workers() - minWorkers];
          // Each server costs a little, and so does a move: the most is not always to be had.
          double share = 1 - 0.02 * (p.size() - 1);
          return most > 0 && current != null && !p.equals(current)
              ? 0.9 * share * most
              : most > 0 ? share * most : most;
        });
  }

  /**
   * Two to four servers and two to four jobs; some with racks and pods, CPUs and memory,
   * reservations.
   */
  static SlotProblem random(RandomGenerator random) {
    boolean counts = random.nextInt(3) == 0;
    boolean reserves = random.nextInt(3) != 0;
    List<Rack> racks = new ArrayList<>();
    if (random.nextBoolean()) {
      Pod first = random.nextBoolean() ? new Pod("p", random.nextInt(4, 15)) : null;
      Pod second = first == null ? null : new Pod("q", random.nextInt(4, 15));
      racks.add(new Rack("a", random.nextInt(8, 25), first));
      racks.add(new Rack("b", random.nextInt(8, 25), random.nextBoolean() ? first : second));
      racks.add(new Rack("c", random.nextInt(8, 25), second));
    }
    List<Server> servers = new ArrayList<>();
    for (int s = random.nextInt(2, 5); s > 0; s--) {
      servers.add(
          new Server(
              "s" + s,
              random.nextInt(1, 4),
              "v100",
              List.of("a", "b", "c").get(random.nextInt(3)),
              random.nextInt(1, 3) * 10,
              100,
              counts ? random.nextInt(2, 4) * 4 : Double.POSITIVE_INFINITY,
              counts ? random.nextInt(2, 4) * 8 : Double.POSITIVE_INFINITY,
              300));
    }
    if (random.nextInt(3) == 0) {
      mirror(servers, racks);
    }
    Network network = reserves ? Network.Contention.USUAL.reserving(5) : Network.Contention.USUAL;
    Cluster cluster = new Cluster("test", servers, racks, network, 0);
    List<SlotJob> jobs = new ArrayList<>();
    for (int j = random.nextInt(2, 5); j > 0; j--) {
      jobs.add(randomJob(random, jobs.size(), cluster, counts, reserves));
    }
    return new SlotProblem(cluster, jobs);
  }

  /** Makes two racks of equal servers. */
  private static void mirror(List<Server> servers, List<Rack> racks) {
    while (servers.size() > 2) {
      servers.removeLast();
    }
    for (Server s : List.copyOf(servers)) {
      servers.add(
          new Server(
              s.name() + "'",
              s.gpus(),
              s.gpu(),
              s.rack().equals("a") ? "b" : "a",
              s.nicBytesPerSecond(),
              s.intraBytesPerSecond(),
              s.cpus(),
              s.memoryBytes(),
              s.gpuWatts()));
    }
    if (!racks.isEmpty()) {
      racks.set(1, new Rack("b", racks.getFirst().uplinkBytesPerSecond(), racks.get(1).pod()));
    }
  }

  private static SlotJob randomJob(
      RandomGenerator random, int id, Cluster cluster, boolean counts, boolean reserves) {
    Demand demand =
        new Demand(
            counts ? random.nextInt(5) : 0,
            counts ? random.nextInt(9) : 0,
            reserves ? random.nextInt(3, 13) : 0);
    int minWorkers = random.nextInt(1, 3);
    int options = random.nextInt(1, 7 - minWorkers);
    double[] onOne = new double[options];
    double[] across = new double[options];
    for (int i = 0; i < options; i++) {
      int workers = minWorkers + i;
      onOne[i] = workers * random.nextDouble(-0.2, 2);
      across[i] = workers == 1 ? Double.NEGATIVE_INFINITY : onOne[i] * random.nextDouble(0.5, 1.2);
    }
    Placement current = null;
    if (random.nextInt(3) == 0) {
      int workers = random.nextInt(minWorkers, minWorkers + options);
      current = new Pack().place(new ScratchServers(cluster), demand, workers);
    }
    return job(id, demand, minWorkers, onOne, across, current);
  }

  /** All ways to put so many workers on servers that a job alone could have. */
  static List<Placement> all(Cluster cluster, Demand demand, int minWorkers, int maxWorkers) {
    List<Placement> found = new ArrayList<>();
    ScratchServers empty = new ScratchServers(cluster);
    int[] on = new int[cluster.size()];
    int s = 0;
    while (s < on.length) {
      int workers = Arrays.stream(on).sum();
      if (workers >= minWorkers && workers <= maxWorkers) {
        Placement placement = placement(on);
        if (empty.holds(placement, demand)) {
          found.add(placement);
        }
      }
      for (s = 0; s < on.length && on[s] == cluster.gpus(s); s++) {
        on[s] = 0;
      }
      if (s < on.length) {
        on[s]++;
      }
    }
    return found;
  }

  private static Placement placement(int[] on) {
    int[] servers = IntStream.range(0, on.length).filter(s -> on[s] > 0).toArray();
    return Placement.of(servers, Arrays.stream(servers).map(s -> on[s]).toArray());
  }

  /** The most profit of any plan. */
  static double best(SlotProblem problem) {
    List<List<Placement>> choices = new ArrayList<>();
    for (SlotJob job : problem.jobs()) {
      List<Placement> all =
          all(problem.cluster(), job.demand(), job.minWorkers(), job.maxWorkers());
      // The same servers in another order are another placement, and so a move.
      if (job.current() != null) {
        all.add(job.current());
      }
      choices.add(all.stream().filter(p -> job.profit(p) > 0).toList());
    }
    return best(problem.jobs(), choices, 0, new ScratchServers(problem.cluster()));
  }

  private static double best(
      List<SlotJob> jobs, List<List<Placement>> choices, int first, ScratchServers free) {
    if (first == jobs.size()) {
      return 0;
    }
    SlotJob job = jobs.get(first);
    double best = best(jobs, choices, first + 1, free);
    for (Placement p : choices.get(first)) {
      if (free.holds(p, job.demand())) {
        free.take(p, job.demand());
        best = Math.max(best, job.profit(p) + best(jobs, choices, first + 1, free));
        free.release(p, job.demand());
      }
    }
    return best;
  }
}
