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
import io.ringmaster.model.Rings;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.WaitReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
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

  private final String policyName;
  private final Policy policy;
  private final Reasons reasons;
  private final Cluster cluster;
  private final ModelTable models;
  private final Experience experience;
  private final IterationTime iterationTime;
  private final Ledger ledger;
  private final Rings rings;
  private final HostedView view;
  private final double zeroSeconds;
  private final Places places;
  private final Map<String, Integer> users = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<HostedJob> hosted = new ArrayList<>();
  private final LazyHeap ends = new LazyHeap();
  private final IntList felt = new IntList();
  private int waiting;
  private boolean dirty = true;
  private boolean wasAsked;
  private boolean needsRelief;

  /**
   * Hosts a policy.
   *
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
    this.rings = new Rings(cluster.size(), iterationTime);
    this.zeroSeconds = zeroSeconds;
    this.places = new Places(cluster);
    this.view = new HostedView(policyName, cluster, hosted, seed);
    this.ledger = view.ledger();
    this.reasons = new Reasons(policyName, policy, view);
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

  /** How many jobs are shown. */
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
    HostedJob one = hosted.get(Objects.requireNonNull(numbers.get(job)));
    return chosen
        .placement(cluster, view.anyElastic())
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
    HostedJob one = hosted(job, mostGpus);
    Allocation target = job.target();
    if (target != null && !ledger.free().holds(places.placement(target), one.demand)) {
      // The cluster file gives a node less than it had. The job goes on, out of the policy's sight,
      // and nobody is launched on its GPUs.
      LOG.warn("job {} holds {}, which is more than the cluster has", job.id(), target);
      return;
    }
    needsRelief |= wasAsked && job.spec().isElastic() && !view.anyElastic;
    hosted.add(one);
    numbers.put(job.id(), number);
    view.anyElastic |= job.spec().isElastic();
    ledger.submit(number);
    if (target == null) {
      waiting++;
    } else {
      view.now = at(nowSeconds);
      ledger.open(view.now);
      ledger.start(number, places.placement(target));
      move(number, null, places.placement(target));
      if (!Double.isNaN(job.attemptSeconds())) {
        takeOver(number, Math.max(0, job.attemptSeconds() - zeroSeconds), job);
      }
      ledger.open(view.now);
    }
    view.pending.add(number);
    dirty = true;
  }

  /** What it would keep of a job, as a job's length is known now. */
  HostedJob hosted(Job job, int mostGpus) {
    int user = users.computeIfAbsent(job.user(), _ -> users.size());
    Demand asked = new Demand(job.spec().cpusPerGpu(), job.spec().memoryGbPerGpu() * 1e9);
    ModelProfile profile = experience.speeds().profile(job, models);
    Demand demand = cluster.demand(asked, profile);
    int most = Math.min(mostGpus, cluster.mostWorkers(demand));
    HostedJob one =
        new HostedJob(
            job, user, Math.max(0, job.eligibleSeconds() - zeroSeconds), most, profile, demand);
    one.estimateSeconds =
        experience.lengths().seconds(job, models, cluster) * job.spec().gpus() / one.gpus;
    one.iterationSeconds =
        iterationTime.seconds(profile, cluster.idealPlacement(one.gpus, demand), 1);
    measured(one, job);
    one.done =
        job.doneShare() > 0
            ? job.doneShare() * one.estimateSeconds
            : Math.min(job.attainedGpuSeconds() / one.gpus, 0.99 * one.estimateSeconds);
    return one;
  }

  /** It said itself how fast it is, or was: the whole of it is as long as that makes it. */
  private void measured(HostedJob one, Job job) {
    Allocation held = job.held();
    Measured last = experience.speeds().last(job.id());
    if (held != null && !Double.isNaN(job.rate())) {
      Placement place = places.knows(held) ? places.placement(held) : ideal(held.workers());
      one.estimateSeconds = speed(one, place) / job.rate();
    } else if (last != null) {
      one.estimateSeconds = speed(one, ideal(last.workers())) * last.seconds();
    }
  }

  private Placement ideal(int workers) {
    return cluster.idealPlacement(Math.min(workers, cluster.totalGpus()));
  }

  private double speed(HostedJob one, Placement placement) {
    return speed(one, placement, iterationTime.seconds(one.profile, placement, 1));
  }

  private static double speed(HostedJob one, Placement placement, double tau) {
    return (double) placement.workers() / one.gpus * one.iterationSeconds / tau;
  }

  /** A job has been running for a while: what it did since counts, and it need not warm up. */
  private void takeOver(int number, double beganSeconds, Job job) {
    HostedJob one = hosted.get(number);
    one.segmentStart = beganSeconds;
    one.warmupSeconds = 0;
    one.from = view.now;
    if (job.doneShare() == 0) {
      double ran = view.now - beganSeconds;
      one.done =
          Math.min(
              one.done + ran * one.heldWorkers / one.gpus,
              Math.max(one.done, 0.99 * one.estimateSeconds));
    }
    if (one.speed > 0) {
      schedule(number);
    }
  }

  /** Takes a job away from the policy's eyes: it ended, or is not to be started for now. */
  void hide(long job, double nowSeconds) {
    Integer number = numbers.remove(job);
    if (number == null) {
      return;
    }
    HostedJob one = hosted.get(number);
    view.now = at(nowSeconds);
    if (ledger.running(number)) {
      settle(number);
      leave(number, ledger.end(number));
      ends.remove(number);
    } else {
      ledger.withdraw(number);
      waiting--;
    }
    one.gone = true;
    if (one.told) {
      view.ended.add(number);
    }
    dirty = true;
  }

  /** The engine says that a job runs: its work counts from now on. */
  void runs(long job, double nowSeconds) {
    Integer number = numbers.get(job);
    if (number != null && ledger.running(number)) {
      view.now = at(nowSeconds);
      hosted.get(number).from = view.now;
      schedule(number);
    }
  }

  /** A job says how much of it is done: it goes on as fast as it was so far. */
  void progressed(Job job, double nowSeconds) {
    Integer number = numbers.get(job.id());
    if (number != null && ledger.running(number)) {
      HostedJob one = hosted.get(number);
      view.now = at(nowSeconds);
      if (!Double.isNaN(job.rate()) && one.speed > 0) {
        one.estimateSeconds = one.speed / job.rate();
      }
      one.saidShare = job.doneShare();
      one.done = job.doneShare() * one.estimateSeconds;
      one.from = view.now;
      schedule(number);
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
    return Math.min(
        ledger.wakeSeconds(), ends.isEmpty() ? Double.POSITIVE_INFINITY : ends.peekKey());
  }

  boolean isDue(double nowSeconds) {
    return dirty || wake() <= nowSeconds - zeroSeconds;
  }

  /** Asks the policy. */
  List<Decision> decide(double nowSeconds) {
    view.now = at(nowSeconds);
    while (!ends.isEmpty() && ends.peekKey() <= view.now) {
      outlive(ends.peek());
    }
    rerateFelt();
    view.fill();
    int freeBefore = freeGpus();
    ledger.open(view.now);
    wasAsked = true;
    policy.decide(view, ledger);
    view.clear();
    dirty = false;
    List<Supplier<Decision>> decided = new ArrayList<>();
    IntList touched = ledger.touched();
    for (int i = 0; i < touched.size(); i++) {
      int number = touched.get(i);
      Placement before = ledger.before(number);
      Placement after = ledger.after(number);
      if (!Objects.equals(before, after)) {
        move(number, before, after);
        waiting += (after == null ? 1 : 0) - (before == null ? 1 : 0);
        int others = waiting;
        decided.add(() -> decided(number, before, after, freeBefore, others));
      }
    }
    rerateFelt();
    // Only now it is known how fast each of them is beside the others.
    return decided.stream().map(Supplier::get).toList();
  }

  /**
   * Why a job waits since the policy was last asked, in its own words; null if it does not wait, or
   * the policy does not say.
   */
  @Nullable String whyWaits(long job) {
    Integer number = numbers.get(job);
    return number != null && hosted.get(number).told && ledger.waiting(number)
        ? reasons.of(number)
        : null;
  }

  private Decision decided(
      int number,
      @Nullable Placement before,
      @Nullable Placement after,
      int freeBefore,
      int others) {
    HostedJob one = hosted.get(number);
    return new Decision(
        one.id,
        after == null ? null : places.allocation(after),
        // Whatever the policy: its submitter chose a rate for the workers that it asks for.
        after == null ? 1 : (double) after.workers() / one.askedGpus,
        after == null ? Double.NaN : one.speed / one.estimateSeconds,
        Decision.why(
            policyName,
            before,
            after,
            freeBefore,
            cluster.totalGpus(),
            others,
            reasons.of(number)));
  }

  private double at(double seconds) {
    return Math.max(view.now, seconds - zeroSeconds);
  }

  private void move(int number, @Nullable Placement before, @Nullable Placement after) {
    HostedJob one = hosted.get(number);
    if (before != null) {
      settle(number);
      leave(number, before);
      ends.remove(number);
      one.attained += (view.now - one.segmentStart) * before.workers();
      one.segmentStart = Double.NaN;
    }
    one.speed = 0;
    if (after == null) {
      return;
    }
    one.heldWorkers = after.workers();
    one.segmentStart = view.now;
    one.warmupSeconds = one.startedBefore ? cluster.restartSeconds() : cluster.startSeconds();
    one.from = view.now + one.warmupSeconds;
    one.startedBefore = true;
    if (sharesLinks(one, after)) {
      rings.join(number, one.profile, after);
    } else {
      rate(number, after, 1);
    }
  }

  private void leave(int number, Placement placement) {
    if (sharesLinks(hosted.get(number), placement)) {
      rings.leave(number, placement);
    }
  }

  private boolean sharesLinks(HostedJob one, Placement placement) {
    return placement.crossesServers() && one.profile != null && iterationTime.neighboursMatter();
  }

  private void rerateFelt() {
    if (rings.anyChanged()) {
      felt.clear();
      rings.drainFelt(felt);
      for (int i = 0; i < felt.size(); i++) {
        Placement placement = ledger.placement(felt.get(i));
        rate(felt.get(i), placement, rings.contenders(felt.get(i), placement));
      }
    }
  }

  private void rate(int number, Placement placement, double contenders) {
    HostedJob one = hosted.get(number);
    double tau = iterationTime.seconds(one.profile, placement, contenders);
    settle(number);
    one.speed = speed(one, placement, tau);
    schedule(number);
  }

  private void settle(int number) {
    HostedJob one = hosted.get(number);
    if (view.now > one.from) {
      one.done += one.speed * (view.now - one.from);
      one.from = view.now;
    }
  }

  private void schedule(int number) {
    HostedJob one = hosted.get(number);
    if (one.done >= one.estimateSeconds) {
      one.outlived();
    }
    ends.put(number, Math.max(one.endSeconds(), Math.nextUp(view.now)));
    view.rerated.add(number);
  }

  /** A job has done as much as was expected of it, and goes on. */
  private void outlive(int number) {
    settle(number);
    hosted.get(number).outlived();
    schedule(number);
  }
}
