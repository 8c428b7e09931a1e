package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.ADMITTED_ONCE;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.POLICY_AGREES;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.SHOWN_BY_PRIORITY;
import static io.ringmaster.control.plane.BrokenInvariant.unless;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a policy is shown. Policies know neither priorities nor quotas, so that every policy
 * obeys both: of a user with a quota, only as many jobs are let in as may run at once; and as long
 * as a job waits, no job of a lower priority is shown. Nor are jobs that the nodes cannot hold, and
 * those that run outside the policy's {@link Capacity}.
 *
 * <p>For one {@link PolicyHost}; knows nothing of processes.
 */
final class AdmittedJobs {
  /** Of submission: policies break ties by it. */
  private static final Comparator<Job> ORDER =
      Comparator.comparingDouble(Job::eligibleSeconds).thenComparingLong(Job::id);

  private final PlaneConfig config;
  private final Capacity capacity;
  private final @Nullable PolicyHost host;
  private final Map<Long, Job> jobs;
  private final Quotas quotas;
  private final Set<Long> tooLarge = new HashSet<>();
  private final HeldOff heldOff = new HeldOff();

  /** Jobs that were let in, as they were then. */
  private final Map<Long, Job> admitted = new HashMap<>();

  /** Of those, the ones that wait, by priority, the highest first. */
  private final TreeMap<Integer, LinkedHashMap<Long, Job>> waiting =
      new TreeMap<>(Comparator.reverseOrder());

  /** Jobs that began to wait since the last {@link #sync}. */
  private final List<Job> news = new ArrayList<>();

  /** Jobs that are to be shown with the next {@link #sync}. */
  private final List<Job> unshown = new ArrayList<>();

  /** The priority of the waiting jobs that are shown; null: none is. */
  private @Nullable Integer shownPriority;

  /**
   * Lets in whom it may. No job may be displaced.
   *
   * @param host null: no node is open
   * @param jobs all that have not ended, by id; may change, and this object be told of it
   */
  AdmittedJobs(
      PlaneConfig config,
      Capacity capacity,
      @Nullable PolicyHost host,
      Map<Long, Job> jobs,
      double nowSeconds) {
    this.config = config;
    this.capacity = capacity;
    this.host = host;
    this.jobs = jobs;
    this.quotas = new Quotas(config.quotaGpus());
    // Also those that were stopped for others and are not gone yet: they wait, and still hold GPUs.
    jobs.values().stream()
        .filter(job -> job.held() != null || job.target() != null)
        .filter(job -> job.target() == null || !isVisible(job) || capacity.isOutside(job))
        .forEach(quotas::holds);
    // Those that have GPUs count before others are let in.
    jobs.values().stream()
        .filter(AdmittedJobs::isVisible)
        .sorted(Comparator.comparing((Job job) -> job.target() == null).thenComparing(ORDER))
        .forEach(this::enter);
    sync(nowSeconds);
  }

  /** Whether a job waits for GPUs or has been given some. */
  private static boolean isVisible(Job job) {
    return switch (job.state()) {
      case QUEUED -> !job.backoff().waits();
      case PLACED, STARTING, RUNNING, CHECKPOINTING, STOPPING -> true;
      default -> false;
    };
  }

  @Nullable PolicyHost host() {
    return host;
  }

  Capacity capacity() {
    return capacity;
  }

  /** A job comes: it waits, or has been placed already. */
  void enter(Job job) {
    if (isHeldOff(job)) {
      heldOff.add(job);
    }
    if (host == null || !maySee(job)) {
      return;
    }
    if (job.spec().minGpus() > mostWorkers(host.cluster(), job)) {
      tooLarge.add(job.id());
    } else if (job.target() != null) {
      // Whatever the quota says now.
      letIn(job);
      unshown.add(job);
    } else if (quotas.limits(job)) {
      quotas.queue(job);
      letInNext(job);
    } else {
      letIn(job);
      waits(job);
    }
  }

  private void letIn(Job job) {
    admitted.put(job.id(), job);
    quotas.count(job, 1);
  }

  private void letInNext(Job ofSameUser) {
    for (Job job = quotas.next(ofSameUser); job != null; job = quotas.next(ofSameUser)) {
      letIn(job);
      waits(job);
    }
  }

  /** A job goes, and others may be let in. */
  void leave(Job job, double nowSeconds) {
    remove(job, nowSeconds);
    letInNext(job);
  }

  private void remove(Job job, double nowSeconds) {
    heldOff.remove(job);
    if (host == null || tooLarge.remove(job.id())) {
      return;
    }
    Job known = admitted.remove(job.id());
    if (known == null) {
      quotas.unqueue(job);
    } else {
      waitsNoMore(known);
      quotas.count(known, -1);
    }
    host.hide(job.id(), nowSeconds);
  }

