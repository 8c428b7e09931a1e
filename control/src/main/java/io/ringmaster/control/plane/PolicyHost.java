package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Measured;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.WaitReason;
import io.ringmaster.policy.execution.Execution;
import io.ringmaster.policy.execution.IdealRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy at work: what it is shown of the live jobs, and what it decides. The very classes that
 * are simulated, behind the same {@link Ledger}.
 *
 * <p>A host is for one policy and one set of nodes. When either changes, a new one takes over: a
 * policy's first view lists all jobs as arrived.
 */
final class PolicyHost {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyHost.class);

  /** For so many jobs there is room before anything has to grow. */
  private static final int FIRST_JOBS = 1024;

  private final String policyName;
  private final Policy policy;
  private final Reasons reasons;
  private final Cluster cluster;
  private final ModelTable models;
  private final Experience experience;
  private final IterationTime iterationTime;
  private final HostedJobs hosted = new HostedJobs();
  private final Execution execution;
  private final Ledger ledger;
  private final double zeroSeconds;
  private final Places places;
  private final Map<String, Integer> users = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private int waiting;
  private boolean dirty = true;
  private boolean wasAsked;
  private boolean needsRelief;

  /**
   * @param zeroSeconds what counts as time 0 for the policy: no job may have been submitted before
   */
  PolicyHost(
      String policyName,
      Policy policy,
      Cluster cluster,
      ModelTable models,
      Experience experience,
      double zeroSeconds,
      long seed) {
    this.policyName = policyName;
    this.policy = policy;
    this.cluster = cluster;
    this.models = models;
    this.experience = experience;
    this.iterationTime = IterationTime.of(cluster);
    this.zeroSeconds = zeroSeconds;
    this.places = new Places(cluster);
    this.execution = new Execution(policyName, cluster, hosted, FIRST_JOBS, seed);
    this.ledger = execution.ledger();
    this.reasons = new Reasons(policyName, policy, execution.view(), hosted);
  }

  Cluster cluster() {
    return cluster;
  }

  ModelTable models() {
    return models;
  }

  boolean shows(long job) {
    return numbers.containsKey(job);
  }

  int shown() {
    return numbers.size();
  }

  /** Whether the policy thinks of a job that it is shown what was decided. */
  boolean agreesOn(Job job) {
    Integer number = numbers.get(job.id());
    Allocation target = job.target();
    if (number == null || target == null) {
      return number != null && ledger.waiting(number);
    }
    return ledger.running(number)
        && places.knows(target)
        && ledger.placement(number).equals(places.placement(target));
  }

  /** Jobs that wait, as the policy sees it. */
  int waiting() {
    return waiting;
  }

  /** GPUs that are free, as the policy sees it. */
  int freeGpus() {
    return ledger.free().total();
  }

  /** Why a job that it hosts waits, as far as what is free tells, where a policy puts jobs so. */
  WaitReason waitReason(long job, ChosenPolicy chosen) {
    HostedJob one = hosted.job(Objects.requireNonNull(numbers.get(job)));
    return chosen
        .placement(cluster, hosted.anyElastic())
        .reason(ledger.free(), one.demand, one.minGpus);
  }

  /** Whether a policy that saw rigid jobs alone has now been shown an elastic one. */
  boolean needsRelief() {
    return needsRelief;
  }

  /** Numbers used so far, those of jobs that are gone included. */
  int used() {
    return hosted.size();
  }

  /**
   * Shows the policy a job: a new one, or one that is placed when the policy takes over.
   *
   * @param mostGpus it may not have more
   */
  void show(Job job, int mostGpus, double nowSeconds) {
    int number = hosted.size();
    HostedJob one = hosted(job, mostGpus, nowSeconds);
    Allocation target = job.target();
    if (target != null && !ledger.free().holds(places.placement(target), one.demand)) {
      // The cluster file gives a node less than it had. The job goes on, out of the policy's sight,
      // and nobody is launched on its GPUs.
      LOG.warn("job {} holds {}, which is more than the cluster has", job.id(), target);
      return;
    }
    needsRelief |= wasAsked && one.isElastic && !hosted.anyElastic();
    hosted.add(one);
    numbers.put(job.id(), number);
    goTo(nowSeconds);
    execution.submit(number);
    execution.ranBefore(
        number, one.doneSeconds, one.attainedGpuSeconds, one.startedBefore, one.stoppedBefore);
    if (target == null) {
      waiting++;
    } else if (Double.isNaN(job.attemptSeconds())) {
      execution.place(number, places.placement(target));
    } else {
      double since = Math.max(0, job.attemptSeconds() - zeroSeconds);
      execution.takeOver(number, places.placement(target), since);
    }
    dirty = true;
  }

  /** What it would know of a job, as a job's length is known now. */
  HostedJob hosted(Job job, int mostGpus, double nowSeconds) {
    int user = users.computeIfAbsent(job.user(), _ -> users.size());
    ModelProfile profile = experience.speeds().profile(job, models);
    Demand demand = HostedJob.demand(job.spec(), profile, cluster);
    int most = Math.min(mostGpus, cluster.mostWorkers(demand));
    HostedJob one =
        new HostedJob(
            job, user, Math.max(0, job.eligibleSeconds() - zeroSeconds), most, profile, demand);
    one.estimateSeconds =
        experience.lengths().seconds(job, models, cluster)
            * ((double) job.spec().gpus() / one.gpus);
    one.toldSeconds = one.estimateSeconds;
    one.errors = experience.lengths().errors(job);
    one.iterationSeconds =
        IdealRuns.iterationSeconds(cluster, iterationTime, profile, one.gpus, demand);
    measured(one, job);
    if (job.doneShare() > 0) {
      one.doneSeconds = job.doneShare() * one.estimateSeconds;
    } else {
      double usefulGpuSeconds = job.attainedGpuSeconds() - job.lost().gpuSeconds();
      one.doneSeconds = usefulGpuSeconds / one.gpus;
      // What it has done since its attempt began counts too.
      if (job.held() != null && !Double.isNaN(job.attemptSeconds())) {
        double ran = Math.max(0, nowSeconds - job.attemptSeconds());
        one.doneSeconds += ran * job.held().workers() / one.gpus;
      }
    }
    if (one.doneSeconds >= one.estimateSeconds) {
      one.outlived(one.doneSeconds);
    }
    return one;
  }

  /** It said itself how fast it is, or was: the whole of it is as long as that makes it. */
  private void measured(HostedJob one, Job job) {
    Allocation held = job.held();
    Measured last = experience.speeds().last(job.id());
    if (held != null && !Double.isNaN(job.rate())) {
      Placement place = places.knows(held) ? places.placement(held) : ideal(held.workers(), one);
      one.estimateSeconds = speed(one, place) / job.rate();
    } else if (last != null) {
      one.estimateSeconds = speed(one, ideal(last.workers(), one)) * last.seconds();
    }
  }

  private Placement ideal(int workers, HostedJob one) {
    return cluster.idealPlacement(Math.min(workers, cluster.mostWorkers(one.demand)), one.demand);
  }

  private double speed(HostedJob one, Placement placement) {
    return execution.speedAlone(one.profile, one.gpus, one.iterationSeconds, placement);
  }

  /** Takes a job away from the policy's eyes: it ended, or is not to be started for now. */
  void hide(long job, double nowSeconds) {
    Integer number = numbers.remove(job);
    if (number == null) {
      return;
    }
    goTo(nowSeconds);
    waiting -= ledger.waiting(number) ? 1 : 0;
    execution.leave(number);
    dirty = true;
  }

  /** The engine says that a job runs: its work counts from now on. */
  void runs(long job, double nowSeconds) {
    Integer number = numbers.get(job);
    if (number != null && ledger.running(number)) {
      goTo(nowSeconds);
      execution.countFromNow(number);
    }
  }

  /** A job says how much of it is done: it goes on as fast as it was so far. */
  void progressed(Job job, double nowSeconds) {
    Integer number = numbers.get(job.id());
    if (number != null && ledger.running(number)) {
      HostedJob one = hosted.job(number);
      goTo(nowSeconds);
      double speed = execution.speed(number);
      if (!Double.isNaN(job.rate()) && speed > 0) {
        one.estimateSeconds = speed / job.rate();
      }
      one.saidShare = job.doneShare();
      double done = job.doneShare() * one.estimateSeconds;
      if (done >= one.estimateSeconds) {
        one.outlived(done);
      }
      execution.correct(number, done);
      execution.schedule(number);
    }
  }

  /** When the policy is to be asked again, even if nothing happens. */
  double wakeSeconds() {
    double wake = wake();
    double seconds = zeroSeconds + wake;
    // Rounding must not wake too early: nothing would be due, and the same time be asked for again.
    while (seconds - zeroSeconds < wake) {
      seconds = Math.nextUp(seconds);
    }
    return seconds;
  }

  private double wake() {
    return Math.min(execution.wakeSeconds(), execution.nextEventSeconds());
  }

  boolean isDue(double nowSeconds) {
    return dirty || wake() <= nowSeconds - zeroSeconds;
  }

  List<Decision> decide(double nowSeconds) {
    goTo(nowSeconds);
    outlive();
    int freeBefore = freeGpus();
    wasAsked = true;
    IntList moved = execution.decide(policy);
    dirty = false;
    int[] othersWait = new int[moved.size()];
    for (int i = 0; i < moved.size(); i++) {
      int number = moved.get(i);
      waiting += ledger.waiting(number) ? 1 : 0;
      waiting -= ledger.before(number) == null ? 1 : 0;
      othersWait[i] = waiting;
      execution.move(number);
    }
    execution.rerate();
    // Only now it is known how fast each of them is beside the others.
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < moved.size(); i++) {
      decisions.add(decision(moved.get(i), freeBefore, othersWait[i]));
    }
    return decisions;
  }

  /** Jobs that have done as much as was expected of them, and go on. Each is looked at once. */
  private void outlive() {
    for (int left = hosted.size(); left > 0 && execution.isDue(); left--) {
      int number = execution.nextEventJob();
      hosted.job(number).outlived(execution.settle(number));
      execution.schedule(number);
    }
  }

  /**
   * Why a job waits since the policy was last asked, in its own words; null if it does not wait, or
   * the policy does not say.
   */
  @Nullable String whyWaits(long job) {
    Integer number = numbers.get(job);
    return number != null && execution.hasTold(number) && ledger.waiting(number)
        ? reasons.of(number)
        : null;
  }

  private Decision decision(int number, int freeBefore, int othersWait) {
    HostedJob one = hosted.job(number);
    Placement after = ledger.after(number);
    return new Decision(
        one.id,
        after == null ? null : places.allocation(after),
        // Whatever the policy: its submitter chose a rate for the workers that it asks for.
        after == null ? 1 : (double) after.workers() / one.askedGpus,
        after == null ? Double.NaN : execution.speed(number) / one.estimateSeconds,
        Decision.why(
            policyName,
            ledger.before(number),
            after,
            freeBefore,
            cluster.totalGpus(),
            othersWait,
            reasons.of(number)));
  }

  private void goTo(double seconds) {
    execution.goTo(Math.max(execution.nowSeconds(), seconds - zeroSeconds));
  }
}
