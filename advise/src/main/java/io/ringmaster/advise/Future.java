package io.ringmaster.advise;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Where;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.workload.Draws;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** One way in which things may go on: how long each job still takes, and who else comes. */
final class Future {
  private static final int LENGTHS = 11;
  private static final int COMING = 12;
  private static final int EXPECTED = 13;

  /** How far beyond the last start without newcomers they may still matter. */
  private static final double MORE = 4;

  private static final double AT_LEAST_SECONDS = 86_400;
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final Queue queue;

  /** Of the running jobs. */
  private final double[] leftSeconds;

  /** Of those that were stopped. */
  private final double[] stoppedSeconds;

  /** Of the waiting jobs. */
  private final double[] lengthSeconds;

  private final List<Newcomers.Arrival> newcomers;

  /** Up to when they come. */
  private final double untilSeconds;

  private final long seed;

  /**
   * Of lengths that are known.
   *
   * @param newcomers lengths are known of all
   * @param untilSeconds up to when they come; infinite if no more would
   */
  Future(
      Queue queue,
      double[] leftSeconds,
      double[] stoppedSeconds,
      double[] lengthSeconds,
      List<Newcomers.Arrival> newcomers,
      double untilSeconds,
      long seed) {
    this.queue = queue;
    this.leftSeconds = leftSeconds;
    this.stoppedSeconds = stoppedSeconds;
    this.lengthSeconds = lengthSeconds;
    this.newcomers = newcomers;
    this.untilSeconds = untilSeconds;
    this.seed = seed;
  }

  /** Draws one. Every number has a stream of its own for this one. */
  static Future drawn(Queue queue, KindLengths lengths, Newcomers newcomers, long seed) {
    KindLengths.Drawing drawing = lengths.new Drawing(new Draws(seed, LENGTHS));
    double[] runningLeft =
        queue.running().stream()
            .mapToDouble(job -> drawing.leftSeconds(job.job(), job.elapsedSeconds()))
            .toArray();
    double[] ofStopped =
        queue.stopped().stream()
            .mapToDouble(job -> drawing.leftSeconds(job.job(), job.elapsedSeconds()))
            .toArray();
    double[] ofWaiting =
        queue.waiting().stream().mapToDouble(job -> drawing.leftSeconds(job, 0)).toArray();
    Future alone = new Future(queue, runningLeft, ofStopped, ofWaiting, List.of(), NEVER, seed);
    double[] starts = alone.starts(Variant.of(queue.cluster(), InOrder.POLICY, Map.of()));
    double last = Arrays.stream(starts).max().orElse(0);
    Draws coming = new Draws(seed, COMING);
    double until = MORE * last + AT_LEAST_SECONDS;
    List<Newcomers.Arrival> arrivals =
        newcomers.drawn(until, coming).stream()
            .map(each ->
                Double.isNaN(each.like().lengthSeconds())
                    ? new Newcomers.Arrival(
                        each.inSeconds(),
                        new Newcomers.Past(
                            each.like().job(), drawing.leftSeconds(each.like().job(), 0)))
                    : each)
            .toList();
    double upTo = newcomers.reachSeconds() < until || arrivals.isEmpty() ? NEVER : until;
    return new Future(queue, runningLeft, ofStopped, ofWaiting, arrivals, upTo, seed);
  }

  /** Of a running job. */
  double leftSeconds(int job) {
    return leftSeconds[job];
  }

  /** Of a waiting job. */
  double lengthSeconds(int job) {
    return lengthSeconds[job];
  }

  /**
   * Whether a start is one of a job that was overtaken for as long as others came: in truth they go
   * on to come, and nobody knows when it starts.
   */
  boolean isBeyond(double startSeconds, Variant variant) {
    return startSeconds > untilSeconds && !variant.policy().equals(InOrder.POLICY);
  }