  /** A job that the policy has no say in any more still holds GPUs. */
  void holds(Job job) {
    quotas.holds(job);
  }

  void frees(Job job) {
    if (quotas.frees(job)) {
      letInNext(job);
    }
  }

  private void waits(Job known) {
    waiting
        .computeIfAbsent(known.spec().priority(), _ -> new LinkedHashMap<>())
        .put(known.id(), known);
    news.add(known);
  }

  private void waitsNoMore(Job known) {
    Map<Long, Job> peers = waiting(known.spec().priority());
    if (peers.remove(known.id()) != null && peers.isEmpty()) {
      waiting.remove(known.spec().priority());
    }
  }

  private boolean isWaiting(Job job) {
    return waiting(job.spec().priority()).containsKey(job.id());
  }

  private Map<Long, Job> waiting(@Nullable Integer priority) {
    Map<Long, Job> peers = priority == null ? null : waiting.get(priority);
    return peers == null ? new HashMap<>() : peers;
  }

  /**
   * Something happened to a job that the policy did not decide, or did: both are told here.
   *
   * @return whether what the policy may give away may be another by now
   */
  boolean changed(Job before, Job after, double nowSeconds) {
    boolean lostWork = after.held() == null && !before.lost().equals(after.lost());
    boolean moves = before.spec().priority() != after.spec().priority();
    if (moves && after.target() != null) {
      // The policy knows no priorities: nothing changes for one that it gave GPUs.
      admitted.replace(after.id(), after);
    }
    boolean startsOver =
        before.failures() != after.failures()
            || before.losses() != after.losses()
            || lostWork
            || (moves && after.target() == null);
    boolean was = isVisible(before);
    boolean is = isVisible(after);
    if (!is && after.held() != null) {
      holds(after);
    }
    boolean entersAgain = was && is && startsOver;
    if (entersAgain) {
      remove(before, nowSeconds);
    } else if (was && !is) {
      leave(before, nowSeconds);
    }
    if (is && (!was || startsOver)) {
      enter(after);
    }
    if (after.held() == null && (before.held() != null || after.target() == null)) {
      frees(after);
    }
    if (entersAgain) {
      // Not before it: it may have GPUs, which count.
      letInNext(after);
    }
    if (host != null && after.state() == JobState.RUNNING) {
      if (before.state() != JobState.RUNNING) {
        host.runs(after.id(), nowSeconds);
      }
      if (before.doneShare() != after.doneShare()) {
        host.progressed(after, nowSeconds);
      }
    }
    return (capacity.isOutside(before) || capacity.isOutside(after))
        && (!Objects.equals(before.held(), after.held()) || before.state() != after.state());
  }

  /** The policy gave a job GPUs, or took them away. */
  void decided(Decision decision) {
    Job known = admitted.get(decision.job());
    if (known != null && decision.target() == null) {
      waits(known);
    } else if (known != null) {
      waitsNoMore(known);
    }
  }

  /** Shows the policy what it may see, looking only at what changed. */
  void sync(double nowSeconds) {
    if (host == null) {
      return;
    }
    Integer top = topPriority();
    List<Job> hidden = new ArrayList<>();
    if (Objects.equals(top, shownPriority)) {
      for (Job job : news) {
        if (isWaiting(job)) {
          (Objects.equals(top, job.spec().priority()) ? unshown : hidden).add(job);
        }
      }
    } else {
      news.stream().filter(this::isWaiting).forEach(hidden::add);
      hidden.addAll(waiting(shownPriority).values());
      unshown.addAll(waiting(top).values());
    }
    shownPriority = top;
    news.clear();
    hidden.forEach(job -> host.hide(job.id(), nowSeconds));
    unshown.sort(ORDER);
    for (Job job : unshown) {
      if (!host.shows(job.id())) {
        // It is known here as it was let in, which may be long ago.
        host.show(jobs.getOrDefault(job.id(), job), quotas.gpus(job), nowSeconds);
      }
    }
    unshown.clear();
  }

  /** The highest priority that waits; null if nobody waits. */
  @Nullable Integer topPriority() {
    return waiting.isEmpty() ? null : waiting.firstKey();
  }

  /** The same with those for whom there would be room if no job were pinned. */
  @Nullable Integer topPriorityWithHeldOff() {
    Integer top = topPriority();
    Integer other = heldOff.topPriority();
    return top == null || (other != null && other > top) ? other : top;
  }

