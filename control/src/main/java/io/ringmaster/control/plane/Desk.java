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
 * <p>A desk is for one policy and one set of nodes. When either changes, a new one takes over: a
 * policy's first view lists all jobs as arrived.
 */
final class Desk {
  private static final Logger LOG = LoggerFactory.getLogger(Desk.class);

  private final String policyName;
  private final Policy policy;
  private final Reasons reasons;
  private final Cluster cluster;
  private final ModelTable models;
  private final Experience experience;
  private final IterationTime iterationTime;
  private final Ledger ledger;
  private final Rings rings;
  private final DeskView view;
  private final double zeroSeconds;
  private final Places places;
  private final Map<String, Integer> users = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<Seat> seats = new ArrayList<>();
  private final LazyHeap ends = new LazyHeap();
  private final IntList felt = new IntList();
  private int waiting;
  private boolean dirty = true;
  private boolean wasAsked;
  private boolean needsRelief;

  /**
   * Sits a policy down.
   *
   * @param zeroSeconds what counts as time 0 for the policy: no job may have been submitted before
   */
  Desk(
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
    this.view = new DeskView(policyName, cluster, seats, seed);
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

  /** Jobs that wait, as the policy sees it. */
  int waiting() {
    return waiting;
  }

  /** GPUs that are free, as the policy sees it. */
  int freeGpus() {
    return ledger.free().total();
  }

  /** Whether a policy that saw rigid jobs alone has now been shown an elastic one. */
  boolean needsRelief() {
    return needsRelief;
  }

  /** Numbers used so far, those of jobs that are gone included. */
  int used() {
    return seats.size();
  }

  /**
   * Shows the policy a job: a new one, or one that is placed when the policy takes over.
   *
   * @param mostGpus it may not have more
   */
  void show(Job job, int mostGpus, double nowSeconds) {
    int number = seats.size();
    Seat seat = seat(job, mostGpus);
    Allocation target = job.target();
    if (target != null && !ledger.free().holds(places.placement(target), seat.demand)) {
      // The cluster file gives a node less than it had. The job goes on, out of the policy's sight,
      // and nobody is launched on its GPUs.
      LOG.warn("job {} holds {}, which is more than the cluster has", job.id(), target);
      return;
    }
    needsRelief |= wasAsked && job.spec().isElastic() && !view.anyElastic;
    seats.add(seat);
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
  Seat seat(Job job, int mostGpus) {
    int user = users.computeIfAbsent(job.user(), _ -> users.size());
    Demand asked = new Demand(job.spec().cpusPerGpu(), job.spec().memoryGbPerGpu() * 1e9);
    ModelProfile profile = experience.speeds().profile(job, models);
    Demand demand = cluster.demand(asked, profile);
    int most = Math.min(mostGpus, cluster.mostWorkers(demand));
    Seat seat =
        new Seat(
            job, user, Math.max(0, job.eligibleSeconds() - zeroSeconds), most, profile, demand);
    seat.estimateSeconds =
        experience.lengths().seconds(job, models, cluster) * job.spec().gpus() / seat.gpus;
    seat.iterationSeconds =
        iterationTime.seconds(profile, cluster.idealPlacement(seat.gpus, demand), 1);
    measured(seat, job);
    seat.done =
        job.doneShare() > 0
            ? job.doneShare() * seat.estimateSeconds
            : Math.min(job.attainedGpuSeconds() / seat.gpus, 0.99 * seat.estimateSeconds);
    return seat;
  }

  /** It said itself how fast it is, or was: the whole of it is as long as that makes it. */
  private void measured(Seat seat, Job job) {
    Allocation held = job.held();
    Measured last = experience.speeds().last(job.id());
    if (held != null && !Double.isNaN(job.rate())) {
      Placement place = places.knows(held) ? places.placement(held) : ideal(held.workers());
      seat.estimateSeconds = speed(seat, place) / job.rate();
    } else if (last != null) {
      seat.estimateSeconds = speed(seat, ideal(last.workers())) * last.seconds();
    }
  }

  private Placement ideal(int workers) {
    return cluster.idealPlacement(Math.min(workers, cluster.totalGpus()));
  }

  private double speed(Seat seat, Placement placement) {
    return speed(seat, placement, iterationTime.seconds(seat.profile, placement, 1));
  }

  private static double speed(Seat seat, Placement placement, double tau) {
    return (double) placement.workers() / seat.gpus * seat.iterationSeconds / tau;
  }

  /** A job has been running for a while: what it did since counts, and it need not warm up. */
  private void takeOver(int number, double beganSeconds, Job job) {
    Seat seat = seats.get(number);
    seat.segmentStart = beganSeconds;
    seat.warmupSeconds = 0;
    seat.from = view.now;
    if (job.doneShare() == 0) {
      double ran = view.now - beganSeconds;
      seat.done =
          Math.min(
              seat.done + ran * seat.heldWorkers / seat.gpus,
              Math.max(seat.done, 0.99 * seat.estimateSeconds));
    }
    if (seat.speed > 0) {
      schedule(number);
    }
  }

  /** Takes a job away from the policy's eyes: it ended, or is not to be started for now. */
  void hide(long job, double nowSeconds) {
    Integer number = numbers.remove(job);
    if (number == null) {
      return;
    }
    Seat seat = seats.get(number);
    view.now = at(nowSeconds);
    if (ledger.running(number)) {
      settle(number);
      leave(number, ledger.end(number));
      ends.remove(number);
    } else {
      ledger.withdraw(number);
      waiting--;
    }
    seat.gone = true;
    if (seat.told) {
      view.ended.add(number);
    }
    dirty = true;
  }

  /** The engine says that a job runs: its work counts from now on. */
  void runs(long job, double nowSeconds) {
    Integer number = numbers.get(job);
    if (number != null && ledger.running(number)) {
      view.now = at(nowSeconds);
      seats.get(number).from = view.now;
      schedule(number);
    }
  }

  /** A job says how much of it is done: it goes on as fast as it was so far. */
  void progressed(Job job, double nowSeconds) {
    Integer number = numbers.get(job.id());
    if (number != null && ledger.running(number)) {
      Seat seat = seats.get(number);
      view.now = at(nowSeconds);
      if (!Double.isNaN(job.rate()) && seat.speed > 0) {
        seat.estimateSeconds = seat.speed / job.rate();
      }
      seat.saidShare = job.doneShare();
      seat.done = job.doneShare() * seat.estimateSeconds;
      seat.from = view.now;
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
  List<Decided> decide(double nowSeconds) {
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
    List<Supplier<Decided>> decided = new ArrayList<>();
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
    return number != null && seats.get(number).told && ledger.waiting(number)
        ? reasons.of(number)
        : null;
  }

  private Decided decided(
      int number,
      @Nullable Placement before,
      @Nullable Placement after,
      int freeBefore,
      int others) {
    Seat seat = seats.get(number);
    return new Decided(
        seat.id,
        after == null ? null : places.allocation(after),
        // Whatever the policy: its submitter chose a rate for the workers that it asks for.
        after == null ? 1 : (double) after.workers() / seat.askedGpus,
        after == null ? Double.NaN : seat.speed / seat.estimateSeconds,
        Decided.why(
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
    Seat seat = seats.get(number);
    if (before != null) {
      settle(number);
      leave(number, before);
      ends.remove(number);
      seat.attained += (view.now - seat.segmentStart) * before.workers();
      seat.segmentStart = Double.NaN;
    }
    seat.speed = 0;
    if (after == null) {
      return;
    }
    seat.heldWorkers = after.workers();
    seat.segmentStart = view.now;
    seat.warmupSeconds = seat.startedBefore ? cluster.restartSeconds() : cluster.startSeconds();
    seat.from = view.now + seat.warmupSeconds;
    seat.startedBefore = true;
    if (sharesLinks(seat, after)) {
      rings.join(number, seat.profile, after);
    } else {
      rate(number, after, 1);
    }
  }

  private void leave(int number, Placement placement) {
    if (sharesLinks(seats.get(number), placement)) {
      rings.leave(number, placement);
    }
  }

  private boolean sharesLinks(Seat seat, Placement placement) {
    return placement.crossesServers() && seat.profile != null && iterationTime.neighboursMatter();
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
    Seat seat = seats.get(number);
    double tau = iterationTime.seconds(seat.profile, placement, contenders);
    settle(number);
    seat.speed = speed(seat, placement, tau);
    schedule(number);
  }

  private void settle(int number) {
    Seat seat = seats.get(number);
    if (view.now > seat.from) {
      seat.done += seat.speed * (view.now - seat.from);
      seat.from = view.now;
    }
  }

  private void schedule(int number) {
    Seat seat = seats.get(number);
    if (seat.done >= seat.estimateSeconds) {
      seat.outlived();
    }
    ends.put(number, Math.max(seat.endSeconds(), Math.nextUp(view.now)));
    view.rerated.add(number);
  }

  /** A job has done as much as was expected of it, and goes on. */
  private void outlive(int number) {
    settle(number);
    seats.get(number).outlived();
    schedule(number);
  }
}
