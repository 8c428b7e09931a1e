package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ServerRoom;
import io.ringmaster.policy.View;
import java.util.Arrays;

/**
 * Servers that are kept for waiting jobs, within one pass. A job asks for the servers that clear
 * first; whoever comes after it in the order may use those only if it is expected to end before
 * they are needed, or takes GPUs that are not.
 */
public final class Reservations {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final ServerEnds ends;

  /** When a server is needed; never, unless it is reserved. */
  private final double[] needed;

  /** When the job that it is reserved for is expected to end. */
  private final double[] over;

  /** What others may keep of a reserved server beyond that. */
  private final ServerRoom[] spare;

  private final ServerRoom now = new ServerRoom();

  private final IntList reserved = new IntList();
  private int jobs;

  /** Of the last search: the servers, and when they are clear. */
  private int[] found = new int[0];

  private double foundSeconds;
  private boolean foundReserved;

  public Reservations(Cluster cluster, ServerEnds ends) {
    this.ends = ends;
    this.needed = new double[cluster.size()];
    this.over = new double[cluster.size()];
    this.spare = new ServerRoom[cluster.size()];
    Arrays.setAll(spare, _ -> new ServerRoom());
    Arrays.fill(needed, NEVER);
  }

  public void clear() {
    for (int i = 0; i < reserved.size(); i++) {
      needed[reserved.get(i)] = NEVER;
    }
    reserved.clear();
    jobs = 0;
  }

  /** How many jobs hold some, or wait for those who do. */
  public int jobs() {
    return jobs;
  }

  public boolean isEmpty() {
    return reserved.isEmpty();
  }

  /**
   * Whether a job that ends at a time may have workers on a server.
   *
   * @param ring whether it has others elsewhere
   */
  public boolean allows(int server, int workers, Demand demand, boolean ring, double endSeconds) {
    return endSeconds <= needed[server] || workers <= spare[server].workers(demand, ring);
  }

  public boolean allows(Placement placement, Demand demand, double endSeconds) {
    boolean ring = placement.crossesServers();
    for (int i = 0; i < placement.size(); i++) {
      if (!allows(placement.server(i), placement.gpus(i), demand, ring, endSeconds)) {
        return false;
      }
    }
    return true;
  }

  /** Hides what a job that ends at a time may not take. */
  public void hide(FreeServers.Supposition supposed, FreeServers free, double endSeconds) {
    reserved.forEach(server -> {
      if (endSeconds > needed[server] && free.gpus(server) > 0) {
        free.copyRoom(server, now);
        int kept = Math.min(now.gpus(), now.gpus() - spare[server].gpus());
        Demand each = now.beyond(spare[server], Math.max(1, kept));
        if (kept > 0 || !each.isNone()) {
          supposed.take(Placement.on(server, Math.max(1, kept)), each);
        }
      }
    });
  }

  /** A job starts that ends at a time. */
  public void started(Placement placement, Demand demand, double endSeconds) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      if (endSeconds > needed[server]) {
        spare[server].add(-placement.gpus(i), demand, placement.crossesServers());
      }
    }
  }

  /**
   * Finds the servers that clear first for a job.
   *
   * @param shape how many workers it wants on each
   * @return when they are all clear
   */
  public double search(View view, Placement shape, Demand demand) {
    found = new int[shape.size()];
    foundSeconds = view.nowSeconds();
    foundReserved = false;
    for (int i = 0; i < shape.size(); i++) {
      double[] clear = ends.clearSeconds(shape.gpus(i), demand, shape.crossesServers());
      int first = -1;
      double firstSeconds = NEVER;
      for (int server = 0; server < clear.length; server++) {
        if (clear[server] >= firstSeconds) {
          continue;
        }
        boolean open = needed[server] == NEVER;
        double seconds = open ? Math.max(clear[server], foundSeconds) : over[server];
        if (seconds < firstSeconds && !taken(server, i)) {
          first = server;
          firstSeconds = seconds;
        }
      }
      found[i] = first;
      foundSeconds = Math.max(foundSeconds, firstSeconds);
      foundReserved |= needed[first] != NEVER;
    }
    return foundSeconds;
  }

  private boolean taken(int server, int count) {
    for (int i = 0; i < count; i++) {
      if (found[i] == server) {
        return true;
      }
    }
    return false;
  }

  /** Reserves what the last search found, unless some of it is reserved already. */
  public void reserve(Placement shape, Demand demand, double lengthSeconds) {
    jobs++;
    if (foundReserved) {
      return;
    }
    for (int i = 0; i < found.length; i++) {
      int server = found[i];
      ends.copyRoomAt(server, foundSeconds, spare[server]);
      spare[server].add(-shape.gpus(i), demand, shape.crossesServers());
      needed[server] = foundSeconds;
      over[server] = foundSeconds + lengthSeconds;
      reserved.add(server);
    }
  }
}
