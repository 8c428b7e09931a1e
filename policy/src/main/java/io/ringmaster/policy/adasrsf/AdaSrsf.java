package io.ringmaster.policy.adasrsf;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.LeastWorkFirst;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ada-SRSF: Wang, Shi, Wang, Chu, "Communication Contention Aware Scheduling of Multiple Deep
 * Learning Training Jobs", arXiv 2002.10105, and the authors' public simulator.
 *
 * <ul>
 *   <li>Queue: the job with the least GPU-time goes first; one that does not fit is passed over.
 *   <li>Placement: {@link LeastWorkFirst}, LWF-kappa.
 *   <li>Gate: {@link AdaDual}, or SRSF(n), which lets at most n rings use a server's link.
 * </ul>
 *
 * <p>Departures, since here a GPU has one job at a time and a scheduler starts jobs, not single
 * all-reduces:
 *
 * <ul>
 *   <li>The gate acts when a job starts. The bytes of all its iterations stand for the message of
 *       one all-reduce. A ring is held back; a job on one server, or one that does not communicate,
 *       never is. Where no ring is, any may start, so a job waits only for rings that will end.
 *   <li>The published order of tasks on a shared GPU has nothing to order.
 *   <li>Jobs of the same size and the same model wait in one queue. If the gate holds the first, it
 *       would hold the others in the same place, since they have more to send: so the whole queue
 *       waits until the next event.
 * </ul>
 */
public final class AdaSrsf implements Policy {
  public static final Parameter KAPPA =
      Parameter.whole("kappa", 1, 0, Integer.MAX_VALUE)
          .saying(
              "jobs of up to so many GPUs take the first idle GPUs, larger ones the least loaded"
                  + " servers");

  public static final Parameter GATE =
      Parameter.choice("gate", "adadual", "1", "2", "3", "none")
          .saying(
              "when a ring may start on servers that other rings use: adadual (if it ends soon"
                  + " enough to be worth it), 1, 2 or 3 (fewer than so many rings are there"
                  + " already; 1: none), none (always)");

  public static final PolicySpec SPEC =
      new PolicySpec(
          "ada-srsf",
          "Least GPU-time first, on the least loaded servers; holds back rings that would slow"
              + " others too much.",
          "Wang, Shi, Wang, Chu, arXiv 2002.10105",
          List.of(KAPPA, GATE, Estimate.PARAMETER),
          PlacementRule::ownSearch,
          AdaSrsf::new);

  private final Cluster cluster;
  private final IterationTime time;
  private final Gate gate;
  private final Occupancy occupancy;
  private final LeastWorkFirst placer;
  private final IndexedHeap.Positions positions = new IndexedHeap.Positions();
  private final Map<Size, Spot> spots = new HashMap<>();
  private final Map<Kind, KindQueue> queues = new HashMap<>();
  private final List<KindQueue> inOrder = new ArrayList<>();

  /** Counts the states of the cluster: one more with each pass and each start. */
  private long state;

  /** Jobs that the gate and the placement treat alike, but for their length. */
  private record Kind(Size size, @Nullable ModelProfile profile) {}

  /** What the placement goes by. */
  private record Size(int gpus, Demand demand) {}

  /** Where a job of some size would go in a state, if it fits, and how many rings are there. */
  private static final class Spot {
    final Size size;
    long state = -1;
    @Nullable Placement placement;
    int contenders;

    Spot(Size size) {
      this.size = size;
    }
  }

  /** Waiting jobs of a kind, the least GPU-time first. */
  private static final class KindQueue {
    final @Nullable ModelProfile profile;
    final Spot spot;
    final IndexedHeap jobs;

    /** What a job of this kind sends in a second, alone in its ideal place. */
    final double bytesPerSecond;

    /** Passed over by the gate in this pass. */
    boolean held;

    KindQueue(@Nullable ModelProfile profile, Spot spot, IndexedHeap jobs, double bytesPerSecond) {
      this.profile = profile;
      this.spot = spot;
      this.jobs = jobs;
      this.bytesPerSecond = bytesPerSecond;
    }
  }

