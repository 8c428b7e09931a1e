package io.ringmaster.control.plane;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import java.util.Map;

/**
 * What a plane is told once, at its start.
 *
 * @param cluster the nodes, by their names, and the network between them
 * @param models what jobs may train
 * @param policy the policy until somebody chose another; the store remembers the choice
 * @param policySettings its settings
 * @param quotaGpus most GPUs that jobs of a user may be given at once; users not named have no
 *     quota
 * @param observeSeconds how often the engine is asked for all it knows
 * @param patienceSeconds how long a command may go without effect before it is sent again
 * @param mostLosses a job that the engine lost more often than this fails
 */
public record PlaneConfig(
    Cluster cluster,
    ModelTable models,
    String policy,
    Map<String, String> policySettings,
    Map<String, Integer> quotaGpus,
    double observeSeconds,
    double patienceSeconds,
    int mostLosses) {}