  private boolean isHeldOff(Job job) {
    Cluster whole = capacity.unpinned();
    return whole != null
        && whole != capacity.cluster()
        && job.target() == null
        && isVisible(job)
        && job.spec().minGpus() <= mostWorkers(whole, job)
        && (host == null || job.spec().minGpus() > mostWorkers(host.cluster(), job));
  }

  /** Whether the policy may give a job GPUs some time, as the nodes are. */
  boolean couldRun(Job job) {
    return maySee(job) && !tooLarge.contains(job.id());
  }

  /** Whether a job is any business of the policy. */
  private boolean maySee(Job job) {
    return host != null && isVisible(job) && !capacity.isOutside(job);
  }

  /** No more GPUs may be given to a job's user. */
  int quota(Job job) {
    return quotas.gpus(job);
  }

  private int mostWorkers(Cluster cluster, Job job) {
    Demand asked = NodeMarks.demand(job.spec(), cluster);
    return cluster.mostWorkers(cluster.demand(asked, Lengths.profile(job.spec(), config.models())));
  }

  /** Why the policy is not shown a job that waits, in words; null if it is. */
  @Nullable String whyWithheld(Job job) {
    if (job.state() != JobState.QUEUED) {
      return null;
    }
    if (job.backoff().waits()) {
      return job.reason();
    }
    if (host == null) {
      return "no node is up and open for jobs"
          + (capacity.whyClosed().isEmpty() ? "" : ": " + capacity.whyClosed());
    }
    if (tooLarge.contains(job.id())) {
      return "it needs %d GPUs, and the nodes that are up and open hold at most %d workers of it"
          .formatted(job.spec().minGpus(), mostWorkers(host.cluster(), job));
    }
    if (!admitted.containsKey(job.id())) {
      return "%s has a quota of %d GPUs, and jobs for %d are let in before this one"
          .formatted(job.user(), quotas.gpus(job), quotas.usedGpus(job));
    }
    Integer top = topPriority();
    if (top == null || job.spec().priority() >= top) {
      return null;
    }
    int ahead = waiting(top).size();
    return "%d %s of priority %d %s first"
        .formatted(ahead, ahead == 1 ? "job" : "jobs", top, ahead == 1 ? "goes" : "go");
  }

  /**
   * Whether a job that changed stands where it must. After {@link #sync}.
   *
   * @throws BrokenInvariant if not
   */
  void check(Job job) {
    Job known = admitted.get(job.id());
    boolean isTooLarge = tooLarge.contains(job.id());
    boolean isQueued = quotas.isQueued(job);
    int places = (known == null ? 0 : 1) + (isTooLarge ? 1 : 0) + (isQueued ? 1 : 0);
    unless(
        places == (maySee(job) ? 1 : 0),
        ADMITTED_ONCE,
        "job %d is %s; let in: %s, too large: %s, behind its quota: %s",
        job.id(),
        job.state().text(),
        known != null,
        isTooLarge,
        isQueued);
    quotas.check(job);
    if (host == null) {
      return;
    }
    boolean isShown = host.shows(job.id());
    boolean waits = known != null && isWaiting(known);
    boolean isFirst = Objects.equals(topPriority(), job.spec().priority());
    unless(
        known == null
            ? !isShown
            : waits == (job.target() == null) && (!waits || isShown == isFirst),
        SHOWN_BY_PRIORITY,
        "job %d of priority %d is %s; let in: %s, waits: %s, shown: %s; %s goes first",
        job.id(),
        job.spec().priority(),
        job.state().text(),
        known != null,
        waits,
        isShown,
        topPriority());
    unless(
        host.waiting() == waiting(topPriority()).size(),
        SHOWN_BY_PRIORITY,
        "the policy sees %d jobs wait, and %d do",
        host.waiting(),
        waiting(topPriority()).size());
    unless(
        !isShown || host.agreesOn(job),
        POLICY_AGREES,
        "job %d is to have %s, and the policy thinks otherwise",
        job.id(),
        job.target());
  }

  /** The same of all jobs, and what they add up to. */
  void checkAll() {
    jobs.values().forEach(this::check);
    quotas.checkAll(admitted.values(), jobs);
    if (host == null) {
      return;
    }
    int shown = 0;
    int free = host.cluster().totalGpus();
    for (Job job : jobs.values()) {
      if (host.shows(job.id())) {
        shown++;
        free -= job.target() == null ? 0 : job.target().workers();
      }
    }
    unless(
        shown == host.shown() && free == host.freeGpus(),
        POLICY_AGREES,
        "the policy knows %d jobs and %d free GPUs; there are %d and %d",
        host.shown(),
        host.freeGpus(),
        shown,
        free);
  }
}
