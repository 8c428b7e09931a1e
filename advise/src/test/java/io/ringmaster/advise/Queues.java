package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.workload.trace.SeenJob;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Queues that are worked out by hand. */
final class Queues {
  static final double NOW = 100_000;
  static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  final List<SeenJob> jobs = new ArrayList<>();

  /** Fifty jobs of one GPU that each took as long. */
  Queues fiftyThatTook(double seconds) {
    for (int i = 0; i < 50; i++) {
      ended("past" + i, 1000 * i, seconds);
    }
    return this;
  }

  /** One of one GPU that did not wait. */
  Queues ended(String id, double start, double seconds) {
    add(id, SeenJob.State.ENDED, start, start, seconds, 1, NO_LIMIT, 0, "", Map.of());
    return this;
  }

  Queues running(String id, int gpus, double elapsed, double limit, String server) {
    double start = NOW - elapsed;
    add(id, SeenJob.State.RUNNING, start, start, 0, gpus, limit, 0, "", Map.of(server, gpus));
    return this;
  }

  Queues waiting(String id, int gpus) {
    return waiting(id, gpus, 0, "");
  }

  Queues waiting(String id, int gpus, double priority, String held) {
    double submit = NOW - 1000 + jobs.size();
    return waiting(id, gpus, submit, priority, held);
  }

  Queues waiting(String id, int gpus, double submit, double priority, String held) {
    add(id, SeenJob.State.WAITING, submit, Double.NaN, 0, gpus, NO_LIMIT, priority, held, Map.of());
    return this;
  }

  private void add(
      String id,
      SeenJob.State state,
      double submit,
      double start,
      double length,
      int gpus,
      double limit,
      double priority,
      String held,
      Map<String, Integer> servers) {
    double end = state == SeenJob.State.ENDED ? start + length : Double.NaN;
    jobs.add(
        new SeenJob(
            id,
            state,
            submit,
            start,
            end,
            length,
            gpus,
            limit,
            priority,
            held,
            "ann",
            "train",
            Demand.NONE,
            servers));
  }

  static Cluster servers(int count) {
    return Cluster.uniform(count, 8, Network.None.USUAL, 0);
  }

  Queue on(int servers) {
    return new Site(jobs, servers(servers), List.of()).at(NOW);
  }

  /** What is said of all jobs under fifo. */
  Advice advice(int servers, String... ids) {
    return advice("fifo", servers, ids);
  }

  Advice advice(String policy, int servers, String... ids) {
    Queue queue = on(servers);
    return new Advisor(
            queue,
            SitePolicy.of(queue, Optional.of(policy), Optional.empty()),
            Correction.NONE,
            100,
            1,
            2,
            Clock.of(queue, ZoneOffset.UTC))
        .advise(List.of(ids), _ -> {});
  }
}
