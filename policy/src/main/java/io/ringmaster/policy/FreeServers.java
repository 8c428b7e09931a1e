package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Topology;
import io.ringmaster.model.collect.Bitmap;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Free GPUs of each server, with the servers in buckets by how many they have free: finding a
 * server takes a few steps however many there are. Policies read; only {@link Ledger} changes it.
 */
public class FreeServers {
  /** Stands for the whole cluster where a rack or pod is asked for, by its switch. */
  public static final int ANYWHERE = -1;

  private final Cluster cluster;
  private final @Nullable FreeRest rest;
  private final int[] free;
  private final @Nullable Bitmap[] byFree;
  private final @Nullable Bitmap[] wholeByGpus;
  private final Bitmap counts;
  private final Bitmap wholeCounts;
  private final Bitmap notFull;
  private final @Nullable FreeInside inside;
  private int total;

  public FreeServers(Cluster cluster) {
    this.cluster = cluster;
    this.rest = cluster.limitsMoreThanGpus() ? new FreeRest(cluster) : null;
    int servers = cluster.size();
    free = new int[servers];
    byFree = new Bitmap[cluster.maxServerGpus() + 1];
    wholeByGpus = new Bitmap[cluster.maxServerGpus() + 1];
    counts = new Bitmap(cluster.maxServerGpus() + 1);
    wholeCounts = new Bitmap(cluster.maxServerGpus() + 1);
    notFull = new Bitmap(servers);
    inside = cluster.topology().switches() > 0 ? new FreeInside(cluster, free) : null;
    for (int s = 0; s < servers; s++) {
      insert(s, cluster.gpus(s));
      total += cluster.gpus(s);
      if (inside != null) {
        inside.changed(s, 0);
      }
    }
  }

  /** As free as another. */
  FreeServers(FreeServers other) {
    cluster = other.cluster;
    rest = other.rest == null ? null : new FreeRest(other.rest);
    free = other.free.clone();
    byFree = copies(other.byFree);
    wholeByGpus = copies(other.wholeByGpus);
    counts = new Bitmap(other.counts);
    wholeCounts = new Bitmap(other.wholeCounts);
    notFull = new Bitmap(other.notFull);
    inside = other.inside == null ? null : new FreeInside(other.inside, free);
    total = other.total;
  }

