package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Jobs of two workers whose times are round: an exchange over a free link takes a second (1 GB x
 * 1/2 x 2 at 1 GB/s), a reduction at 0.5 GB/s one, the computation one.
 */
final class Pairs {
  static final ModelTable MODELS =
      ModelTable.standard().with(List.of(new ModelProfile("ring", 1e9, 1, 0.5, 0.5, "test")));

  private Pairs() {}

  static Cluster servers(int count, Network network) {
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(i -> new Server(Cluster.serverName(i), 8, "v100", "r1", 1e9, 4e9))
            .toList();
    return new Cluster("test", servers, network, 0);
  }

  /** Submission and iterations of each job. */
  static Jobs jobs(double... submitAndIterations) {
    JobsBuilder builder = Jobs.builder(MODELS);
    for (int i = 0; i < submitAndIterations.length; i += 2) {
      builder.addIterations("j" + i, submitAndIterations[i], 2, submitAndIterations[i + 1], "ring");
    }
    return builder.build();
  }
}
