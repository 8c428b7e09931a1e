package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;

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

  public int size() {
    return servers.size();
  }

  public boolean uses(int server) {
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i) == server) {
        return true;
      }
    }
    return false;
  }

  /** Adds GPUs to a server that may be there already. */
  public void merge(int server, int count) {
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i) == server) {
        gpus.set(i, gpus.get(i) + count);
        return;
      }
    }
    add(server, count);
  }

  public Placement build() {
    return servers.size() == 1
        ? Placement.on(servers.get(0), gpus.get(0))
        : Placement.of(servers.toArray(), gpus.toArray());
  }
}
