package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.execution.Execution;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong in a run, and what the policy is shown after it. As in the live plane, a policy
 * only knows servers that are open: when they change, a new one is made for those that are, and its
 * first view lists all jobs as arrived. So no policy can place a job on a server that is down, and
 * none has to know that servers fail.
 *
 * <p>Out of its sight are jobs that cannot start on what is open, which wait, and jobs on servers
 * that are drained, which go on.
 */
final class Breakdowns {
  private static final double LONGEST_WAIT_SECONDS = 3650 * 86400.0;

  private final Cluster whole;
  private final Jobs jobs;
  private final Execution execution;
  private final @Nullable KindChoice kinds;
  private final Function<Cluster, Policy> policies;
  private final Outages outages;
  private final JobFailures jobFailures;

  /** Jobs that came and have not ended. */
  private final BitSet present = new BitSet();

  /** Those of them that the policy does not see: they wait, or run where {@link #outside} says. */
  private final BitSet hidden = new BitSet();

  /** Where jobs run that the policy does not see, on servers of the whole cluster. */
  private final Map<Integer, Placement> outside = new HashMap<>();

  /** Of the jobs that were hit last, those that were stopped on purpose. */
  private final BitSet planned = new BitSet();

  /** What the policy sees; null if no server is open. */
  private @Nullable Cluster visible;

  /** Index in the whole cluster of each server that it sees. */
  private int[] wholeServers = {};

  private @Nullable Policy policy;

  /** Workers of each demand that what is visible holds. */
  private final Map<Demand, Integer> room = new HashMap<>();

  private boolean isStale;

  Breakdowns(
      Cluster whole,
      Jobs jobs,
      Execution execution,
      @Nullable KindChoice kinds,
      Function<Cluster, Policy> policies,
      long seed) {
    this.whole = whole;
    this.jobs = jobs;
    this.execution = execution;
    this.kinds = kinds;
    this.policies = policies;
    this.visible = whole;
    this.policy = policies.apply(whole);
    Slots slots = new Slots(whole.network().slotSeconds());
    this.outages = new Outages(whole, slots, jobs.submitSeconds(0), seed);
    this.jobFailures =
        new JobFailures(jobs, slots, whole.failures().jobsPerThousandGpuDays(), seed);
  }

  /** Who decides; null while no server is open. */
  @Nullable Policy policy() {
    return policy;
  }

  List<Mishap> mishaps() {
    return outages.mishaps();
  }

  /** When something happens next. */
  double nextSeconds() {
    return Math.min(outages.nextSeconds(), jobFailures.nextSeconds());
  }

  /** Whether what the policy sees is not what there is, by a time. */
  boolean isDue(double nowSeconds) {
    return isStale || nextSeconds() <= nowSeconds;
  }

  /** A job that is out of the policy's sight and waits; -1 if there is none. */
  int someHidden() {
    int job = hidden.nextSetBit(0);
    while (job >= 0 && outside.containsKey(job)) {
      job = hidden.nextSetBit(job + 1);
    }
    return job;
  }

  /**
   * When something happens next that one of those may wait for.
   *
   * @param sinceSeconds when anything else happened last
   */
  double nextSecondsFor(int hiddenJob, double sinceSeconds) {
    if (nextSeconds() - sinceSeconds > LONGEST_WAIT_SECONDS) {
      throw new IllegalStateException(
          "job %s waits for %d GPUs, and so many were not up at once for ten years; ask for fewer,"
                  .formatted(jobs.id(hiddenJob), jobs.gpus(hiddenJob))
              + " or let servers fail less often");
    }
    return nextSeconds();
  }

  /** A job comes: the policy is told if it can start on what is open. */
  void arrive(int job) {
    present.set(job);
    hidden.set(job, !canStart(job));
    if (!hidden.get(job)) {
      execution.submit(job);
    }
  }

  private boolean fits(int job) {
    return fits(job, demand(job));
  }

  private Demand demand(int job) {
    return kinds == null
        ? whole.demand(jobs.demand(job), jobs.profile(job))
        : kinds.on(job).demand();
  }

  /** Whether a job that waits can start on what is open, if need be on another kind of GPU. */
  private boolean canStart(int job) {
    if (kinds != null && !fits(job)) {
      kinds.fit(job, demand -> fits(job, demand), execution.kept(job));
    }
    return fits(job);
  }

  private boolean fits(int job, Demand demand) {
    Cluster open = visible;
    if (open == null) {
      return false;
    }
    // Not computeIfAbsent: for each job, making its lambda costs more than looking.
    Integer most = room.get(demand);
    if (most == null) {
      most = open.mostWorkers(demand);
      room.put(demand, most);
    }
    return jobs.gpus(job) <= most;
  }

