package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Compatibility;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.LinkRing;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingContention;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Consolidate}, but the server that a ring shares with others is the one whose rings it
 * can best take turns with, by CASSINI's {@link Compatibility}. Where several are as good, it is
 * the one that {@link Consolidate} would take.
 *
 * <p>A ring shares at most one server, so jobs and servers never form the loops that CASSINI has to
 * look for among its candidates. Uplinks of racks are left out, but no job leaves a rack or a pod
 * for better neighbours.
 */
final class Compatible implements Placer {
  private final Consolidate consolidate = new Consolidate();

  /** Null where rings do not slow each other down by what they send. */
  private final @Nullable RingContention time;

  /** Rings that were seen on each server; some may be gone since. */
  private final Map<Integer, IntList> seen = new HashMap<>();

  Compatible(Cluster cluster) {
    time = IterationTime.of(cluster) instanceof RingContention ring ? ring : null;
  }

  @Override
  public @Nullable Placement place(FreeServers free, Demand demand, int workers) {
    return consolidate.place(free, demand, workers);
  }

  @Override
  public boolean countSuffices() {
    return false;
  }

  @Override
  public void see(View view) {
    for (IntList news : List.of(view.arrived(), view.rerated())) {
      for (int i = 0; i < news.size(); i++) {
        if (view.running(news.get(i))) {
          see(news.get(i), view.placement(news.get(i)));
        }
      }
    }
  }

  private void see(int job, Placement placement) {
    for (int i = 0; time != null && placement.crossesServers() && i < placement.size(); i++) {
      IntList there = seen.computeIfAbsent(placement.server(i), _ -> new IntList());
      if (!there.contains(job)) {
        there.add(job);
      }
    }
  }

  @Override
  public Placement suited(View view, int job, Placement found) {
    ModelProfile profile = view.profile(job);
    if (time == null || profile == null || !found.crossesServers()) {
      return found;
    }
    Placement best = best(time, view, job, profile, found);
    see(job, best);
    return best;
  }

  private Placement best(
      RingContention ring, View view, int job, ModelProfile profile, Placement found) {
    int shared = shared(view.cluster(), found);
    LinkRing own = ring.onServers(job, profile, found);
    if (shared < 0 || own == null) {
      return found;
    }
    int workers = found.gpus(shared);
    FreeServers free = view.free();
    int tiers = view.cluster().topology().tiers(found);
    Placement best = found;
    double most = score(ring, view, own, found.server(shared));
    for (int s = free.freest(); most < 1 && s >= 0; s = free.nextFreest(s)) {
      Placement other = elsewhere(found, shared, s);
      if (other == null
          || free.workersOfRing(s, view.demand(job), FreeServers.ANYWHERE) < workers
          || view.cluster().topology().tiers(other) > tiers) {
        continue;
      }
      double score = score(ring, view, own, s);
      if (score > most) {
        most = score;
        best = other;
      }
    }
    return best;
  }

  /** Which of a placement's servers has GPUs that it does not take; -1 if none. */
  private static int shared(Cluster cluster, Placement placement) {
    int shared = -1;
    for (int i = 0; i < placement.size(); i++) {
      if (placement.gpus(i) < cluster.gpus(placement.server(i))) {
        shared = i;
      }
    }
    return shared;
  }

  /** The same with another server in place of one; null if it is there already. */
  private static @Nullable Placement elsewhere(Placement placement, int which, int server) {
    int[] servers = new int[placement.size()];
    int[] gpus = new int[placement.size()];
    for (int i = 0; i < servers.length; i++) {
      if (placement.server(i) == server) {
        return null;
      }
      servers[i] = i == which ? server : placement.server(i);
      gpus[i] = placement.gpus(i);
    }
    return Placement.of(servers, gpus);
  }

  /** How well a ring goes with those on a server. */
  private double score(RingContention ring, View view, LinkRing own, int server) {
    IntList there = seen.get(server);
    if (there == null) {
      return 1;
    }
    List<LinkRing> rings = new ArrayList<>(List.of(own));
    int kept = 0;
    for (int i = 0; i < there.size(); i++) {
      int other = there.get(i);
      ModelProfile profile = view.profile(other);
      if (other == own.job() || !view.running(other) || !uses(view.placement(other), server)) {
        continue;
      }
      there.set(kept++, other);
      LinkRing neighbour =
          profile == null ? null : ring.onServers(other, profile, view.placement(other));
      if (neighbour != null) {
        rings.add(neighbour);
      }
    }
    while (there.size() > kept) {
      there.pop();
    }
    return Compatibility.score(rings);
  }

  private static boolean uses(Placement placement, int server) {
    boolean uses = false;
    for (int i = 0; placement.crossesServers() && i < placement.size(); i++) {
      uses |= placement.server(i) == server;
    }
    return uses;
  }
}
