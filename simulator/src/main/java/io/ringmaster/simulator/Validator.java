package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Slots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a run from its rows alone, without the simulator's event loop: no server and no link is
 * overfull, none is used while it is away, every gang is whole and so is every stage of a pipeline,
 * nothing starts before it was submitted, what is not resumable stays where it started, restarts
 * cost what they must, and the work done at the speeds that contention allowed, without what stops
 * cost, is exactly the work asked for.
 *
 * <p>The speeds are found the other way round: for each server the rings over time, then for each
 * segment the greatest of its servers' numbers at every moment.
 */
public final class Validator {
  private static final int MOST_FINDINGS = 20;

  /** Files have times to a nanosecond or 15 digits; a segment adds two such errors. */
  private static final double SECONDS_TOLERANCE = 1e-6;

  private static final double RELATIVE_TOLERANCE = 1e-9;

  private final Cluster cluster;
  private final Jobs jobs;
  private final Segments segments;
  private final Lengths lengths;
  private final IterationTime time;
  private final Slots slots;
  private final OtherCapacities others;
  private final Mappings mappings;
  private final List<String> findings = new ArrayList<>();
  private final LostWork lostWork;
  private final Downtimes downtimes;
  private double lostGpuSeconds;
  private long suppressed;

  /** Of the segment that was last looked at, in its last moment. */
  private double lastSpeed;

