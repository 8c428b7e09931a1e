package io.ringmaster.advise;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.workload.Draws;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** One way in which things may go on: how long each job still takes, and who else comes. */
final class Future {
  private static final int LENGTHS = 11;
  private static final int COMING = 12;

  /** How far beyond the last start without newcomers they may still matter. */
  private static final double MORE = 4;

  private static final double AT_LEAST_SECONDS = 86_400;

  private final Queue queue;

  /** Of the running jobs. */
  private final double[] leftSeconds;

  /** Of the waiting jobs. */
  private final double[] lengthSeconds;

  private final List<Newcomers.Arrival> newcomers;
  private final long seed;

  /**
   * Of lengths that are known.
   *
   * @param newcomers lengths are known of all
   */
  Future(
      Queue queue,
      double[] leftSeconds,
      double[] lengthSeconds,
      List<Newcomers.Arrival> newcomers,
      long seed) {
    this.queue = queue;
    this.leftSeconds = leftSeconds;
    this.lengthSeconds = lengthSeconds;
    this.newcomers = newcomers;
    this.seed = seed;
  }

  /** Draws one. Every number has a stream of its own for this one. */
  static Future drawn(Queue queue, KindLengths lengths, Newcomers newcomers, long seed) {
    KindLengths.Drawing drawing = lengths.new Drawing(new Draws(seed, LENGTHS));
    double[] runningLeft =
        queue.running().stream()
            .mapToDouble(job -> drawing.leftSeconds(job.job(), job.elapsedSeconds()))
            .toArray();
    double[] ofWaiting =
        queue.waiting().stream().mapToDouble(job -> drawing.leftSeconds(job, 0)).toArray();
    Future alone = new Future(queue, runningLeft, ofWaiting, List.of(), seed);
    double[] starts = alone.starts(Variant.of(queue.cluster(), InOrder.POLICY, Map.of()));
    double last = Arrays.stream(starts).max().orElse(0);
    Draws coming = new Draws(seed, COMING);
    List<Newcomers.Arrival> arrivals =
        newcomers.drawn(MORE * last + AT_LEAST_SECONDS, coming).stream()
            .map(each ->
                Double.isNaN(each.like().lengthSeconds())
                    ? new Newcomers.Arrival(
                        each.inSeconds(),
                        new Newcomers.Past(
                            each.like().job(), drawing.leftSeconds(each.like().job(), 0)))
                    : each)
            .toList();
    return new Future(queue, runningLeft, ofWaiting, arrivals, seed);
  }

  /** Of a running job. */
  double leftSeconds(int job) {
    return leftSeconds[job];
  }

  /** Of a waiting job. */
  double lengthSeconds(int job) {
    return lengthSeconds[job];
  }

  /** The running job that ends first. */
  int firstToEnd() {
    int first = 0;
    for (int i = 1; i < leftSeconds.length; i++) {
      first = leftSeconds[i] < leftSeconds[first] ? i : first;
    }
    return first;
  }

  /** When each waiting job starts then, in seconds from now; NaN of one that is not there. */
  double[] starts(Variant variant) {
    Jobs.Builder jobs = Jobs.builder(ModelTable.standard());
    int running = queue.running().size();
    int waiting = queue.waiting().size();
    for (int i = 0; i < running; i++) {
      if (variant.without() != i) {
        add(jobs, "r" + i, 0, queue.running().get(i).job(), 1, leftSeconds[i]);
      }
    }
    int first = jobs.size();
    for (int i = 0; i < waiting; i++) {
      if (variant.without() != running + i) {
        int divided = variant.halved() == i ? 2 : 1;
        add(jobs, "w" + i, 0, queue.waiting().get(i), divided, lengthSeconds[i]);
      }
    }
    int known = jobs.size();
    if (!variant.policy().equals(InOrder.POLICY)) {
      for (Newcomers.Arrival each : newcomers) {
        double length = Math.max(1, each.like().lengthSeconds());
        add(jobs, "n" + jobs.size(), each.inSeconds(), each.like().job(), 1, length);
      }
    }
    RunInputs inputs = new RunInputs(variant.cluster(), jobs.build());
    Simulation simulation =
        Run.of(variant.policy(), variant.settings(), seed).simulation(inputs, RunObserver.NONE);
    int row = 0;
    for (int i = 0; i < running; i++) {
      if (variant.without() != i) {
        simulation.place(row++, queue.running().get(i).placement());
      }
    }
    RunResult result = simulation.runUntilStarted(known);
    double[] starts = new double[waiting];
    row = first;
    for (int i = 0; i < waiting; i++) {
      starts[i] = variant.without() == running + i ? Double.NaN : result.startSeconds(row++);
    }
    return starts;
  }

  /** A job with fewer GPUs takes so much longer. */
  private static void add(
      Jobs.Builder jobs, String id, double submit, Queue.Job job, int divided, double seconds) {
    int gpus = (job.gpus() + divided - 1) / divided;
    jobs.add(
        id,
        submit,
        gpus,
        gpus,
        gpus,
        seconds * job.gpus() / gpus,
        true,
        "",
        job.kind().user(),
        job.kind().group());
    if (!job.demand().isNone()) {
      jobs.asking(job.demand());
    }
  }
}
