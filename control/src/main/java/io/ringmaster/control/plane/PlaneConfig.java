package io.ringmaster.control.plane;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.policy.PolicySpec;
import java.util.Map;
import java.util.function.Function;

/**
 * What a plane is told once, at its start.
 *
 * @param cluster what the cluster file says; without one, what the engine found at the start
 * @param declared whether there is a file: then it wins over what the engine finds later
 * @param models what jobs may train
 * @param policy the policy until somebody chose another; the store remembers the choice
 * @param policySettings its settings
 * @param quotaGpus most GPUs that jobs of a user may be given at once; users not named have no
 *     quota
 * @param observeSeconds how often the engine is asked for all it knows
 * @param patienceSeconds how long a command may go without effect before it is sent again
 * @param mostLosses a job that the engine lost more often than this fails
 * @param limits what one user may ask for
 * @param policies the policy of a name; throws what is to be told if there is none
 */
public record PlaneConfig(
    Cluster cluster,
    boolean declared,
    ModelTable models,
    String policy,
    Map<String, String> policySettings,
    Map<String, Integer> quotaGpus,
    double observeSeconds,
    double patienceSeconds,
    int mostLosses,
    UserLimits limits,
    Function<String, PolicySpec> policies) {}
