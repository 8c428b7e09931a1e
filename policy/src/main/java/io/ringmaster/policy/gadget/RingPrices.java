package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import io.ringmaster.policy.gadget.LpRows.PodClass;
import io.ringmaster.policy.gadget.LpRows.RackClass;
import io.ringmaster.policy.gadget.LpRows.ServerClass;
import java.util.Arrays;
import java.util.List;

/**
 * The cheapest places for rings of one demand at given prices of the resources, for every number of
 * workers at once. Jobs of the same demand share them.
 *
 * <p>Workers of a class of servers cost the same each, and each server adds the price of its link:
 * so k workers go on as few servers as hold them. Classes of a rack, then racks of a pod, then pods
 * are combined by a min-plus convolution. Exact, in O(W^2) steps for each class, rack and pod.
 */
final class RingPrices {
  private final LpRows rows;
  private final Demand demand;
  private final int mostWorkers;

  /** By class of pods and of its racks. */
  private final Combination[][] inRack;

  private final Combination[] inPod;
  private final int[][] rackOf;
  private final Combination acrossPods;
  private final int[] podOf;
  private final double[] one;
  private final ServerClass[] oneClass;
  private final double[] part;
  private final double[] alone;

  RingPrices(LpRows rows, Demand demand, int mostWorkers) {
    this.rows = rows;
    this.demand = demand;
    this.mostWorkers = mostWorkers;
    int pods = rows.pods().size();
    inRack = new Combination[pods][];
    inPod = new Combination[pods];
    rackOf = new int[pods][];
    int podCopies = 0;
    for (int p = 0; p < pods; p++) {
      List<RackClass> racks = rows.pods().get(p).racks();
      inRack[p] = new Combination[racks.size()];
      int copies = 0;
      for (int r = 0; r < racks.size(); r++) {
        inRack[p][r] = new Combination(racks.get(r).servers().size(), mostWorkers);
        copies += copies(racks.get(r).count());
      }
      inPod[p] = new Combination(copies, mostWorkers);
      rackOf[p] = new int[copies];
      podCopies += copies(rows.pods().get(p).count());
    }
    acrossPods = new Combination(podCopies, mostWorkers);
    podOf = new int[podCopies];
    one = new double[mostWorkers + 1];
    oneClass = new ServerClass[mostWorkers + 1];
    part = new double[mostWorkers + 1];
    alone = new double[mostWorkers + 1];
  }

  int mostWorkers() {
    return mostWorkers;
  }

  /** What so many workers cost on one server; infinite if none holds them. */
  double onOneServer(int workers) {
    return one[workers];
  }

  /** What a ring of so many workers over several servers costs; infinite if there is none. */
  double acrossServers(int workers) {
    return (isOnePod() ? inPod[0] : acrossPods).ring()[workers];
  }

  private boolean isOnePod() {
    return podOf.length == 1;
  }

  /** Racks or pods of a class that a ring may have need of. */
  private int copies(int count) {
    return Math.min(count, mostWorkers);
  }

  /** Finds the cheapest places at new prices; returns how many additions that took, about. */
  long update(double[] prices) {
    Arrays.fill(one, Double.POSITIVE_INFINITY);
    acrossPods.clear();
    long additions = 0;
    int added = 0;
    for (int p = 0; p < inPod.length; p++) {
      additions += updatePod(p, prices);
      PodClass pod = rows.pods().get(p);
      boolean cheaper = !isOnePod();
      addUplink(
          inPod[p],
          pod.uplinkHolds(demand)
              ? rows.uplinkPrice(pod, demand, prices)
              : Double.POSITIVE_INFINITY);
      for (int copy = copies(pod.count()); cheaper && copy > 0; copy--) {
        podOf[added++] = p;
        cheaper = acrossPods.add(part, inPod[p].ring());
      }
    }
    return (additions + added) * mostWorkers * mostWorkers / 2;
  }

  private int updatePod(int p, double[] prices) {
    List<RackClass> racks = rows.pods().get(p).racks();
    inPod[p].clear();
    int added = 0;
    int classes = 0;
    for (int r = 0; r < racks.size(); r++) {
      RackClass rack = racks.get(r);
      inRack[p][r].clear();
      for (ServerClass c : rack.servers()) {
        addClass(inRack[p][r], c, prices);
      }
      addUplink(
          inRack[p][r],
          rack.uplinkHolds(demand)
              ? rows.uplinkPrice(rack, demand, prices)
              : Double.POSITIVE_INFINITY);
      boolean cheaper = true;
      for (int copy = copies(rack.count()); cheaper && copy > 0; copy--) {
        rackOf[p][added++] = r;
        cheaper = inPod[p].add(part, inRack[p][r].ring());
      }
      classes += rack.servers().size();
    }
    return classes + added;
  }

  /** What each number of workers costs there if their ring goes on over the uplink. */
  private void addUplink(Combination inside, double uplink) {
    for (int k = 1; k <= mostWorkers; k++) {
      part[k] = inside.any()[k] + uplink;
    }
  }

  private void addClass(Combination rack, ServerClass c, double[] prices) {
    int room = c.workers(demand);
    double worker = rows.workerPrice(c, demand, prices);
    double link =
        c.linkHolds(demand) ? rows.linkPrice(c, demand, prices) : Double.POSITIVE_INFINITY;
    for (int k = 1; k <= mostWorkers; k++) {
      if (k <= room && k * worker < one[k]) {
        one[k] = k * worker;
        oneClass[k] = c;
      }
      int servers = room == 0 ? Integer.MAX_VALUE : (k + room - 1) / room;
      part[k] = servers <= c.count() ? k * worker + servers * link : Double.POSITIVE_INFINITY;
      int several = Math.max(2, servers);
      alone[k] =
          k >= 2 && several <= c.count() ? k * worker + several * link : Double.POSITIVE_INFINITY;
    }
    rack.add(part, alone);
  }

  /** Shares of the resources that the cheapest place on one server takes. */
  double[] usageOnOneServer(int workers) {
    double[] usage = new double[rows.count()];
    rows.use(usage, oneClass[workers], demand, workers, 0);
    return usage;
  }

  /** Shares of the resources that the cheapest ring over several servers takes. */
  double[] usageAcrossServers(int workers) {
    double[] usage = new double[rows.count()];
    if (isOnePod()) {
      inPod[0].tellRing(workers, rackTaker(0, usage));
      return usage;
    }
    acrossPods.tellRing(
        workers,
        (copy, inThere, wholeRing) -> {
          int p = podOf[copy];
          if (wholeRing) {
            inPod[p].tellRing(inThere, rackTaker(p, usage));
          } else {
            // Parts of a ring that go on elsewhere leave their racks too.
            inPod[p].tellAny(inThere, rackTaker(p, usage));
            rows.useUplink(usage, rows.pods().get(p), demand);
          }
        });
    return usage;
  }

  private Combination.Taker rackTaker(int p, double[] usage) {
    return (copy, inThere, wholeRing) -> {
      int r = rackOf[p][copy];
      RackClass rack = rows.pods().get(p).racks().get(r);
      Combination.Taker taker =
          (thing, taken, onlyClass) -> {
            ServerClass c = rack.servers().get(thing);
            int room = c.workers(demand);
            int servers = (taken + room - 1) / room;
            int links = onlyClass ? Math.max(2, servers) : servers;
            rows.use(usage, c, demand, taken, links);
          };
      if (wholeRing) {
        inRack[p][r].tellRing(inThere, taker);
      } else {
        inRack[p][r].tellAny(inThere, taker);
        rows.useUplink(usage, rack, demand);
      }
    };
  }
}