  /** When each waiting job starts then, in seconds from now; NaN of one that is not there. */
  double[] starts(Variant variant) {
    Played played = new Played(variant, seed);
    int running = queue.running().size();
    int waiting = queue.waiting().size();
    for (int i = 0; i < running; i++) {
      if (variant.without() != i) {
        Queue.Running job = queue.running().get(i);
        int divided = variant.halved() == i ? 2 : 1;
        played.add("r" + i, 0, job.job(), divided, job.elapsedSeconds() + leftSeconds[i]);
      }
    }
    for (int i = 0; i < stoppedSeconds.length; i++) {
      Queue.Stopped job = queue.stopped().get(i);
      played.add("s" + i, 0, job.job(), 1, job.elapsedSeconds() + stoppedSeconds[i]);
    }
    int first = played.jobs.size();
    for (int i = 0; i < waiting; i++) {
      if (variant.without() != running + i) {
        int divided = variant.halved() == running + i ? 2 : 1;
        played.add("w" + i, 0, queue.waiting().get(i), divided, lengthSeconds[i]);
      }
    }
    int known = played.jobs.size();
    if (!variant.policy().equals(InOrder.POLICY)) {
      for (Newcomers.Arrival each : newcomers) {
        double length = Math.max(1, each.like().lengthSeconds());
        played.add("n" + played.jobs.size(), each.inSeconds(), each.like().job(), 1, length);
      }
    }
    Simulation simulation = played.simulation();
    int row = 0;
    for (int i = 0; i < running; i++) {
      if (variant.without() != i) {
        Queue.Running job = queue.running().get(i);
        Placement placement = variant.halved() == i ? halved(job.placement()) : job.placement();
        double longer = job.placement().workers() / (double) placement.workers();
        simulation.place(row++, placement, job.elapsedSeconds() * longer);
      }
    }
    for (Queue.Stopped job : queue.stopped()) {
      simulation.stopped(row++, job.elapsedSeconds());
    }
    RunResult result = simulation.runUntilStarted(known);
    double[] starts = new double[waiting];
    row = first;
    for (int i = 0; i < waiting; i++) {
      starts[i] = variant.without() == running + i ? Double.NaN : result.startSeconds(row++);
    }
    return starts;
  }

  /** The jobs of a future, and what the policy is told of them. */
  private static final class Played {
    private final Variant variant;
    private final JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    private final DoubleStream.Builder expected = DoubleStream.builder();

    private final Draws chance;
    private final long seed;

    Played(Variant variant, long seed) {
      this.variant = variant;
      this.seed = seed;
      this.chance = new Draws(seed, EXPECTED);
    }

    /** A job with fewer GPUs takes so much longer. */
    void add(String id, double submit, Queue.Job job, int divided, double seconds) {
      int gpus = (job.gpus() + divided - 1) / divided;
      double longer = job.gpus() / (double) gpus;
      jobs.add(
          id,
          submit,
          gpus,
          gpus,
          gpus,
          seconds * longer,
          true,
          "",
          job.kind().user(),
          job.kind().group());
      double told =
          Double.isNaN(job.expectedSeconds())
              ? seconds
              : job.expectedSeconds() * Math.exp(job.expectedSpread() * chance.normal());
      expected.add(told * longer);
      if (!job.demand().isNone()) {
        jobs.asking(job.demand().on(fewer(job.demand().where(), gpus)));
      }
    }

    Simulation simulation() {
      RunInputs inputs = new RunInputs(variant.cluster(), jobs.build());
      return Run.of(variant.policy(), variant.settings(), seed)
          .simulation(inputs.foretelling(expected.build().toArray()), RunObserver.NONE);
    }
  }

  /** Half of its workers, rounded up, on the first of its servers. */
  private static Placement halved(Placement placement) {
    int left = (placement.workers() + 1) / 2;
    int[] servers = new int[placement.size()];
    int[] gpus = new int[placement.size()];
    int used = 0;
    for (; left > 0; used++) {
      servers[used] = placement.server(used);
      gpus[used] = Math.min(left, placement.gpus(used));
      left -= gpus[used];
    }
    return Placement.of(Arrays.copyOf(servers, used), Arrays.copyOf(gpus, used));
  }

  /** Fewer servers with as many GPUs each, or fewer on the one. */
  private static Where fewer(Where where, int gpus) {
    int each = where.perServer();
    return each == 0 || gpus % each == 0 ? where : new Where(where.kinds(), gpus < each ? gpus : 0);
  }
}