  public AdaSrsf(Settings settings, Cluster cluster) {
    this.cluster = cluster;
    this.time = IterationTime.of(cluster);
    this.gate = gate(settings.text(GATE.name()), cluster);
    this.occupancy = new Occupancy(cluster, time);
    this.placer =
        new LeastWorkFirst(cluster, settings.whole(KAPPA.name()), occupancy::meanLoadSeconds);
  }

  /** The network knows eta over b, all that the threshold depends on. */
  private static Gate gate(String name, Cluster cluster) {
    return switch (name) {
      case "adadual" -> AdaDual.of(1, cluster.network().penalty());
      case "none" -> Gate.AtMost.ANY;
      default -> new Gate.AtMost(Integer.parseInt(name));
    };
  }

  @Override
  public void decide(View view, Decisions decisions) {
    changed();
    occupancy.openPass(view);
    view.ended()
        .forEach(job -> {
          occupancy.end(job);
          queue(view, job).jobs.remove(job);
        });
    view.arrived()
        .forEach(job -> {
          if (view.waiting(job)) {
            queue(view, job).jobs.put(job, view.estimateSeconds(job) * view.gpus(job));
          } else if (view.running(job)) {
            occupancy.takeOver(view, job);
          }
        });
    for (KindQueue queue : inOrder) {
      queue.held = false;
    }
    for (KindQueue queue = first(view); queue != null; queue = first(view)) {
      startOrHold(view, decisions, queue);
    }
  }

  private void changed() {
    state++;
    placer.changed();
  }

  /** The queue whose head comes first among those that fit and are not held. */
  private @Nullable KindQueue first(View view) {
    int free = view.free().total();
    KindQueue best = null;
    for (KindQueue queue : inOrder) {
      if (!queue.held
          && queue.spot.size.gpus <= free
          && !queue.jobs.isEmpty()
          && (best == null || before(queue.jobs, best.jobs))) {
        best = queue;
      }
    }
    return best;
  }

  private static boolean before(IndexedHeap a, IndexedHeap b) {
    return a.peekKey() < b.peekKey() || (a.peekKey() == b.peekKey() && a.peekTie() < b.peekTie());
  }

  private void startOrHold(View view, Decisions decisions, KindQueue queue) {
    int job = queue.jobs.peek();
    double bytes = view.estimateSeconds(job) * queue.bytesPerSecond;
    Spot spot = queue.spot;
    Placement placement = place(view, spot);
    if (placement == null
        || (occupancy.isRing(queue.profile, placement)
            && !gate.admits(
                spot.contenders, bytes, () -> occupancy.leastRemainingBytes(view, placement)))) {
      queue.held = true;
      return;
    }
    queue.jobs.poll();
    decisions.start(job, placement);
    occupancy.start(job, placement, queue.profile, bytes);
    changed();
  }

  private @Nullable Placement place(View view, Spot spot) {
    if (spot.state != state) {
      Placement placement = placer.place(view.free(), spot.size.demand, spot.size.gpus);
      spot.placement = placement;
      spot.contenders = placement == null ? 0 : occupancy.contenders(placement);
      spot.state = state;
    }
    return spot.placement;
  }

  private KindQueue queue(View view, int job) {
    Size size = new Size(view.gpus(job), view.demand(job));
    return queues.computeIfAbsent(new Kind(size, view.profile(job)), this::open);
  }

  private KindQueue open(Kind kind) {
    ModelProfile profile = kind.profile;
    double bytesPerSecond =
        profile == null ? 0 : profile.gradientBytes() / time.seconds(profile, ideal(kind.size), 1);
    Spot spot = spots.computeIfAbsent(kind.size, Spot::new);
    KindQueue queue =
        new KindQueue(profile, spot, IndexedHeap.sharing(positions, false), bytesPerSecond);
    inOrder.add(queue);
    return queue;
  }

  private Placement ideal(Size size) {
    return cluster.idealPlacement(size.gpus, size.demand);
  }
}