  private static @Nullable Bitmap[] copies(@Nullable Bitmap[] bitmaps) {
    @Nullable Bitmap[] copies = new Bitmap[bitmaps.length];
    for (int i = 0; i < copies.length; i++) {
      Bitmap bitmap = bitmaps[i];
      copies[i] = bitmap == null ? null : new Bitmap(bitmap);
    }
    return copies;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Free GPUs in all. */
  public int total() {
    return total;
  }

  public int gpus(int server) {
    return free[server];
  }

  /** The server with the fewest free GPUs that holds so many, the first of them; -1 if none. */
  public int bestFit(int gpus) {
    int count = counts.next(gpus);
    return count < 0 ? -1 : bucket(byFree, count).next(0);
  }

  /** The same for a job that takes more than GPUs: of the servers that hold it, the tightest. */
  public int bestFit(int workers, Demand demand) {
    int server = bestFit(workers);
    while (server >= 0 && workers(server, demand) < workers) {
      server = nextTightest(server);
    }
    return server;
  }

  /** The next server in the order fewest free first, then by index; -1 at the end. */
  public int nextTightest(int server) {
    int count = free[server];
    int next = bucket(byFree, count).next(server + 1);
    if (next >= 0) {
      return next;
    }
    count = counts.next(count + 1);
    return count < 0 ? -1 : bucket(byFree, count).next(0);
  }

  /** The server with the most free GPUs, the first of them; -1 if nothing is free. */
  public int freest() {
    int count = counts.previous(cluster.maxServerGpus());
    return count <= 0 ? -1 : bucket(byFree, count).next(0);
  }

  /**
   * The next server in the order most free first, then by index; -1 at the end. Nothing may be
   * taken or released in between.
   */
  public int nextFreest(int server) {
    int count = free[server];
    int next = bucket(byFree, count).next(server + 1);
    if (next >= 0) {
      return next;
    }
    count = counts.previous(count - 1);
    return count <= 0 ? -1 : bucket(byFree, count).next(0);
  }

  /** Whether that stands for all servers. */
  public boolean isWide(int within) {
    return within == ANYWHERE || inside == null;
  }

  /** {@link #freest()} of a rack or pod, or of all. */
  public int freest(int within) {
    return within == ANYWHERE || inside == null ? freest() : inside.freest(within);
  }

  /** {@link #nextFreest(int)} of a rack or pod, or of all. */
  public int nextFreest(int server, int within) {
    return within == ANYWHERE || inside == null
        ? nextFreest(server)
        : inside.nextFreest(server, within);
  }

  /** {@link #bestFit(int)} of a rack or pod, or of all. */
  public int bestFit(int gpus, int within) {
    return within == ANYWHERE || inside == null ? bestFit(gpus) : inside.bestFit(gpus, within);
  }

  /** {@link #nextTightest(int)} of a rack or pod, or of all. */
  public int nextTightest(int server, int within) {
    return within == ANYWHERE || inside == null
        ? nextTightest(server)
        : inside.nextTightest(server, within);
  }

  /** {@link #largestWhole()} of a rack or pod, or of all. */
  public int largestWhole(int within) {
    return within == ANYWHERE || inside == null ? largestWhole() : inside.largestWhole(within);
  }

  /** {@link #nextWhole(int)} of a rack or pod, or of all. */
  public int nextWhole(int server, int within) {
    return within == ANYWHERE || inside == null
        ? nextWhole(server)
        : inside.nextWhole(server, within);
  }

  /** The largest wholly free server, the first of them; -1 if none. */
  public int largestWhole() {
    int count = wholeCounts.previous(cluster.maxServerGpus());
    return count <= 0 ? -1 : bucket(wholeByGpus, count).next(0);
  }

  /** The next wholly free server, largest first, then by index; -1 at the end. */
  public int nextWhole(int server) {
    int count = cluster.gpus(server);
    int next = bucket(wholeByGpus, count).next(server + 1);
    if (next >= 0) {
      return next;
    }
    count = wholeCounts.previous(count - 1);
    return count <= 0 ? -1 : bucket(wholeByGpus, count).next(0);
  }

  /**
   * The next wholly free server in the order most free first, then by index, behind a server that
   * need not be wholly free; -1 at the end.
   */
  public int nextWholeBehind(int server) {
    int count = free[server];
    Bitmap whole = wholeByGpus[count];
    int next = whole == null ? -1 : whole.next(server + 1);
    if (next >= 0) {
      return next;
    }
    count = wholeCounts.previous(count - 1);
    return count <= 0 ? -1 : bucket(wholeByGpus, count).next(0);
  }

  /** The first server at or after an index that has a free GPU, or -1. */
  public int firstWithRoom(int from) {
    return notFull.next(from);
  }

  /** Workers of a demand that a server has room for. */
  public int workers(int server, Demand demand) {
    return rest == null ? free[server] : rest.workers(server, demand, free[server]);
  }

  /** Workers that it has room for if their ring goes on to other servers. */
  public int workersOfRing(int server, Demand demand) {
    return rest == null || rest.linkHolds(server, demand) ? workers(server, demand) : 0;
  }

  /** The same for a ring that stays in a rack or pod; outside of it nothing counts as room. */
  public int workersOfRing(int server, Demand demand, int within) {
    Topology topology = cluster.topology();
    if (within != ANYWHERE && !topology.inside(within, server)) {
      return 0;
    }
    boolean open =
        rest == null
            || (within != ANYWHERE && topology.isRack(within))
            || (leaves(topology.rack(server), demand)
                && (within != ANYWHERE
                    || !topology.hasPods()
                    || leaves(topology.pod(server), demand)));
    return open ? workersOfRing(server, demand) : 0;
  }

  /** Whether a ring of a demand can leave the rack or pod of a switch. */
  public boolean leaves(int which, Demand demand) {
    return rest == null || rest.uplinkHolds(which, demand);
  }

  /** What is free in racks and pods; null if all servers hang on one switch. */
  public @Nullable FreeInside inside() {
    return inside;
  }

  /** Whether the rings of a job take a part of every link that they cross. */
  public boolean reserves(Demand demand) {
    return rest != null && demand.ringBytesPerSecond() > 0;
  }

  /** What a server has free, to reckon with. */
  public void copyRoom(int server, ServerRoom into) {
    if (rest == null) {
      into.set(free[server]);
    } else {
      rest.copyRoom(server, free[server], into);
    }
  }

  /** True if all that a job takes at a placement is free. */
  public boolean holds(Placement placement, Demand demand) {
    for (int i = 0; i < placement.size(); i++) {
      if (free[placement.server(i)] < placement.gpus(i)) {
        return false;
      }
    }
    return rest == null || rest.holds(placement, demand);
  }

  /** Asks "what if these ended, or were taken?": changes that are undone on close. */
  public Supposition suppose() {
    return new Supposition();
  }

  /** Changes that hold until they are closed. */
  public final class Supposition implements AutoCloseable {
    private final ArrayDeque<Change> changes = new ArrayDeque<>();

    private record Change(Placement placement, Demand demand, boolean taken) {}

    private Supposition() {}

    public void release(Placement placement, Demand demand) {
      FreeServers.this.release(placement, demand);
      changes.push(new Change(placement, demand, false));
    }

    public void take(Placement placement, Demand demand) {
      FreeServers.this.take(placement, demand);
      changes.push(new Change(placement, demand, true));
    }

    /** How many changes there are. */
    public int size() {
      return changes.size();
    }

    /** Takes the last changes back, until so many are left. */
    public void undoTo(int size) {
      while (changes.size() > size) {
        undo();
      }
    }

    private void undo() {
      Change last = changes.pop();
      if (last.taken) {
        FreeServers.this.release(last.placement, last.demand);
      } else {
        FreeServers.this.take(last.placement, last.demand);
      }
    }

    @Override
    public void close() {
      undoTo(0);
    }
  }

  void take(Placement placement, Demand demand) {
    for (int i = 0; i < placement.size(); i++) {
      change(placement.server(i), -placement.gpus(i));
    }
    if (rest != null) {
      rest.change(placement, demand, -1);
    }
  }

  void release(Placement placement, Demand demand) {
    for (int i = 0; i < placement.size(); i++) {
      change(placement.server(i), placement.gpus(i));
    }
    if (rest != null) {
      rest.change(placement, demand, 1);
      for (int i = 0; i < placement.size(); i++) {
        if (free[placement.server(i)] == cluster.gpus(placement.server(i))) {
          rest.isIdle(placement.server(i));
        }
      }
    }
  }

  private void change(int server, int by) {
    int before = free[server];
    int capacity = cluster.gpus(server);
    Bitmap old = bucket(byFree, before);
    old.remove(server);
    if (old.isEmpty()) {
      counts.remove(before);
    }
    if (before == capacity) {
      Bitmap whole = bucket(wholeByGpus, capacity);
      whole.remove(server);
      if (whole.isEmpty()) {
        wholeCounts.remove(capacity);
      }
    }
    insert(server, before + by);
    total += by;
    if (inside != null) {
      inside.changed(server, before);
    }
  }

  private void insert(int server, int count) {
    free[server] = count;
    bucket(byFree, count).add(server);
    counts.add(count);
    if (count == cluster.gpus(server)) {
      bucket(wholeByGpus, count).add(server);
      wholeCounts.add(count);
    }
    if (count > 0) {
      notFull.add(server);
    } else {
      notFull.remove(server);
    }
  }

  private Bitmap bucket(@Nullable Bitmap[] buckets, int count) {
    Bitmap bucket = buckets[count];
    if (bucket == null) {
      bucket = new Bitmap(free.length);
      buckets[count] = bucket;
    }
    return bucket;
  }
}
