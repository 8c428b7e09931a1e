package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;
import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How jobs of several servers are cut. People ask for two servers with 8 GPUs each, not for 16
 * GPUs, and servers of 4 are of no use to them then; files do not say so, but show it.
 *
 * <p>Told to the simulator as memory, which the servers have and take the more of the more GPUs
 * they have: a job that was never seen with fewer than 8 GPUs on a server asks for so much that
 * only servers of 8 hold it, and on these what all GPUs may ask for fits. A cluster whose CPUs or
 * memory are counted is left as it is.
 */
final class Shapes {
  /** More than any server has GPUs. */
  private static final double STEP = 4096;

  private final Cluster cluster;
  private final boolean matter;

  /** By the GPUs of a job, the fewest that it had on one of its servers. */
  private final Map<Integer, Integer> leastOnServer = new HashMap<>();

  /** As far as jobs tell that started before a moment. */
  Shapes(List<SeenJob> jobs, Cluster given, double nowSeconds) {
    boolean alike = given.servers().stream().mapToInt(Server::gpus).distinct().count() == 1;
    matter = !alike && !given.limitsMoreThanGpus();
    cluster = matter ? limited(given) : given;
    for (SeenJob job : jobs) {
      if (matter && job.startSeconds() <= nowSeconds && !job.gpusByServer().isEmpty()) {
        int least = job.gpusByServer().values().stream().mapToInt(g -> g).min().orElseThrow();
        leastOnServer.merge(job.gpus(), least, Math::min);
      }
    }
  }

  private static Cluster limited(Cluster given) {
    List<Server> servers = new ArrayList<>();
    for (Server server : given.servers()) {
      double memory = server.gpus() * each(given, server.gpus());
      servers.add(server.limited(server.gpus(), server.cpus(), memory));
    }
    return given.having(servers);
  }

  /** What a GPU of a server with so many may ask for: by the rank among the sizes of servers. */
  private static double each(Cluster given, int gpus) {
    long smaller =
        given.servers().stream().mapToInt(Server::gpus).distinct().filter(g -> g < gpus).count();
    return Math.pow(STEP, (double) smaller);
  }

  Cluster cluster() {
    return cluster;
  }

  /** What a job asks for beside its GPUs. */
  Demand demand(SeenJob job) {
    int least = leastOnServer.getOrDefault(job.gpus(), 0);
    return !matter ? job.demand() : least == 0 ? Demand.NONE : new Demand(0, each(cluster, least));
  }
}
