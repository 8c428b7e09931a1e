package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the policy when there is something to decide, and has its decisions made. A policy goes on
 * from what it was shown as long as that holds; if not, it starts over: {@link StartOver}.
 */
final class Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  /** A policy whose numbers for jobs are so many more than the jobs starts over. */
  private static final int MOST_UNUSED_NUMBERS = 1 << 17;

  /** A policy is shown what was learned no more often: showing it all jobs again takes a while. */
  private static final double LEARN_SECONDS = 60;

  /** As often the policy may be asked within one step. */
  private static final int MOST_ROUNDS = 100;

  private final Plane plane;
  private final ChosenPolicy chosen;
  private final Experience experience;
  private final PlaneListener listener;
  private final long seed;

  /** Jobs with GPUs that a policy would have taken away for a job of lower priority. */
  private final Set<Long> pinned = new HashSet<>();

  /** Null: there is a reason to start over, which is {@link #dropped}. */
  private @Nullable AdmittedJobs admitted;

  private StartOver dropped = StartOver.TAKEN_UP;

  /** Whether it is to be looked at again what a policy may give away. */
  private boolean isCapacityOld;

  /** When the policy last started over because of what was learned. */
  private double learnedSeconds = Double.NEGATIVE_INFINITY;

  Scheduler(
      Plane plane, ChosenPolicy chosen, Experience experience, PlaneListener listener, long seed) {
    this.plane = plane;
    this.chosen = chosen;
    this.experience = experience;
    this.listener = listener;
    this.seed = seed;
  }

  /** The nodes changed: they are looked at again before the next decision. */
  void nodesChanged() {
    isCapacityOld = true;
  }

  /** Another policy is wanted. */
  void choose(String policy, Map<String, String> settings) {
    chosen.choose(policy, settings, plane.inventory().whole());
    drop(StartOver.POLICY_CHOSEN);
  }

  private void drop(StartOver reason) {
    admitted = null;
    dropped = reason;
  }

  double wakeSeconds() {
    PolicyHost host = admitted == null ? null : admitted.host();
    return host == null ? Double.POSITIVE_INFINITY : host.wakeSeconds();
  }

  /** A job is there that was not. */
  void accepted(Job job) {
    if (admitted != null) {
      admitted.enter(job);
    }
  }

  void changed(Job before, Job after) {
    if (after.target() == null) {
      isCapacityOld |= pinned.remove(after.id());
    }
    if (admitted != null) {
      isCapacityOld |= admitted.changed(before, after, plane.nowSeconds());
    }
  }

  /** Asks the policy until it has nothing more to say. */
  void decide() {
    double now = plane.nowSeconds();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      StartOver reason = reasonToStartOver(now, round == 0);
      if (reason != null) {
        startOver(reason, now);
        continue;
      }
      AdmittedJobs current = admitted;
      PolicyHost host = current == null ? null : current.host();
      if (current == null || host == null || !host.isDue(now)) {
        return;
      }
      List<Decision> decisions = ask(host);
      if (pin(decisions)) {
        drop(StartOver.JOBS_PINNED);
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

  /**
   * Why the policy cannot go on from what it was shown; null: it can.
   *
   * @param isFirst whether it has not been asked in this step: what its own decisions teach can
   *     wait for the next
   */
  private @Nullable StartOver reasonToStartOver(double now, boolean isFirst) {
    AdmittedJobs current = admitted;
    if (current == null) {
      return dropped;
    }
    current.sync(now);
    PolicyHost host = current.host();
    boolean mayLearn = isFirst && now >= learnedSeconds + LEARN_SECONDS;
    if (mayLearn && host != null && experience.isNews(host)) {
      return StartOver.LEARNED;
    }
    if (isCapacityOld) {
      isCapacityOld = false;
      Capacity capacity = capacity();
      if (!current.capacity().signature().equals(capacity.signature())
          || plane.open().values().stream().anyMatch(capacity::isDisplaced)) {
        return StartOver.CAPACITY_CHANGED;
      }
    }
    if (pinned.stream().anyMatch(id -> isReachable(id, current))) {
      return StartOver.JOBS_UNPINNED;
    }
    if (host != null && host.needsRelief()) {
      return StartOver.FIRST_ELASTIC_JOB;
    }
    return host != null && host.used() > plane.open().size() + MOST_UNUSED_NUMBERS
        ? StartOver.NUMBERS_USED_UP
        : null;
  }

  /** As soon as nobody less important waits, a pinned job is within the policy's reach again. */
  private boolean isReachable(long id, AdmittedJobs current) {
    Integer top = current.topPriorityWithHeldOff();
    return top == null || job(id).spec().priority() <= top;
  }

  private void startOver(StartOver reason, double now) {
    LOG.debug("{} starts over: {}", chosen.name(), reason.text());
    listener.startedOver(reason);
    AdmittedJobs before = admitted;
    if (reason == StartOver.LEARNED) {
      learnedSeconds = now;
    } else if (reason == StartOver.JOBS_UNPINNED && before != null) {
      pinned.removeIf(id -> isReachable(id, before));
    }
    admitted = null;
    isCapacityOld = false;
    Capacity capacity = capacity();
    for (Job job : List.copyOf(plane.open().values())) {
      if (capacity.isDisplaced(job)) {
        plane.apply(
            job,
            new JobEvent.Assign(null, 1, "its node is no longer up and open; waits for others"));
      }
    }
    admitted = chosen.admit(plane.config(), capacity, plane.open(), experience, now, seed);
  }

  private Capacity capacity() {
    return new Capacity(plane.inventory(), experience, plane.open().values(), pinned);
  }

  /** Whether what the policy is shown of jobs that changed is as it must be. */
  void check(Collection<Job> jobs) {
    if (admitted != null) {
      jobs.forEach(admitted::check);
    }
  }

  void checkAll() {
    if (admitted != null) {
      admitted.checkAll();
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
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      // A policy's mistake must not stop the cluster. None of this decision is carried out.
      LOG.error("policy {} failed; going on with {}", chosen.name(), ChosenPolicy.FALLBACK, e);
      plane.outbox().put(ChosenPolicy.ERROR, "%s failed: %s".formatted(chosen.name(), e));
      chosen.fallBack(e);
      drop(StartOver.POLICY_FAILED);
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
}
