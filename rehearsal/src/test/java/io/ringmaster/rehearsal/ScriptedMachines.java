package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine.Stream;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Machines whose workers follow a {@link WorkerScript}, step by step on virtual time. */
final class ScriptedMachines extends Machines {
  private static final double START_SECONDS = 0.01;

  private final List<WorkerScript> scripts = new ArrayList<>();
  private final Map<Long, StringBuilder> savedLines = new HashMap<>();
  private final Map<AttemptId, Players> all = new HashMap<>();
  private final Map<String, Set<Integer>> devicesTaken = new HashMap<>();

  ScriptedMachines(Agenda agenda) {
    super(agenda, 1, new Trace(agenda, 100), (machines, launch) -> {});
  }

  List<String> program(WorkerScript script, List<String> arguments) {
    scripts.add(script);
    List<String> command = new ArrayList<>(List.of("script", Integer.toString(scripts.size() - 1)));
    command.addAll(arguments);
    return command;
  }

  /** The workers of an attempt. */
  private final class Players extends Gang {
    private final Exit over;
    private final List<Worker> workers = new ArrayList<>();
    private final Map<String, List<Integer>> devices = new HashMap<>();
    private final StringBuilder progress = new StringBuilder();
    private double share = Double.NaN;

    Players(Launch launch, Runnable running, Exit over) {
      super(launch, Life.of(launch.spec()), agenda.nowSeconds(), 0, running, over);
      this.over = over;
      for (Allocation.Share part : launch.allocation().shares()) {
        Set<Integer> taken = devicesTaken.computeIfAbsent(part.node(), _ -> new HashSet<>());
        List<Integer> mine = new ArrayList<>();
        for (int device = 0; mine.size() < part.gpus(); device++) {
          if (taken.add(device)) {
            mine.add(device);
          }
        }
        devices.put(part.node(), mine);
        for (int local = 0; local < part.gpus(); local++) {
          workers.add(new Worker(this, workers.size(), local, part));
        }
      }
    }

    void end(int code) {
      if (alive) {
        alive = false;
        gangs.remove(this);
        devices.forEach((node, mine) -> devicesTaken.getOrDefault(node, Set.of()).removeAll(mine));
        over.with(code);
      }
    }
  }

  /** One worker. */
  private final class Worker {
    private final Players players;
    private final int rank;
    private final int local;
    private final Allocation.Share share;
    private final Map<Stream, StringBuilder> printed =
        Map.of(Stream.STDOUT, new StringBuilder(), Stream.STDERR, new StringBuilder());
    private Deque<WorkerScript.Step> steps;
    private WorkerScript.@Nullable OnStop onStop;
    private boolean ignoresStop;
    private boolean exited;
    private boolean stopping;
    private int codeAfterSteps;

    Worker(Players players, int rank, int local, Allocation.Share share) {
      this.players = players;
      this.rank = rank;
      this.local = local;
      this.share = share;
      int script = Integer.parseInt(players.launch().spec().command().get(1));
      this.steps = new ArrayDeque<>(scripts.get(script).steps());
    }

    /** Goes on with its steps, unless it was stopped since. */
    void run(boolean stopped) {
      while (stopped == stopping && players.isAlive() && !exited) {
        WorkerScript.@Nullable Step step = steps.poll();
        switch (step) {
          case null -> exit(codeAfterSteps);
          case WorkerScript.Pass(double seconds) -> {
            agenda.in(seconds, () -> run(stopped));
            return;
          }
          case WorkerScript.Wait _ -> {
            return;
          }
          case WorkerScript.Exit(int code) -> exit(code);
          case WorkerScript.OnStop handler -> onStop = handler;
          case WorkerScript.IgnoreStop _ -> ignoresStop = true;
          case WorkerScript.OnRank(int only, List<WorkerScript.Step> more) -> {
            if (only == rank) {
              more.reversed().forEach(steps::addFirst);
            }
          }
          case WorkerScript.Report(double done) -> {
            players.share = done;
            players.progress.append("{\"done\": %s}\n".formatted(done));
          }
          case WorkerScript.SpoilProgress _ -> players.progress.append("\0");
          case WorkerScript.Save(String line) -> lines().append(line).append('\n');
          case WorkerScript.PrintSaved _ -> print(lines().toString());
          case WorkerScript.Print(Stream stream, String line) ->
              java.util.Objects.requireNonNull(printed.get(stream)).append(line).append('\n');
          case WorkerScript.PrintVariable(String name) -> {
            @Nullable String value = variables().get(name);
            print(value == null ? "" : name + "=" + value + "\n");
          }
          case WorkerScript.PrintArguments _ -> {
            List<String> command = players.launch().spec().command();
            command
                .subList(2, command.size())
                .forEach(argument -> print(argument + WorkerScript.AFTER_ARGUMENT));
          }
        }
      }
    }

