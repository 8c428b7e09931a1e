package io.ringmaster.control.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a person asks for. Checked by {@link JobSpecs}, which is the only one to make it from
 * outside.
 *
 * @param name for people; need not be unique
 * @param command the program and its arguments; run once for each worker, never through a shell
 * @param environment variables beside those that every worker gets
 * @param directory where it runs; empty: a folder of its own
 * @param gpus workers asked for, one GPU each
 * @param minGpus fewest workers that it can run with
 * @param maxGpus most workers that it can run with
 * @param model what it trains, a name of the model table; empty: not known, or no communication
 * @param durationSeconds how long it is expected to run with {@code gpus} workers; NaN: not told
 * @param iterations how much it trains; NaN: not told. Needs a model to become a time
 * @param group what repeats under this name is expected to take as long; empty: none
 * @param priority jobs of a higher one go first
 * @param after jobs that must have succeeded before
 * @param timeLimitSeconds stopped for good after running so long in all; NaN: never
 * @param graceSeconds between being asked to stop and being killed
 * @param checkpointSeconds how long it runs between two checkpoints; 0: not told
 * @param retries how often it is started again after it failed by itself
 * @param cpusPerGpu cores that each worker takes; 0: not counted
 * @param memoryGbPerGpu memory that each worker takes; 0: not counted
 * @param pieceGpus its workers come in pieces of so many, each whole on one node
 * @param nodesMarked only nodes that have this {@link io.ringmaster.control.engine.Node#MARK mark};
 *     empty: any
 * @param resumable whether it goes on where it was after a stop; if not, no policy stops it
 */
public record JobSpec(
    String name,
    List<String> command,
    Map<String, String> environment,
    String directory,
    int gpus,
    int minGpus,
    int maxGpus,
    String model,
    double durationSeconds,
    double iterations,
    String group,
    int priority,
    List<Long> after,
    double timeLimitSeconds,
    double graceSeconds,
    double checkpointSeconds,
    int retries,
    double cpusPerGpu,
    double memoryGbPerGpu,
    int pieceGpus,
    String nodesMarked,
    boolean resumable) {

  /** What a text takes beside its letters. */
  private static final int TEXT_BYTES = 48;

  public JobSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    after = List.copyOf(after);
  }

  /** About as much memory as this takes: what a user may fill the server with is counted by it. */
  public long approximateBytes() {
    long bytes =
        bytes(name)
            + bytes(directory)
            + bytes(model)
            + bytes(group)
            + bytes(nodesMarked)
            + 16L * after.size();
    for (String word : command) {
      bytes += bytes(word);
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      bytes += bytes(variable.getKey()) + bytes(variable.getValue());
    }
    return bytes;
  }

  private static long bytes(String text) {
    return (long) TEXT_BYTES + text.length();
  }

  /** The same, with another priority. */
  public JobSpec withPriority(int other) {
    return other == priority
        ? this
        : new JobSpec(
            name,
            command,
            environment,
            directory,
            gpus,
            minGpus,
            maxGpus,
            model,
            durationSeconds,
            iterations,
            group,
            other,
            after,
            timeLimitSeconds,
            graceSeconds,
            checkpointSeconds,
            retries,
            cpusPerGpu,
            memoryGbPerGpu,
            pieceGpus,
            nodesMarked,
            resumable);
  }

  /** The same, with nothing to run. */
  public JobSpec withoutProgram() {
    return running(List.of(), Map.of(), "");
  }

  /** The same with a variable more, or another value of it. */
  public JobSpec with(String variable, String value) {
    Map<String, String> all = new HashMap<>(environment);
    all.put(variable, value);
    return running(command, all, directory);
  }

  private JobSpec running(List<String> program, Map<String, String> variables, String folder) {
    return new JobSpec(
        name,
        program,
        variables,
        folder,
        gpus,
        minGpus,
        maxGpus,
        model,
        durationSeconds,
        iterations,
        group,
        priority,
        after,
        timeLimitSeconds,
        graceSeconds,
        checkpointSeconds,
        retries,
        cpusPerGpu,
        memoryGbPerGpu,
        pieceGpus,
        nodesMarked,
        resumable);
  }

  public boolean isElastic() {
    return minGpus != gpus || maxGpus != gpus;
  }
}
