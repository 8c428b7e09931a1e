package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;

/** Collects servers and counts. Reused, so that placing makes no garbage but the placement. */
public final class PlacementBuilder {
  private final IntList servers = new IntList();
  private final IntList gpus = new IntList();

  public PlacementBuilder clear() {
    servers.clear();
    gpus.clear();
    return this;
  }

  public void add(int server, int count) {
    servers.add(server);
    gpus.add(count);
  }

  public boolean uses(int server) {
    return servers.contains(server);
  }

  /** Of the servers that are not used, the one with the most room, the first of them; or -1. */
  int roomiestUnused(FreeServers free, Demand demand, int within) {
    int best = -1;
    int most = 0;
    for (int s = free.freest(within);
        s >= 0 && free.gpus(s) > most;
        s = free.nextFreest(s, within)) {
      int room = uses(s) ? 0 : free.workersOfRing(s, demand, within);
      if (room > most) {
        best = s;
        most = room;
      }
    }
    return best;
  }

  public Placement build() {
    return servers.size() == 1
        ? Placement.on(servers.get(0), gpus.get(0))
        : Placement.of(servers.toArray(), gpus.toArray());
  }
}