    private StringBuilder lines() {
      return savedLines.computeIfAbsent(players.attempt().job(), _ -> new StringBuilder());
    }

    private void print(String text) {
      java.util.Objects.requireNonNull(printed.get(Stream.STDOUT)).append(text);
    }

    void stop() {
      if (exited || ignoresStop) {
        return;
      }
      codeAfterSteps = onStop == null ? TERMINATED : onStop.code();
      steps = new ArrayDeque<>(onStop == null ? List.of() : onStop.steps());
      stopping = true;
      agenda.in(0, () -> run(true));
    }

    private void exit(int code) {
      exited = true;
      if (code != 0 || players.workers.stream().allMatch(worker -> worker.exited)) {
        players.end(code);
      }
    }

    private Map<String, String> variables() {
      Launch launch = players.launch();
      Map<String, String> variables = new HashMap<>(launch.spec().environment());
      variables.put("RANK", Integer.toString(rank));
      variables.put("WORLD_SIZE", Integer.toString(launch.allocation().workers()));
      variables.put("LOCAL_RANK", Integer.toString(local));
      variables.put("LOCAL_WORLD_SIZE", Integer.toString(share.gpus()));
      variables.put("MASTER_ADDR", launch.allocation().shares().getFirst().node());
      variables.put("MASTER_PORT", "29500");
      variables.put(
          "CUDA_VISIBLE_DEVICES",
          players.devices.getOrDefault(share.node(), List.of()).stream()
              .map(String::valueOf)
              .collect(Collectors.joining(",")));
      variables.put("RINGMASTER_JOB", Long.toString(launch.attempt().job()));
      variables.put("RINGMASTER_ATTEMPT", Integer.toString(launch.attempt().attempt()));
      variables.put("RINGMASTER_NODE", share.node());
      variables.put("RINGMASTER_CHECKPOINT_DIR", "/saved/" + launch.attempt().job());
      variables.put("RINGMASTER_PROGRESS", "/progress/" + launch.attempt());
      variables.put("RINGMASTER_LEARNING_RATE_SCALE", Double.toString(launch.learningRateScale()));
      return variables;
    }
  }

  @Override
  Gang start(Launch launch, Runnable running, Exit exit) {
    Players players = new Players(launch, running, exit);
    gangs.add(players);
    all.put(launch.attempt(), players);
    agenda.in(
        START_SECONDS,
        () -> {
          if (players.isAlive() && !players.wasAsked()) {
            running.run();
            players.workers.forEach(worker -> worker.run(false));
          }
        });
    return players;
  }

  @Override
  void ask(Gang gang) {
    if (gang.isAlive() && !gang.wasAsked()) {
      gang.askedSeconds = agenda.nowSeconds();
      ((Players) gang).workers.forEach(Worker::stop);
    }
  }

  @Override
  void kill(Gang gang) {
    ((Players) gang).end(KILLED);
  }

  @Override
  double toldShare(@Nullable Gang gang) {
    return gang == null ? Double.NaN : ((Players) gang).share;
  }

  @Override
  boolean hasSaved(long job) {
    StringBuilder lines = savedLines.get(job);
    return lines != null && !lines.isEmpty();
  }

  @Override
  @Nullable String log(AttemptId attempt, int rank, Stream stream) {
    @Nullable Players players = all.get(attempt);
    if (players != null && stream == Stream.PROGRESS) {
      return players.progress.toString();
    }
    return players == null || rank < 0 || rank >= players.workers.size()
        ? null
        : String.valueOf(players.workers.get(rank).printed.get(stream));
  }
}
