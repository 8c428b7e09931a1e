package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Clusters with some GPUs free and others taken. */
public final class Rooms {
  private Rooms() {}

  /** A cluster of servers with so many GPUs each. */
  public static Cluster cluster(int... gpus) {
    List<Server> servers = new ArrayList<>();
    for (int each : gpus) {
      String name = Cluster.serverName(servers.size());
      servers.add(new Server(name, each, "v100", "r1", 1e9, 1e10));
    }
    return new Cluster("test", servers, Network.None.USUAL, 0);
  }

  /** One to seven servers with one to eight GPUs. */
  public static Cluster random(RandomGenerator random) {
    return cluster(random.ints(random.nextInt(1, 8), 1, 9).toArray());
  }

  /** So many GPUs free on each server of a cluster. */
  public static FreeServers free(Cluster cluster, int... free) {
    FreeServers servers = new FreeServers(cluster);
    for (int s = 0; s < free.length; s++) {
      if (free[s] < cluster.gpus(s)) {
        servers.take(Placement.on(s, cluster.gpus(s) - free[s]), Demand.NONE);
      }
    }
    return servers;
  }

  /** Some GPUs of each server free: all, none, or a part. */
  public static FreeServers someFree(RandomGenerator random, Cluster cluster) {
    return free(
        cluster,
        IntStream.range(0, cluster.size())
            .map(s ->
                switch (random.nextInt(4)) {
                  case 0 -> 0;
                  case 1 -> cluster.gpus(s);
                  default -> random.nextInt(cluster.gpus(s) + 1);
                })
            .toArray());
  }
}
