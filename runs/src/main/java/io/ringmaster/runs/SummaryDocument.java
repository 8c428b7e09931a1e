package io.ringmaster.runs;

import io.ringmaster.simulator.Summary;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.util.Map;

/**
 * What summary.json holds.
 *
 * @param lengths what the policy knew of lengths
 * @param notes what the policy has to say, beside the other figures
 */
public record SummaryDocument(
    @Inline Summary figures,
    String lengths,
    String version,
    @Inline Map<String, Object> notes,
    Map<String, String> settings,
    String cluster,
    int gpus,
    RunInputs.Provenance inputs) {}
