package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What is physically so: processes on GPUs, and what jobs saved on disk. Knows nothing of what an
 * engine believes, so that an engine can be wrong. Keeps a record of every run.
 */
class Machines {
  static final int TERMINATED = 143;
  static final int KILLED = 137;

  /** Who is told what happens. */
  interface Watcher {
    /** Before an attempt's processes come to be. */
    void starts(Machines machines, Launch launch);
  }

  /** The processes of an attempt: a gang that lives and dies as one. */
  static class Gang {
    private final Launch launch;
    private final Life life;
    private final double fromSeconds;
    private final double fromShare;
    private final Runnable running;
    private final Exit exit;
    private double runningSeconds = Double.NaN;
    double askedSeconds = Double.NaN;
    boolean alive = true;

    Gang(Launch launch, Life life, double now, double fromShare, Runnable running, Exit exit) {
      this.launch = launch;
      this.life = life;
      this.fromSeconds = now;
      this.fromShare = fromShare;
      this.running = running;
      this.exit = exit;
    }

    Launch launch() {
      return launch;
    }

    AttemptId attempt() {
      return launch.attempt();
    }

    double fromSeconds() {
      return fromSeconds;
    }

    boolean isAlive() {
      return alive;
    }

    boolean wasAsked() {
      return !Double.isNaN(askedSeconds);
    }

    private double speed() {
      return (double) launch.allocation().workers() / launch.spec().gpus() / life.workSeconds();
    }

    /** Share of the job's work that is done, saved or not. */
    private double share(double now) {
      if (Double.isNaN(runningSeconds)) {
        return fromShare;
      }
      double until = Double.isNaN(askedSeconds) || life.stopSeconds() < 0 ? now : askedSeconds;
      return Math.min(1, fromShare + Math.max(0, until - runningSeconds) * speed());
    }
  }

  /** How an attempt's processes ended. */
  @FunctionalInterface
  interface Exit {
    void with(int code);
  }

  /**
   * A run that ended.
   *
   * @param asked whether it was asked to stop before
   * @param toShare how much of the job's work was done at its end
   */
  record Run(
      AttemptId attempt,
      Allocation allocation,
      double fromSeconds,
      double toSeconds,
      int code,
      boolean asked,
      double fromShare,
      double toShare) {}

  final Agenda agenda;
  private final long seed;
  private final Trace trace;
  private final Watcher watcher;
  final List<Gang> gangs = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final Map<String, Integer> gpus = new TreeMap<>();
  private final Map<String, Integer> mostGpus = new HashMap<>();
  private final Map<String, Integer> others = new HashMap<>();
  private final Map<Long, Double> saved = new HashMap<>();
  private final Map<AttemptId, Integer> workers = new HashMap<>();
  private final Map<AttemptId, StringBuilder> progress = new HashMap<>();

  Machines(Agenda agenda, long seed, Trace trace, Watcher watcher) {
    this.agenda = agenda;
    this.seed = seed;
    this.trace = trace;
    this.watcher = watcher;
  }

  /** Processes that live, in the order of their start. */
  List<Gang> gangs() {
    return gangs;
  }

  List<Run> runs() {
    return runs;
  }

  /**
   * A node comes, grows or shrinks. Processes on GPUs that it has no more go on, as on real ones.
   */
  void size(String node, int count) {
    gpus.put(node, count);
    mostGpus.merge(node, count, Math::max);
  }

  /** A node is carried away. */
  void remove(String node) {
    gpus.remove(node);
    others.remove(node);
  }

  /** GPUs of the nodes that are there, by name. */
  Map<String, Integer> gpus() {
    return gpus;
  }

  /** The most GPUs that a node ever had. */
  int mostGpus(String node) {
    return mostGpus.getOrDefault(node, 0);
  }

  /** GPUs of a node that jobs hold of which the plane knows nothing. */
  int others(String node) {
    return others.getOrDefault(node, 0);
  }

  /** Others take GPUs, as far as they are free, or give them back. Returns how many. */
  int takeByOthers(String node, int wanted) {
    int taken = Math.clamp(wanted, -others(node), Math.max(0, free(node)));
    others.merge(node, taken, Integer::sum);
    return taken;
  }

  /** GPUs of a node that nobody holds; below 0 if it shrank under its jobs. */
  int free(String node) {
    return gpus.getOrDefault(node, 0) - others(node) - used(node);
  }

  /** GPUs of a node that processes hold. */
  int used(String node) {
    int used = 0;
    for (Gang gang : gangs) {
      for (Allocation.Share share : gang.launch.allocation().shares()) {
        used += share.node().equals(node) ? share.gpus() : 0;
      }
    }
    return used;
  }