  private Validator(
      Cluster cluster, Jobs jobs, Lengths lengths, Segments segments, List<Mishap> mishaps) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.segments = segments;
    this.lengths = lengths;
    this.time = IterationTime.of(cluster);
    this.slots = new Slots(cluster.network().slotSeconds());
    this.others = new OtherCapacities(cluster, jobs);
    this.mappings = new Mappings(cluster, jobs, segments);
    this.lostWork = new LostWork(jobs);
    this.downtimes = new Downtimes(cluster, jobs, mishaps, SECONDS_TOLERANCE);
  }

  /**
   * Says what is wrong with a run; nothing if the list is empty.
   *
   * @param outcomes what the run says of each job; checked against the rows
   */
  public static List<String> check(
      Cluster cluster, Jobs jobs, Segments segments, Outcomes outcomes) {
    return checked(cluster, jobs, Lengths.of(jobs, cluster), segments, outcomes).findings();
  }

  /**
   * What was found.
   *
   * @param findings empty: nothing is wrong
   * @param lostGpuSeconds as {@link RunResult#lostGpuSeconds}, from the rows
   */
  public record Checked(List<String> findings, double lostGpuSeconds) {}

  /** The same for jobs whose lengths are known already. */
  public static Checked checked(
      Cluster cluster, Jobs jobs, Lengths lengths, Segments segments, Outcomes outcomes) {
    Validator validator = new Validator(cluster, jobs, lengths, segments, outcomes.mishaps());
    validator.checkCapacity();
    validator.checkJobs(outcomes);
    validator.others.check(validator::found);
    if (validator.suppressed > 0) {
      validator.findings.add("and " + validator.suppressed + " more");
    }
    return new Checked(List.copyOf(validator.findings), validator.lostGpuSeconds);
  }

  /** What a run says became of a job. */
  public interface Outcomes {
    double startSeconds(int job);

    /** NaN for a job that was cut off. */
    double finishSeconds(int job);

    /** Share of its work that the job has done: 1 unless the run was cut off. */
    default double doneShare(int job) {
      return 1;
    }

    double heldSeconds(int job);

    int restarts(int job);

    /** What failed, or was taken away. */
    default List<Mishap> mishaps() {
      return List.of();
    }
  }

  private void found(String finding) {
    if (findings.size() < MOST_FINDINGS) {
      findings.add(finding);
    } else {
      suppressed++;
    }
  }

  private static boolean differ(double a, double b) {
    double tolerance = SECONDS_TOLERANCE + RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
    return !(Math.abs(a - b) <= tolerance);
  }

  private void checkCapacity() {
    StepCounts used = new StepCounts(cluster.size());
    for (int row = 0; row < segments.size(); row++) {
      if (segments.gpus(row) < 1) {
        found(
            "job %s: a row has %d GPUs".formatted(jobs.id(segments.job(row)), segments.gpus(row)));
      }
      used.add(segments.server(row), segments.start(row), segments.end(row), segments.gpus(row));
      String fault = downtimes.fault(segments.server(row), segments.start(row), segments.end(row));
      if (fault != null) {
        found("job %s: %s".formatted(jobs.id(segments.job(row)), fault));
      }
    }
    used.build();
    for (int server = 0; server < cluster.size(); server++) {
      StepCounts.Peak peak = used.peak(server);
      if (peak.count() > cluster.gpus(server)) {
        found(
            "server %s: %d of %d GPUs are taken at %s s"
                .formatted(
                    cluster.server(server).name(),
                    peak.count(),
                    cluster.gpus(server),
                    peak.seconds()));
      }
    }
  }

  private void checkJobs(Outcomes outcomes) {
    int[] order = segments.byJob();
    RingsOverTime rings = rings(order);
    boolean[] seen = new boolean[jobs.size()];
    int at = 0;
    while (at < order.length) {
      int to = at;
      while (to < order.length && segments.job(order[to]) == segments.job(order[at])) {
        to++;
      }
      seen[segments.job(order[at])] = true;
      checkJob(segments.job(order[at]), order, at, to, outcomes, rings);
      at = to;
    }
    for (int job = 0; job < seen.length; job++) {
      if (!seen[job] && !(outcomes.doneShare(job) == 0)) {
        found("job %s: never ran".formatted(jobs.id(job)));
      }
    }
  }

  private int segmentEnd(int[] order, int from) {
    int to = from + 1;
    while (to < order.length && segments.sameSegment(order[from], order[to])) {
      to++;
    }
    return to;
  }

  private boolean sharesLinks(int job, int servers) {
    return servers > 1 && jobs.model(job) >= 0 && time.neighboursMatter();
  }

  /** Rings that leave each server over time. */
  private RingsOverTime rings(int[] order) {
    RingsOverTime rings = new RingsOverTime(cluster, time);
    for (int from = 0; from < order.length; ) {
      int to = segmentEnd(order, from);
      int job = segments.job(order[from]);
      Placement placement = segments.placement(order, from, to);
      if (placement != null && sharesLinks(job, to - from)) {
        rings.add(
            job,
            profile(job, placement),
            placement,
            segments.start(order[from]),
            segments.end(order[from]));
      }
      from = to;
    }
    rings.build();
    return rings;
  }

  private void checkJob(
      int job, int[] order, int from, int to, Outcomes outcomes, RingsOverTime rings) {
    double held = 0;
    double before = Double.NEGATIVE_INFINITY;
    int count = 0;
    boolean stopped = false;
    for (int at = from; at < to; ) {
      int next = Math.min(to, segmentEnd(order, at));
      int row = order[at];
      boolean whole = checkSegment(job, row, order, at, next, before, count);
      Placement placement = segments.placement(order, at, next);
      if (placement != null) {
        double work = whole ? work(job, row, placement, rings) : 0;
        stop(job, row, placement, work, next == to);
        stopped |=
            next < to && !downtimes.stopped(job, placement, segments.start(row), segments.end(row));
        if (others.any()) {
          others.add(job, placement, segments.start(row), segments.end(row));
        }
      }
      held += segments.end(row) - segments.start(row);
      before = segments.end(row);
      count++;
      at = next;
    }
    double done = lostWork.done(job);
    String id = jobs.id(job);
    boolean finished = !Double.isNaN(outcomes.finishSeconds(job));
    if (finished && slots.atOrAfter(before) != before) {
      found("job %s: finishes at %s s, in the middle of a slot".formatted(id, before));
    }
    if (segments.start(order[from]) < jobs.submitSeconds(job)) {
      found("job %s: starts before it was submitted".formatted(id));
    }
    if (differ(outcomes.startSeconds(job), segments.start(order[from]))) {
      found(
          "job %s: starts at %s s, its first segment at %s s"
              .formatted(id, outcomes.startSeconds(job), segments.start(order[from])));
    }
    if (finished && differ(outcomes.finishSeconds(job), before)) {
      found(
          "job %s: finishes at %s s, its last segment at %s s"
              .formatted(id, outcomes.finishSeconds(job), before));
    }
    if (differ(outcomes.heldSeconds(job), held)) {
      found("job %s: runs %s s, its segments %s s".formatted(id, outcomes.heldSeconds(job), held));
    }
    if (outcomes.restarts(job) != count - 1) {
      found("job %s: has %d restarts in %d segments".formatted(id, outcomes.restarts(job), count));
    }
    if (stopped && !jobs.resumable(job)) {
      found("job %s: is not resumable, and has %d segments".formatted(id, count));
    }
    double asked = outcomes.doneShare(job) * lengths.idealSeconds(job);
    double most = lengths.idealSeconds(job);
    if (finished ? !isWholeWork(job, done) : differ(Math.min(done, most), asked)) {
      found("job %s: did work for %s ideal seconds, asked for %s".formatted(id, done, asked));
    }
  }

  /**
   * A segment ends, and with it goes what was done since the last checkpoint, unless it is last.
   */
  private void stop(int job, int row, Placement placement, double work, boolean isLast) {
    double progress = segments.end(row) - segments.start(row) - segments.warmup(row);
    double done = lostWork.done(job) + work;
    double kept = isLast ? done : kept(job, row, placement, done);
    lostGpuSeconds += segments.warmup(row) * placement.workers();
    lostGpuSeconds += lostWork.stop(job, progress * placement.workers(), done, kept);
  }

  private double kept(int job, int row, Placement placement, double done) {
    double from = segments.start(row);
    double to = segments.end(row);
    if (downtimes.failed(job, placement, from, to)) {
      return jobs.keptAfterFailure(job, done);
    }
    return downtimes.stopped(job, placement, from, to)
        ? jobs.keptAfterMaintenance(job, done)
        : jobs.keptSeconds(job, done);
  }

  /** In slots, the last one may have had room for more. */
  private boolean isWholeWork(int job, double done) {
    double asked = lengths.idealSeconds(job);
    double spare = lastSpeed * slots.seconds();
    return (done < asked || spare == 0) ? !differ(done, asked) : done - spare < asked;
  }

  /** Returns whether the job can have run so, well or badly: its stages are whole. */
  private boolean checkSegment(
      int job, int row, int[] order, int from, int to, double before, int earlier) {
    String id = jobs.id(job);
    double length = segments.end(row) - segments.start(row);
    int workers = 0;
    for (int i = from; i < to; i++) {
      workers += segments.gpus(order[i]);
    }
    if (workers < jobs.minGpus(job) || workers > jobs.maxGpus(job)) {
      found(
          "job %s: runs with %d GPUs at %s s, takes %d to %d"
              .formatted(id, workers, segments.start(row), jobs.minGpus(job), jobs.maxGpus(job)));
    }
    Placement placement = segments.placement(order, from, to);
    JobKinds kinds = lengths.kinds();
    String wrongKinds =
        kinds == null || placement == null ? null : kinds.fault(jobs, job, placement);
    if (wrongKinds != null) {
      found("job %s: %s at %s s".formatted(id, wrongKinds, segments.start(row)));
    }
    if (placement == null) {
      found("job %s: has a server twice at %s s".formatted(id, segments.start(row)));
    }
    if (length < 0 || segments.start(row) < before) {
      found("job %s: its segment at %s s overlaps another".formatted(id, segments.start(row)));
    }
    double idle = earlier == 0 ? cluster.startSeconds() : cluster.restartSeconds();
    double warmup = Math.min(length, slots.atOrAfter(idle));
    if (differ(segments.warmup(row), warmup)) {
      found(
          "job %s: restarts for %s s at %s s, expected %s"
              .formatted(id, segments.warmup(row), segments.start(row), warmup));
    }
    return hasWholeStages(job, row, order, from, to, workers);
  }

  private boolean hasWholeStages(int job, int row, int[] order, int from, int to, int workers) {
    String fault = mappings.fault(job, order, from, to);
    if (fault != null) {
      found("job %s: its replicas at %s s %s".formatted(jobs.id(job), segments.start(row), fault));
    }
    ModelProfile profile = jobs.profile(job);
    boolean staged = profile != null && profile.pipeline() != null;
    return fault == null && (!staged || isGang(job, order, from, to, workers));
  }

  private boolean isGang(int job, int[] order, int from, int to, int workers) {
    return workers == jobs.gpus(job)
        && Arrays.stream(order, from, to).allMatch(row -> segments.gpus(row) > 0);
  }

  /** Ideal seconds of work done in a segment. */
  private double work(int job, int row, Placement placement, RingsOverTime rings) {
    double from = segments.start(row) + segments.warmup(row);
    double to = segments.end(row);
    if (!sharesLinks(job, placement.size())) {
      return (to - from) * speed(job, placement, 1);
    }
    double[] moments = rings.changes(placement, from, to);
    double done = 0;
    for (int i = 0; i + 1 < moments.length; i++) {
      double contenders = rings.contenders(job, profile(job, placement), placement, moments[i]);
      done += (moments[i + 1] - moments[i]) * speed(job, placement, contenders);
    }
    return done;
  }

  private double speed(int job, Placement placement, double contenders) {
    double tau = time.seconds(profile(job, placement), placement, contenders);
    JobKinds kinds = lengths.kinds();
    JobKinds.On on = kinds == null ? null : kinds.at(job, placement);
    double ideal =
        kinds == null || on == null ? lengths.iterationSeconds(job) : kinds.idealSeconds(job, on);
    lastSpeed = (double) placement.workers() / jobs.gpus(job) * slots.speed(ideal, tau);
    return lastSpeed;
  }

  /** What a job trains, as fast as it is on the GPUs of a placement. */
  private @Nullable ModelProfile profile(int job, Placement placement) {
    JobKinds kinds = lengths.kinds();
    JobKinds.On on = kinds == null ? null : kinds.at(job, placement);
    return on == null ? jobs.profile(job) : on.profile();
  }
}
