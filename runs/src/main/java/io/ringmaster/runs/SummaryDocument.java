package io.ringmaster.runs;

import io.ringmaster.workload.json.RecordFields.Inline;
import java.util.Map;

/**
 * What summary.json holds.
 *
 * @param notes what the policy has to say, beside the other figures
 */
public record SummaryDocument(
    String policy,
    long seed,
    int jobs,
    int finished,
    double makespanSeconds,
    double jctMeanSeconds,
    double jctP50Seconds,
    double jctP95Seconds,
    double jctP99Seconds,
    double waitMeanSeconds,
    double gpuUtilization,
    double slowdownMean,
    long restarts,
    double lowerBoundJctSeconds,
    double lowerBoundMakespanSeconds,
    double energyKwh,
    long events,
    String version,
    @Inline Map<String, Object> notes,
    Map<String, String> settings,
    String cluster,
    int gpus,
    RunInputs.Provenance inputs) {}
