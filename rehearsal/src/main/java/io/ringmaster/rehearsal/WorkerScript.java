package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine;
import java.util.List;

/**
 * What the workers of an attempt do, in words that the test of any engine can carry out: as a shell
 * script, or as events on virtual time. All workers do the same, step by step, and exit with 0
 * after the last. A worker that said nothing about it ends with 143 when it is stopped.
 */
public record WorkerScript(List<Step> steps) {
  public WorkerScript {
    steps = List.copyOf(steps);
  }

  public static WorkerScript of(Step... steps) {
    return new WorkerScript(List.of(steps));
  }

  /** One thing to do. */
  public sealed interface Step {}

  /** Prints a line. */
  public record Print(Engine.Stream stream, String line) implements Step {}

  /** Prints to stdout each argument of the command, each with {@link #AFTER_ARGUMENT} after it. */
  public record PrintArguments() implements Step {}

  public static final String AFTER_ARGUMENT = "\n--\n";

  /** Prints NAME=VALUE to stdout, or nothing if there is no such variable. */
  public record PrintVariable(String name) implements Step {}

  /** Appends a line to a file in RINGMASTER_CHECKPOINT_DIR. */
  public record Save(String line) implements Step {}

  /** Prints to stdout all lines that this job's attempts saved. */
  public record PrintSaved() implements Step {}

  /** Appends {"done": SHARE} to RINGMASTER_PROGRESS. */
  public record Report(double doneShare) implements Step {}

  /** Makes RINGMASTER_PROGRESS what no engine can read: a folder, where it is a file. */
  public record SpoilProgress() implements Step {}

  /** Takes so long. */
  public record Pass(double seconds) implements Step {}

  /** Waits for ever. */
  public record Wait() implements Step {}

  public record Exit(int code) implements Step {}

  /** From now on, when it is asked to stop: these, then it exits. */
  public record OnStop(List<Step> steps, int code) implements Step {
    public OnStop {
      steps = List.copyOf(steps);
    }
  }

  /** From now on it does not care about being asked to stop. */
  public record IgnoreStop() implements Step {}

  /** What one worker does and the others do not. */
  public record OnRank(int rank, List<Step> steps) implements Step {
    public OnRank {
      steps = List.copyOf(steps);
    }
  }
}
