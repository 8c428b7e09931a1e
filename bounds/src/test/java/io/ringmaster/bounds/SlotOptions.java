package io.ringmaster.bounds;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.policy.gadget.SlotJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a job can do in a slot, other than wait: run on a certain server, on a number of servers, or
 * where it runs now. Left out is what brings nothing, and what a smaller number of workers on the
 * same servers brings as well.
 */
final class SlotOptions {
  /** Placements to look at before giving up on whether the choice of servers matters. */
  private static final int MOST_SPREADS = 100_000;

  private static final double EQUAL = 1e-9;

  /**
   * One of them.
   *
   * @param servers how many
   * @param server which, if it is one; else -1
   */
  record Option(int servers, int workers, int server, double profit) {
    boolean crosses() {
      return servers > 1;
    }
  }

  private final SlotJob job;
  private final Cluster cluster;
  private final int[] room;
  private final int[] ringRoom;
  private final List<Option> options = new ArrayList<>();
  private @Nullable Placement kept;
  private double keptProfit;
  private int looked;

  SlotOptions(Cluster cluster, SlotJob job) {
    this.cluster = cluster;
    this.job = job;
    Demand demand = job.demand();
    int most = job.maxWorkers();
    room = cluster.servers().stream().mapToInt(s -> Math.min(most, s.workers(demand))).toArray();
    ringRoom = new int[room.length];
    for (int s = 0; s < room.length; s++) {
      Server server = cluster.server(s);
      double link = server.nicBytesPerSecond();
      ringRoom[s] = Demand.fits(demand.ringBytesPerSecond(), link, link) ? room[s] : 0;
    }
    for (int s = 0; s < room.length; s++) {
      int server = s;
      add(1, s, room[s], workers -> job.profit(Placement.on(server, workers)));
    }
    for (int n = 2; n <= Math.min(room.length, most); n++) {
      int count = n;
      add(n, -1, Spreads.most(ringRoom, 0, n), workers -> across(count, workers));
    }
    keep();
  }

  private void add(int servers, int server, int hold, IntToDoubleFunction profit) {
    double best = 0;
    int least = Math.max(job.minWorkers(), servers);
    for (int workers = least; workers <= Math.min(hold, job.maxWorkers()); workers++) {
      double value = profit.applyAsDouble(workers);
      if (value > best) {
        best = value;
        options.add(new Option(servers, workers, server, value));
      }
    }
  }

  /**
   * What a ring is worth that is not there yet; no number if there is no other than the current.
   */
  private double across(int servers, int workers) {
    boolean first = !serversMatter();
    double[] worth = {Double.NaN};
    Spreads.each(
        ringRoom,
        servers,
        workers,
        placement -> {
          if (isCurrent(placement)) {
            return true;
          }
          double profit = job.profit(placement);
          if (Math.abs(profit - worth[0]) > EQUAL * Math.abs(worth[0])) {
            throw dependsOnServers("%d workers on %s".formatted(workers, placement));
          }
          if (!first && ++looked > MOST_SPREADS) {
            throw dependsOnServers("more than %,d placements".formatted(MOST_SPREADS));
          }
          worth[0] = profit;
          return !first;
        });
    return worth[0];
  }

  /** Whether more than the number of workers and servers may decide how fast a ring is. */
  private boolean serversMatter() {
    return IterationTime.of(cluster).wholeServersPay();
  }

  private IllegalArgumentException dependsOnServers(String found) {
    return new IllegalArgumentException(
        ("job %d: what a ring across servers is worth must follow from the numbers of its workers"
                + " and servers (found: %s); give rings a fixed reservation, or no network")
            .formatted(job.id(), found));
  }

  /** On one server the options already hold it. */
  private void keep() {
    Placement current = job.current();
    if (current == null
        || !current.crossesServers()
        || current.workers() < job.minWorkers()
        || current.workers() > job.maxWorkers()) {
      return;
    }
    keptProfit = job.profit(current);
    for (Option option : options) {
      if (option.servers() == current.size()
          && option.workers() == current.workers()
          && option.profit() > keptProfit * (1 + EQUAL)) {
        throw new IllegalArgumentException(
            "job %d: staying where it is must be worth no less than moving to as many servers"
                .formatted(job.id()));
      }
    }
    kept = keptProfit > 0 ? current : null;
  }

  /** Whether a placement is the one it has, in whatever order that names its servers. */
  boolean isCurrent(Placement placement) {
    Placement current = job.current();
    if (current == null || current.size() != placement.size()) {
      return false;
    }
    for (int i = 0; i < placement.size(); i++) {
      boolean same = false;
      for (int k = 0; k < current.size(); k++) {
        same |= current.server(k) == placement.server(i) && current.gpus(k) == placement.gpus(i);
      }
      if (!same) {
        return false;
      }
    }
    return true;
  }

  List<Option> options() {
    return options;
  }

  /** Where it may stay, if that is across servers and worth something. */
  @Nullable Placement kept() {
    return kept;
  }

  double keptProfit() {
    return keptProfit;
  }

  /** Workers that a server holds when it is empty. */
  int room(int server) {
    return room[server];
  }

  double mostProfit() {
    double most = kept == null ? 0 : keptProfit;
    for (Option option : options) {
      most = Math.max(most, option.profit());
    }
    return most;
  }
}
