package io.ringmaster.control.job;

import io.ringmaster.workload.json.RecordFields.Named;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it was asked for, in the fields that {@link JobSpecs} reads; usual ones are left out.
 */
public record JobDescription(
    String name,
    List<String> command,
    @Named("env") Optional<Map<String, String>> environment,
    Optional<String> directory,
    int gpus,
    Optional<Integer> minGpus,
    Optional<Integer> maxGpus,
    Optional<String> model,
    Optional<Double> durationSeconds,
    Optional<Double> iterations,
    Optional<String> group,
    Optional<Integer> priority,
    Optional<List<Long>> after,
    Optional<Double> timeLimitSeconds,
    double graceSeconds,
    Optional<Double> checkpointSeconds,
    Optional<Integer> retries,
    Optional<Double> cpusPerGpu,
    Optional<Double> memoryGbPerGpu,
    Optional<Integer> pieceGpus,
    Optional<String> nodesMarked,
    Optional<Boolean> resumable) {

  public static JobDescription of(JobSpec spec) {
    return new JobDescription(
        spec.name(),
        spec.command(),
        unless(Map.of(), spec.environment()),
        unless("", spec.directory()),
        spec.gpus(),
        unless(spec.gpus(), spec.minGpus()),
        unless(spec.gpus(), spec.maxGpus()),
        unless("", spec.model()),
        unless(Double.NaN, spec.durationSeconds()),
        unless(Double.NaN, spec.iterations()),
        unless("", spec.group()),
        unless(0, spec.priority()),
        unless(List.of(), spec.after()),
        unless(Double.NaN, spec.timeLimitSeconds()),
        spec.graceSeconds(),
        unless(0.0, spec.checkpointSeconds()),
        unless(0, spec.retries()),
        unless(0.0, spec.cpusPerGpu()),
        unless(0.0, spec.memoryGbPerGpu()),
        unless(1, spec.pieceGpus()),
        unless("", spec.nodesMarked()),
        unless(true, spec.resumable()));
  }

  private static <T> Optional<T> unless(T usual, T value) {
    return value.equals(usual) ? Optional.empty() : Optional.of(value);
  }
}