  /** Starts an attempt's processes; they go on from what the job has saved. */
  Gang start(Launch launch, Runnable running, Exit exit) {
    watcher.starts(this, launch);
    Life life = Life.of(launch.spec());
    double share = saved.getOrDefault(launch.attempt().job(), 0.0);
    Gang gang = new Gang(launch, life, agenda.nowSeconds(), share, running, exit);
    gangs.add(gang);
    workers.put(launch.attempt(), launch.allocation().workers());
    trace.say(
        "machines", "start " + launch.attempt() + " on " + launch.allocation() + " at " + share);
    agenda.in(life.startSeconds(), () -> run(gang));
    return gang;
  }

  private void run(Gang gang) {
    if (!gang.alive || !Double.isNaN(gang.askedSeconds)) {
      return;
    }
    gang.runningSeconds = agenda.nowSeconds();
    if (gang.life.tells()) {
      tellProgress(gang.attempt(), gang.fromShare);
    }
    gang.running.run();
    double restSeconds = (1 - gang.fromShare) / gang.speed();
    RandomGenerator random =
        new SplittableRandom(
            seed ^ (gang.attempt().job() * 0x9E3779B97F4A7C15L + gang.attempt().attempt()));
    if (random.nextDouble() < gang.life.crash()) {
      int code = random.nextBoolean() ? 1 : 139;
      agenda.in(random.nextDouble() * restSeconds, () -> endUnlessStopping(gang, code));
    } else {
      agenda.in(restSeconds, () -> endUnlessStopping(gang, gang.life.exit()));
    }
  }

  private void endUnlessStopping(Gang gang, int code) {
    if (Double.isNaN(gang.askedSeconds) || gang.life.stopSeconds() < 0) {
      end(gang, code, code == 0);
    }
  }

  /** Asks to stop: SIGTERM. */
  void ask(Gang gang) {
    if (!gang.alive || !Double.isNaN(gang.askedSeconds)) {
      return;
    }
    gang.askedSeconds = agenda.nowSeconds();
    if (Double.isNaN(gang.runningSeconds)) {
      end(gang, TERMINATED, false);
    } else if (gang.life.stopSeconds() >= 0) {
      // Some trainers end well when they were asked to stop.
      int code = gang.attempt().attempt() % 2 == 0 ? 0 : TERMINATED;
      agenda.in(gang.life.stopSeconds(), () -> end(gang, code, gang.life.saves()));
    }
  }

  /** SIGKILL, or the power went. */
  void kill(Gang gang) {
    end(gang, KILLED, false);
  }

  private void end(Gang gang, int code, boolean saves) {
    if (!gang.alive) {
      return;
    }
    gang.alive = false;
    gangs.remove(gang);
    double now = agenda.nowSeconds();
    double share = code == 0 && Double.isNaN(gang.askedSeconds) ? 1 : gang.share(now);
    double every = gang.life.saveEverySeconds();
    double kept = gang.fromShare;
    if (saves) {
      kept = share;
    } else if (every > 0 && !Double.isNaN(gang.runningSeconds)) {
      double ran = Math.floor((now - gang.runningSeconds) / every) * every;
      kept = Math.min(share, gang.fromShare + ran * gang.speed());
    }
    saved.merge(gang.attempt().job(), kept, Math::max);
    if (gang.life.tells() && !Double.isNaN(gang.runningSeconds)) {
      tellProgress(gang.attempt(), share);
    }
    Run run =
        new Run(
            gang.attempt(),
            gang.launch.allocation(),
            gang.fromSeconds,
            now,
            code,
            !Double.isNaN(gang.askedSeconds),
            gang.fromShare,
            share);
    runs.add(run);
    trace.say(
        "machines",
        "end " + run.attempt() + " with " + code + ", done " + share + ", saved " + kept);
    gang.exit.with(code);
  }

  /** What the processes of an attempt say of the job's progress; NaN: nothing. */
  double toldShare(@Nullable Gang gang) {
    return gang == null || !gang.life.tells() ? Double.NaN : gang.share(agenda.nowSeconds());
  }

  /** Whether a job left a checkpoint. */
  boolean hasSaved(long job) {
    return saved.containsKey(job);
  }

  private void tellProgress(AttemptId attempt, double share) {
    progress
        .computeIfAbsent(attempt, _ -> new StringBuilder())
        .append("{\"at_s\": %s, \"done\": %s}\n".formatted(agenda.nowSeconds(), share));
  }

  /** What a worker of an attempt printed; null if there never was one. */
  @Nullable String log(AttemptId attempt, int rank, Engine.Stream stream) {
    int count = workers.getOrDefault(attempt, 0);
    if (stream == Engine.Stream.PROGRESS) {
      return count == 0 ? null : progress.getOrDefault(attempt, new StringBuilder()).toString();
    }
    if (rank < 0 || rank >= count) {
      return null;
    }
    return stream == Engine.Stream.STDOUT ? "rank %d of %d\n".formatted(rank, count) : "";
  }
}
