package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeInside;
import io.ringmaster.policy.FreeServers;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The fewest servers that hold a job when its workers are spread evenly over them, those with the
 * most room first, in one rack if one holds it so, else in one pod: the placement of Optimus (Peng
 * et al., EuroSys 2018, section 4.2). Where whole servers make rings faster, those that others use
 * are left alone.
 */
public final class EvenSpread {
  private final boolean wholeOnly;

  public EvenSpread(Cluster cluster) {
    this.wholeOnly = IterationTime.of(cluster).wholeServersPay();
  }

  private record Room(int server, int workers) {}

  /** Room for so many workers, or null if they cannot be spread evenly. */
  public @Nullable Placement place(FreeServers free, Demand demand, int workers) {
    if (workers > free.total()) {
      return null;
    }
    for (int s = free.freest(); s >= 0 && free.gpus(s) >= workers; s = free.nextFreest(s)) {
      if (free.workers(s, demand) >= workers) {
        return Placement.on(s, workers);
      }
    }
    FreeInside inside = free.inside();
    Placement found = null;
    if (inside != null) {
      IntList candidates = inside.candidates(workers, wholeOnly);
      for (int i = 0; found == null && i < candidates.size(); i++) {
        found = across(free, demand, workers, candidates.get(i));
      }
    }
    return found == null ? across(free, demand, workers, FreeServers.ANYWHERE) : found;
  }

  private @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    Room[] rooms = rooms(free, demand, workers, within);
    for (int servers = 2; servers <= rooms.length; servers++) {
      int each = workers / servers;
      int more = workers % servers;
      // Rooms fall: the last of those with one worker more, and the last of all, decide.
      if (rooms[servers - 1].workers() >= each
          && (more == 0 || rooms[more - 1].workers() >= each + 1)) {
        Placement placement = spread(rooms, servers, each, more);
        return free.holds(placement, demand) ? placement : null;
      }
    }
    return null;
  }

  /** Servers with room for a ring, the most first; no more of them than there are workers. */
  private Room[] rooms(FreeServers free, Demand demand, int workers, int within) {
    Room[] rooms = new Room[workers];
    int found = 0;
    boolean sorted = true;
    for (int s = first(free, within);
        s >= 0 && (found < workers || !sorted);
        s = next(free, s, within)) {
      int room = free.workersOfRing(s, demand, within);
      if (room > 0) {
        sorted &= room == free.gpus(s);
        rooms = found < rooms.length ? rooms : Arrays.copyOf(rooms, 2 * found);
        rooms[found++] = new Room(s, room);
      }
    }
    Room[] all = Arrays.copyOf(rooms, found);
    Arrays.sort(all, Comparator.comparingInt(r -> -r.workers()));
    return found <= workers ? all : Arrays.copyOf(all, workers);
  }

  private int first(FreeServers free, int within) {
    return wholeOnly ? free.largestWhole(within) : free.freest(within);
  }

  private int next(FreeServers free, int server, int within) {
    return wholeOnly ? free.nextWhole(server, within) : free.nextFreest(server, within);
  }

  private static Placement spread(Room[] rooms, int servers, int each, int more) {
    int[] on = new int[servers];
    int[] counts = new int[servers];
    for (int i = 0; i < servers; i++) {
      on[i] = rooms[i].server();
      counts[i] = each + (i < more ? 1 : 0);
    }
    return Placement.of(on, counts);
  }
}
