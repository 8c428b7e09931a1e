package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.LinkRing;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingContention;
import io.ringmaster.model.Turn;
import io.ringmaster.model.collect.IntList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which turn each ring was given when it was launched, where the network model is {@link
 * Network.Shifted}. A ring keeps it until its attempt ends. They are known to this server alone: of
 * attempts that it did not launch itself it does not know the turn, and whoever starts beside one
 * gets none.
 */
final class HandedTurns {
  private final ModelTable models;
  private final Map<AttemptId, Turn> given = new HashMap<>();

  HandedTurns(ModelTable models) {
    this.models = models;
  }

  /** A turn for the ring of a job that is about to be launched where it holds GPUs, if any. */
  Optional<String> next(Job job, Cluster cluster, Collection<Job> open) {
    if (!(cluster.network() instanceof Network.Shifted shifted)
        || !(IterationTime.of(cluster) instanceof RingContention time)) {
      return Optional.empty();
    }
    given.keySet().retainAll(open.stream().map(Job::attemptId).toList());
    Ring own = ring(job, cluster, time, 0);
    List<Turn.Holder> neighbours = new ArrayList<>();
    int number = 1;
    for (Job other : open) {
      Ring ring = other.id() == job.id() ? null : ring(other, cluster, time, number++);
      if (own == null || ring == null || !own.meets(ring, cluster)) {
        continue;
      }
      Turn turn = given.get(other.attemptId());
      if (turn == null) {
        return Optional.empty();
      }
      neighbours.add(new Turn.Holder(ring.alone, turn));
    }
    Turn turn = own == null ? null : Turn.of(own.alone, neighbours, shifted.slack());
    if (turn == null) {
      return Optional.empty();
    }
    given.put(job.attemptId(), turn);
    return Optional.of(turn.text());
  }

  private @Nullable Ring ring(Job job, Cluster cluster, RingContention time, int number) {
    ModelProfile profile = Lengths.profile(job.spec(), models);
    Allocation held = job.held();
    Places places = new Places(cluster);
    if (profile == null || held == null || !places.knows(held)) {
      return null;
    }
    Placement placement = places.placement(held);
    LinkRing alone = placement.crossesServers() ? time.onServers(number, profile, placement) : null;
    return alone == null ? null : new Ring(alone, placement, time);
  }

  private record Ring(LinkRing alone, Placement placement, RingContention time) {
    /** Whether they share a link on which there is no room for both at once. */
    boolean meets(Ring other, Cluster cluster) {
      for (int i = 0; i < placement.size(); i++) {
        for (int k = 0; k < other.placement.size(); k++) {
          if (placement.server(i) == other.placement.server(k) && fills(alone, other.alone)) {
            return true;
          }
        }
      }
      IntList mine = uplinks(cluster);
      IntList theirs = other.uplinks(cluster);
      for (int i = 0; i < mine.size(); i++) {
        if (theirs.contains(mine.get(i))
            && fills(
                time.onUplink(alone, placement, mine.get(i)),
                time.onUplink(other.alone, other.placement, mine.get(i)))) {
          return true;
        }
      }
      return false;
    }

    private static boolean fills(LinkRing one, LinkRing other) {
      return 1 / one.width() + 1 / other.width() > 1;
    }

    private IntList uplinks(Cluster cluster) {
      IntList uplinks = new IntList();
      cluster.topology().uplinks(placement, uplinks);
      return uplinks;
    }
  }
}