  void started(int job, int workers) {
    jobFailures.started(job, workers, execution.heldGpuSeconds(job), execution.nowSeconds());
  }

  void stopped(int job) {
    jobFailures.stopped(job);
  }

  /** Where a job runs in the whole cluster; null if it does not. */
  @Nullable Placement placement(int job) {
    Placement seldom = outside.get(job);
    if (seldom != null) {
      return seldom;
    }
    return execution.ledger().running(job)
        ? execution.whole(execution.ledger().placement(job))
        : null;
  }

  /** A job ended: it leaves. */
  void end(int job) {
    present.clear(job);
    Placement place = outside.remove(job);
    if (place == null) {
      execution.leave(job);
    } else {
      hidden.clear(job);
      execution.stop(job, place);
      // It gives back GPUs that the policy did not know of.
      isStale = true;
    }
  }

  /** Lets happen what is due by now, and says which jobs it stops. */
  IntList advance() {
    double now = execution.nowSeconds();
    outages.advance(now);
    BitSet alone = new BitSet();
    while (jobFailures.nextSeconds() <= now) {
      int job = jobFailures.poll();
      outages.jobFailed(jobs.id(job), now);
      alone.set(job);
    }
    planned.clear();
    IntList hit = new IntList();
    for (int job = present.nextSetBit(0); job >= 0; job = present.nextSetBit(job + 1)) {
      Placement place = placement(job);
      boolean fails = place != null && (alone.get(job) || isOn(place, outages.failed()));
      boolean leaves = place != null && !fails && isOn(place, outages.removed());
      planned.set(job, leaves);
      if (fails || leaves) {
        hit.add(job);
      }
    }
    return hit;
  }

  /** What a job that was hit keeps of so much work. */
  double kept(int job, double doneSeconds) {
    return planned.get(job)
        ? jobs.keptAfterMaintenance(job, doneSeconds)
        : jobs.keptAfterFailure(job, doneSeconds);
  }

  private static boolean isOn(Placement place, BitSet servers) {
    for (int i = 0; i < place.size(); i++) {
      if (servers.get(place.server(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isOpen(Placement place) {
    for (int i = 0; i < place.size(); i++) {
      if (!outages.isOpen(place.server(i))) {
        return false;
      }
    }
    return true;
  }

  /** Makes a policy for what is open now, and shows it all jobs that it may see. */
  void startOver() {
    isStale = false;
    Map<Integer, Placement> running = new HashMap<>();
    for (int job = present.nextSetBit(0); job >= 0; job = present.nextSetBit(job + 1)) {
      if (!Double.isNaN(execution.segmentStartSeconds(job))) {
        running.put(job, Objects.requireNonNull(placement(job)));
      }
      if (!hidden.get(job)) {
        execution.hide(job);
      }
    }
    outside.clear();
    running.forEach((job, place) -> {
      if (!isOpen(place)) {
        outside.put(job, place);
      }
    });
    // Who asks for more than is open cannot be told of to a policy; if it runs with less, it goes
    // on. Its GPUs are not for others then, and that may leave too few for the next.
    int before;
    do {
      before = outside.size();
      see();
      running.forEach((job, place) -> {
        if (!fits(job)) {
          outside.put(job, place);
        }
      });
    } while (outside.size() > before);
    show(running);
  }

  /** Finds out what is open: servers that are there, without what hidden jobs hold of them. */
  private void see() {
    OpenServers open = new OpenServers(whole);
    outside.forEach((job, place) -> open.take(place, demand(job)));
    wholeServers = open.indexes(outages);
    visible = open.cluster(wholeServers);
    room.clear();
  }

  private void show(Map<Integer, Placement> running) {
    hidden.clear();
    Cluster open = visible;
    if (open == null) {
      hidden.or(present);
      policy = null;
      // Nobody is to be woken.
      execution.ledger().open(execution.nowSeconds());
      return;
    }
    int[] seen = new int[whole.size()];
    for (int s = 0; s < wholeServers.length; s++) {
      seen[wholeServers[s]] = s;
    }
    execution.showServers(open, wholeServers);
    if (kinds != null) {
      kinds.servers(open);
    }
    for (int job = present.nextSetBit(0); job >= 0; job = present.nextSetBit(job + 1)) {
      Placement place = running.get(job);
      if (place == null && canStart(job)) {
        execution.submit(job);
      } else if (place != null && !outside.containsKey(job)) {
        execution.show(job, place.renumbered(seen));
      } else {
        hidden.set(job);
      }
    }
    policy = policies.apply(open);
  }
}
