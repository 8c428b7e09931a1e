package io.ringmaster.workload.trace;

import io.ringmaster.model.KindSpeeds;

/**
 * A job as a trace tells of it.
 *
 * @param id unique in the trace; where the trace has none, the reader numbers the rows
 * @param submitSeconds on any clock: the import counts from the first job kept
 * @param durationSeconds how long it ran, with the GPUs that it had
 * @param iterations how many iterations it made; 0 if the trace does not say, which is the rule
 * @param waitedSeconds how long it waited for its GPUs in truth; NaN if the trace does not say
 * @param lastedSeconds from its first start to its last end in truth, with all that lay between
 * @param model what it trains, by the trace's own name; empty if the trace does not say
 * @param user empty if the trace does not say
 * @param group what recurring jobs have in common: a name, an application, a queue; may be empty
 * @param cpusPerGpu 0 if the trace does not say
 * @param memoryBytesPerGpu 0 if the trace does not say
 * @param speeds on the kinds of GPU that it can use; none if the trace does not say
 */
public record TraceJob(
    String id,
    double submitSeconds,
    int gpus,
    double durationSeconds,
    double iterations,
    double waitedSeconds,
    double lastedSeconds,
    String model,
    String user,
    String group,
    double cpusPerGpu,
    double memoryBytesPerGpu,
    KindSpeeds speeds) {

  /** A job of which nothing more is known. */
  public static TraceJob of(String id, double submitSeconds, int gpus, double durationSeconds) {
    return new TraceJob(
        id,
        submitSeconds,
        gpus,
        durationSeconds,
        0,
        Double.NaN,
        durationSeconds,
        "",
        "",
        "",
        0,
        0,
        KindSpeeds.NONE);
  }

  public TraceJob waited(double seconds) {
    return waited(seconds, durationSeconds);
  }

  /** The same job, after a wait; it ended so long after its start, which need not be its length. */
  public TraceJob waited(double seconds, double lasted) {
    return with(iterations, seconds, lasted, model, user, group, cpusPerGpu, memoryBytesPerGpu);
  }

  /** The same job, known by its iterations rather than by its length. */
  public TraceJob iterating(double count) {
    return with(
        count, waitedSeconds, lastedSeconds, model, user, group, cpusPerGpu, memoryBytesPerGpu);
  }

  /** The same job, of a user and a group; either may be empty. */
  public TraceJob by(String userName, String groupName) {
    return with(
        iterations,
        waitedSeconds,
        lastedSeconds,
        model,
        userName,
        groupName,
        cpusPerGpu,
        memoryBytesPerGpu);
  }

  public TraceJob training(String modelName) {
    return with(
        iterations,
        waitedSeconds,
        lastedSeconds,
        modelName,
        user,
        group,
        cpusPerGpu,
        memoryBytesPerGpu);
  }

  /** The same job, whose workers each take CPUs and memory. */
  public TraceJob taking(double cpus, double memoryBytes) {
    return with(iterations, waitedSeconds, lastedSeconds, model, user, group, cpus, memoryBytes);
  }

  private TraceJob with(
      double count,
      double waited,
      double lasted,
      String modelName,
      String userName,
      String groupName,
      double cpus,
      double memoryBytes) {
    return new TraceJob(
        id,
        submitSeconds,
        gpus,
        durationSeconds,
        count,
        waited,
        lasted,
        modelName,
        userName,
        groupName,
        cpus,
        memoryBytes,
        speeds);
  }

  /** The same job, which was measured on these kinds of GPU. */
  public TraceJob measured(KindSpeeds onKinds) {
    return new TraceJob(
        id,
        submitSeconds,
        gpus,
        durationSeconds,
        iterations,
        waitedSeconds,
        lastedSeconds,
        model,
        user,
        group,
        cpusPerGpu,
        memoryBytesPerGpu,
        onKinds);
  }
}
