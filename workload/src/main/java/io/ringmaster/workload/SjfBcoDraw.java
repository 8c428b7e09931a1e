package io.ringmaster.workload;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * The batch of Yu, Ji, Rajan, Liu, "On Scheduling Ring-All-Reduce Learning Jobs in Multi-Tenant GPU
 * Clusters with Communication Contention", MobiHoc 2022 (arXiv 2207.07817), section 7.
 *
 * <p>From the paper: 160 jobs of the sizes below, all there at time 0; 1000 to 6000 iterations,
 * evenly drawn; 20 servers of 4, 8, 16 or 32 GPUs, evenly drawn. Choices: the model of a job is
 * drawn evenly from the four that are measured; rows are shuffled, so that no order by size helps
 * anyone; servers are drawn again if they do not hold the largest job.
 *
 * <p>These are jobs for the ordinary simulation, in seconds. The paper's own experiment counts in
 * slots, with execution times of its own: that is {@code ringmaster reproduce sjf-bco}.
 */
final class SjfBcoDraw {
  private static final int[] SERVER_GPUS = {4, 8, 16, 32};
  private static final int FEWEST_ITERATIONS = 1000;
  private static final int MOST_ITERATIONS = 6000;
  private static final List<String> MODELS =
      List.of("vgg16", "resnet50", "inception-v3", "lstm-ptb");
  private static final double RESTART_SECONDS = 10;

  static final Generator GENERATOR =
      new Generator(
          "sjf-bco",
          "The batch of 160 jobs of the SJF-BCO paper, on servers of 4 to 32 GPUs.",
          "Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817), section 7",
          List.of(Parameter.whole("servers", 20, 1, 1_000_000).saying("servers of the cluster")),
          SjfBcoDraw::generate);

  private SjfBcoDraw() {}

  private static Generated generate(Settings settings, long seed) {
    return new Generated(
        jobs(new Draws(seed, 0)), cluster(settings.whole("servers"), new Draws(seed, 1)));
  }

  private static Cluster cluster(int count, Draws draws) {
    List<Server> servers = new ArrayList<>();
    long gpus = 0;
    while (gpus < BatchOf160.LARGEST) {
      servers.clear();
      gpus = 0;
      for (int i = 0; i < count; i++) {
        int each = SERVER_GPUS[draws.below(SERVER_GPUS.length)];
        gpus += each;
        servers.add(new Server(Cluster.serverName(i), each, "v100", "r1", 10e9 / 8, 300e9 / 8));
      }
    }
    return new Cluster("sjf-bco", servers, Network.Contention.USUAL, RESTART_SECONDS);
  }

  private static Jobs jobs(Draws draws) {
    List<Integer> sizes = BatchOf160.shuffled(draws);
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < sizes.size(); i++) {
      int iterations = FEWEST_ITERATIONS + draws.below(MOST_ITERATIONS - FEWEST_ITERATIONS + 1);
      String model = MODELS.get(draws.below(MODELS.size()));
      jobs.addIterations(Philly.numbered('j', i + 1, 3), 0, sizes.get(i), iterations, model);
    }
    return jobs.build();
  }
}
