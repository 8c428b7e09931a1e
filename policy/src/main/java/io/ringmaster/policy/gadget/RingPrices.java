package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import io.ringmaster.policy.gadget.LpRows.RackClass;
import io.ringmaster.policy.gadget.LpRows.ServerClass;
import java.util.Arrays;

/**
 * The cheapest places for rings of one demand at given prices of the resources, for every number of
 * workers at once. Jobs of the same demand share them.
 *
 * <p>Workers of a class of servers cost the same each, and each server adds the price of its link:
 * so k workers go on as few servers as hold them. Classes of a rack, and then racks, are combined
 * by a min-plus convolution. Exact, in O(W^2) steps for each class and rack.
 */
final class RingPrices {
  private final LpRows rows;
  private final Demand demand;
  private final int mostWorkers;
  private final Combination[] inRack;
  private final Combination acrossRacks;
  private final int[] rackOf;
  private final double[] one;
  private final ServerClass[] oneClass;
  private final double[] part;
  private final double[] alone;

  RingPrices(LpRows rows, Demand demand, int mostWorkers) {
    this.rows = rows;
    this.demand = demand;
    this.mostWorkers = mostWorkers;
    inRack = new Combination[rows.racks().size()];
    int copies = 0;
    for (int r = 0; r < inRack.length; r++) {
      inRack[r] = new Combination(rows.racks().get(r).servers().size(), mostWorkers);
      copies += copies(r);
    }
    acrossRacks = new Combination(copies, mostWorkers);
    rackOf = new int[copies];
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
    return acrossRacks.ring()[workers];
  }

  /** Racks of a class that a ring may have need of. */
  private int copies(int rackClass) {
    return Math.min(rows.racks().get(rackClass).count(), mostWorkers);
  }

  /** Finds the cheapest places at new prices; returns how many additions that took, about. */
  long update(double[] prices) {
    Arrays.fill(one, Double.POSITIVE_INFINITY);
    acrossRacks.clear();
    int added = 0;
    long additions = 0;
    for (int r = 0; r < inRack.length; r++) {
      RackClass rack = rows.racks().get(r);
      inRack[r].clear();
      for (ServerClass c : rack.servers()) {
        addClass(inRack[r], c, prices);
      }
      double uplink =
          rack.uplinkHolds(demand)
              ? rows.uplinkPrice(rack, demand, prices)
              : Double.POSITIVE_INFINITY;
      for (int k = 1; k <= mostWorkers; k++) {
        part[k] = inRack[r].any()[k] + uplink;
      }
      boolean cheaper = true;
      for (int copy = copies(r); cheaper && copy > 0; copy--) {
        rackOf[added++] = r;
        cheaper = acrossRacks.add(part, inRack[r].ring());
      }
      additions += rack.servers().size();
    }
    return (additions + added) * mostWorkers * mostWorkers / 2;
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
    acrossRacks.tellRing(
        workers,
        (copy, inThere, wholeRing) -> {
          int r = rackOf[copy];
          RackClass rack = rows.racks().get(r);
          Combination.Taker taker =
              (thing, taken, onlyClass) -> {
                ServerClass c = rack.servers().get(thing);
                int room = c.workers(demand);
                int servers = (taken + room - 1) / room;
                int links = onlyClass ? Math.max(2, servers) : servers;
                rows.use(usage, c, demand, taken, links);
              };
          if (wholeRing) {
            inRack[r].tellRing(inThere, taker);
          } else {
            inRack[r].tellAny(inThere, taker);
            rows.useUplink(usage, rack, demand);
          }
        });
    return usage;
  }
}
