package io.ringmaster.cli.demo;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the demo's workers cost on this machine while all its slots are busy.
 *
 * @param startSeconds from a launch to the first step
 * @param stopSeconds from being asked to stop until all processes are gone
 * @param workers of the rings that were measured
 * @param stepSeconds of one of their iterations
 */
record Measured(double startSeconds, double stopSeconds, int workers, double stepSeconds) {
  private static final int GPUS_OF_A_NODE = 4;

  /** Rings that share nothing that can be counted: below 1 for any number of them. */
  private static final double NO_CONTENTION = 1e-3;

  /** What this machine plays. */
  Cluster cluster(int gpus) {
    int nodes = Math.ceilDiv(gpus, GPUS_OF_A_NODE);
    List<Server> servers =
        IntStream.range(0, nodes)
            .mapToObj(i ->
                new Server(
                    "node" + (i + 1),
                    Math.min(GPUS_OF_A_NODE, gpus - i * GPUS_OF_A_NODE),
                    "cpu",
                    "r1",
                    10e9 / 8,
                    10e9 / 8))
            .toList();
    Network alone =
        new Network.Contention(
            new RingTerms(NO_CONTENTION, 0, 0, RingTerms.USUAL.reduceBytesPerSecond()));
    return new Cluster("demo", servers, alone, 0).costing(startSeconds, startSeconds + stopSeconds);
  }

  /**
   * What the jobs train: the time beyond a mini-batch's is spent in the steps around the ring, 2 (w
   * - 1) of them.
   */
  ModelProfile profile() {
    double exchange = Math.max(0, stepSeconds - DemoJob.PACE_SECONDS);
    double hop = exchange / AllReduce.RING.steps(workers);
    return new ModelProfile(
            DemoJob.MODEL, 0, DemoJob.BATCH, 0, DemoJob.PACE_SECONDS, "measured before the demo")
        .exchanging(FittedExchange.anywhere(AllReduce.RING, 0, 0, hop));
  }

  ModelTable models() {
    return ModelTable.standard().with(List.of(profile()));
  }
}
