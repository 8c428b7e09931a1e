package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the floor in line with jobs and nodes, asks the policy, and has its decisions made. */
final class Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  /** A policy whose numbers for jobs are so many more than the jobs starts afresh. */
  private static final int MOST_UNUSED_NUMBERS = 1 << 17;

  /** A policy is shown what was learned no more often: showing it all jobs again takes a while. */
  private static final double LEARN_SECONDS = 60;

  /** As often the policy may be asked within one step. */
  private static final int MOST_ROUNDS = 100;

  private final Plane plane;
  private final ChosenPolicy desired;
  private final Experience experience;
  private final PlaneListener listener;
  private final long seed;

  /** Jobs with GPUs that a policy would have taken away for a job of lower priority. */
  private final Set<Long> pinned = new HashSet<>();

  private @Nullable Floor floor;
  private boolean isStale = true;

  /** When the floor was last made anew because of what was learned. */
  private double learnedSeconds = Double.NEGATIVE_INFINITY;

  Scheduler(
      Plane plane, ChosenPolicy desired, Experience experience, PlaneListener listener, long seed) {
    this.plane = plane;
    this.desired = desired;
    this.experience = experience;
    this.listener = listener;
    this.seed = seed;
  }

  /** The nodes changed: the floor is looked at again before the next decision. */
  void reconsider() {
    isStale = true;
  }

  /** Another policy is wanted. */
  void choose(String policy, Map<String, String> settings) {
    desired.choose(policy, settings, plane.inventory().whole());
    floor = null;
  }

  double wakeSeconds() {
    PolicyHost host = floor == null ? null : floor.host();
    return host == null ? Double.POSITIVE_INFINITY : host.wakeSeconds();
  }

  /** A job is there that was not. */
  void accepted(Job job) {
    if (floor != null && Floor.isVisible(job)) {
      floor.enter(job);
    }
  }

  /** Lets the floor know what the policy did not decide itself. */
  void changed(Job before, Job after) {
    double now = plane.nowSeconds();
    if (after.target() == null) {
      isStale |= pinned.remove(after.id());
    }
    if (floor == null) {
      return;
    }
    boolean startsOver = before.failures() != after.failures() || before.losses() != after.losses();
    boolean was = Floor.isVisible(before);
    boolean is = Floor.isVisible(after);
    if (floor.capacity().isOutside(before) || floor.capacity().isOutside(after)) {
      isStale |= !Objects.equals(before.held(), after.held()) || before.state() != after.state();
    }
    if (!is && after.held() != null) {
      floor.holds(after);
    }
    if (was && (!is || startsOver)) {
      floor.leave(before, now);
    }
    if (after.held() == null && (before.held() != null || after.target() == null)) {
      floor.frees(after);
    }
    if (is && (!was || startsOver)) {
      floor.enter(after);
    }
    PolicyHost host = floor.host();
    if (host != null && after.state() == JobState.RUNNING) {
      if (before.state() != JobState.RUNNING) {
        host.runs(after.id(), now);
      }
      if (before.doneShare() != after.doneShare()) {
        host.progressed(after, now);
      }
    }
  }

  /** Asks the policy until it has nothing more to say. */
  void decide() {
    double now = plane.nowSeconds();
    PolicyHost known = floor == null ? null : floor.host();
    if (known != null && now >= learnedSeconds + LEARN_SECONDS && experience.isNews(known)) {
      learnedSeconds = now;
      floor = null;
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Floor current = floor();
      current.sync(now);
      if (unpin(current.topPriority())) {
        floor = null;
        continue;
      }
      PolicyHost host = current.host();
      if (host == null || !host.isDue(now)) {
        return;
      }
      if (host.needsRelief() || host.used() > plane.open().size() + MOST_UNUSED_NUMBERS) {
        floor = null;
        continue;
      }
      List<Decision> decisions = ask(host);
      if (pin(decisions)) {
        floor = null;
        continue;
      }
      for (Decision decision : decisions) {
        current.decided(decision);
        plane.apply(
            job(decision.job()),
            new JobEvent.Assign(
                decision.target(),
                decision.learningRateScale(),
                decision.predictedRate(),
                decision.why()));
      }
    }
  }

  private Job job(long id) {
    return Objects.requireNonNull(plane.open().get(id));
  }

  private List<Decision> ask(PolicyHost host) {
    long from = System.nanoTime();
    try {
      List<Decision> decisions = host.decide(plane.nowSeconds());
      listener.decided((System.nanoTime() - from) * 1e-9, made(decisions));
      return decisions;
    } catch (RuntimeException e) {
      // A policy's mistake must not stop the cluster. None of this decision is carried out.
      LOG.error("policy {} failed; going on with {}", desired.name(), ChosenPolicy.FALLBACK, e);
      plane.outbox().put(ChosenPolicy.ERROR, "%s failed: %s".formatted(desired.name(), e));
      desired.fallBack(e);
      floor = null;
      return List.of();
    }
  }

  private PlaneListener.Made made(List<Decision> decisions) {
    int starts = 0;
    int stops = 0;
    for (Decision decision : decisions) {
      starts += job(decision.job()).target() == null ? 1 : 0;
      stops += decision.target() == null ? 1 : 0;
    }
    return new PlaneListener.Made(starts, stops, decisions.size() - starts - stops);
  }

  /**
   * Policies know no priorities: one may want to stop a job for another that is less important.
   * Then nothing of that is done. The more important jobs are taken out of the policy's reach, and
   * it is asked again.
   */
  private boolean pin(List<Decision> decisions) {
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    for (Decision decision : decisions) {
      Job job = job(decision.job());
      int priority = job.spec().priority();
      if (workers(decision.target()) > workers(job.target())) {
        least = Math.min(least, priority);
      } else {
        most = Math.max(most, priority);
      }
    }
    if (most <= least) {
      return false;
    }
    for (Job job : plane.open().values()) {
      if (job.target() != null && job.spec().priority() > least) {
        pinned.add(job.id());
      }
    }
    return true;
  }

  private static int workers(@Nullable Allocation allocation) {
    return allocation == null ? 0 : allocation.workers();
  }

  /** As soon as nobody less important waits, a job is within the policy's reach again. */
  private boolean unpin(@Nullable Integer top) {
    return pinned.removeIf(id -> top == null || job(id).spec().priority() <= top);
  }

  private Floor floor() {
    Floor known = floor;
    if (known != null && !isStale) {
      return known;
    }
    isStale = false;
    Capacity capacity = capacity();
    for (Job job : List.copyOf(plane.open().values())) {
      if (capacity.isDisplaced(job)) {
        known = null;
        plane.apply(
            job,
            new JobEvent.Assign(null, 1, "its node is no longer up and open; waits for others"));
      }
    }
    if (known == null || !known.capacity().signature().equals(capacity.signature())) {
      known =
          desired.floor(
              plane.config(), capacity, plane.open(), experience, plane.nowSeconds(), seed);
    }
    floor = known;
    return known;
  }

  private Capacity capacity() {
    return new Capacity(plane.inventory(), experience, plane.open().values(), pinned);
  }
}
