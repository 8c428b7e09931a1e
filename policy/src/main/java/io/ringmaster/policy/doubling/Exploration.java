package io.ringmaster.policy.doubling;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.View;
import io.ringmaster.predictor.speed.SpeedHistory;
import io.ringmaster.predictor.speed.StepTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how fast jobs are by running them. A new job has one worker for a while, then two, four
 * and eight; GPUs for the most of them are held for it from the beginning. What it does in that
 * time counts, and its speed is fitted to what was measured. Every later segment of a job in one
 * place is measured too, when it is as old as a trial.
 *
 * <p>Times are in units of the job's own: what one worker does in one of them is a second of the
 * job's length over the workers that it asks for.
 */
final class Exploration {
  static final Parameter SECONDS =
      Parameter.number("explore", 150, 1, 1e6)
          .saying("seconds for which a new job tries each number of workers");

  /** The most workers that a new job tries; no more than half of the cluster. */
  private static final int MOST = 8;

  private final Cluster cluster;
  private final double trialSeconds;
  private final Map<Integer, Student> students = new HashMap<>();

  /** Those that run, as far as is known. */
  private final Map<Integer, Student> running = new HashMap<>();

  private int exploredJobs;

  Exploration(Cluster cluster, double trialSeconds) {
    this.cluster = cluster;
    this.trialSeconds = trialSeconds;
  }

  /** What is known of a job, and what is being tried. */
  private static final class Student implements Belief {
    final Cluster cluster;
    final Sizes sizes;

    /** The one size of a job that is still to try: the most that it tries. */
    final Sizes toTry;

    final Demand demand;
    final int askedWorkers;
    final SpeedHistory history = new SpeedHistory();
    final Map<Integer, Double> rates = new HashMap<>();
    boolean measured;
    boolean explored;
    @Nullable Placement held;
    int trying;
    double trialEnds;
    @Nullable Placement measuring;
    double sinceSeconds;
    double doneBefore;

    Student(Cluster cluster, Sizes sizes, int most, Demand demand, int askedWorkers) {
      this.cluster = cluster;
      this.sizes = sizes;
      this.toTry = new Sizes(most, most);
      this.demand = demand;
      this.askedWorkers = askedWorkers;
    }

    @Override
    public double rate(int workers) {
      return rates.computeIfAbsent(workers, count -> rate(cluster.idealPlacement(count, demand)));
    }

    @Override
    public double rate(Placement place) {
      double unit = measured ? 1 : askedWorkers;
      double seconds = history.fit().seconds(place.workers(), place.size(), place.mostOnOne(), 1);
      return place.workers() / (seconds * unit);
    }

    void measured(Placement place, double seconds) {
      history.add(StepTime.of(place, 1, seconds));
      measured = true;
      rates.clear();
    }
  }

  /**
   * Takes in a job, and returns how fast it is by all that was and will be measured. Unmeasured, it
   * is as fast as it has workers. One that runs already, that has one size only, or that is not
   * resumable does not try.
   */
  Belief arrive(View view, int job, Sizes sizes) {
    int half = Integer.highestOneBit(Math.max(1, cluster.totalGpus() / 2));
    int most = Math.max(sizes.least(), Math.min(Math.min(MOST, half), sizes.most()));
    Student student = new Student(cluster, sizes, most, view.demand(job), view.gpus(job));
    student.explored = !sizes.several() || view.running(job) || !view.resumable(job);
    students.put(job, student);
    return student;
  }

  void end(int job) {
    students.remove(job);
    running.remove(job);
  }

  private Student student(int job) {
    return Objects.requireNonNull(students.get(job), "a job that never arrived");
  }

  /** Whether a job's speed is known as far as it will be tried. */
  boolean explored(int job) {
    return student(job).explored;
  }

  /** The GPUs that are held for a job while it tries; null if it does not. */
  @Nullable Placement held(int job) {
    return student(job).held;
  }

  /** Where a job that tries is to run now: on the first of the GPUs that are held for it. */
  Placement trial(int job) {
    Student student = student(job);
    Placement held = Objects.requireNonNull(student.held, "the job does not try");
    int[] servers = new int[held.size()];
    int[] gpus = new int[held.size()];
    int used = 0;
    int left = student.trying;
    for (int i = 0; left > 0; i++) {
      servers[i] = held.server(i);
      gpus[i] = Math.min(left, held.gpus(i));
      left -= gpus[i];
      used++;
    }
    return Placement.of(Arrays.copyOf(servers, used), Arrays.copyOf(gpus, used));
  }

  /** The numbers of workers that a job may have now. */
  Sizes sizes(int job) {
    Student student = student(job);
    return student.explored ? student.sizes : student.toTry;
  }

  /** A job begins to try, and these GPUs are held for it. */
  void begin(View view, int job, Placement held) {
    Student student = student(job);
    student.held = held;
    student.trying = student.sizes.least();
    student.trialEnds = view.nowSeconds() + trialSeconds;
  }

  /**
   * Measures what is old enough, and goes on to the next trial where one is over. A job that was
   * stopped by something else than this policy begins its trials anew.
   */
  void observe(View view) {
    running
        .entrySet()
        .removeIf(entry -> {
          boolean stopped = !view.running(entry.getKey());
          if (stopped) {
            entry.getValue().measuring = null;
            entry.getValue().held = null;
          }
          return stopped;
        });
    running.forEach((job, student) -> {
      boolean over = student.held != null && view.nowSeconds() >= student.trialEnds;
      measure(view, job, student, over);
      if (over) {
        student.trying *= 2;
        student.trialEnds = view.nowSeconds() + trialSeconds;
        if (student.trying > student.toTry.most()) {
          student.held = null;
          student.explored = true;
          exploredJobs++;
        }
      }
    });
  }

  /** A segment is measured once: at its trial's end, or when it is as old as a trial. */
  private void measure(View view, int job, Student student, boolean now) {
    Placement place = view.placement(job);
    if (!Objects.equals(place, student.measuring)) {
      return;
    }
    double seconds = view.nowSeconds() - student.sinceSeconds - view.warmupSeconds(job);
    double done = view.doneSeconds(job) - student.doneBefore;
    if ((now || seconds >= trialSeconds) && seconds > 0 && done > 0) {
      student.measured(place, place.workers() * seconds / done);
      student.measuring = null;
    }
  }

  /** A job starts in a place. */
  void started(View view, int job, Placement place) {
    Student student = student(job);
    running.put(job, student);
    student.measuring = place;
    student.sinceSeconds = view.nowSeconds();
    student.doneBefore = view.doneSeconds(job);
  }

  /** When the next trial is over; infinite if none is under way. */
  double nextSeconds() {
    return running.values().stream()
        .filter(s -> s.held != null)
        .mapToDouble(s -> s.trialEnds)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  int exploredJobs() {
    return exploredJobs;
  }
}
