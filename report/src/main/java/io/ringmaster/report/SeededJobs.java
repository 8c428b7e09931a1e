package io.ringmaster.report;

import io.ringmaster.model.Jobs;

/**
 * The same jobs under every policy that is compared, with one seed.
 *
 * @param idealSeconds by job: how long it takes alone in its ideal place
 * @param jctSeconds by policy, then by job: from submission to end
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record SeededJobs(long seed, Jobs jobs, double[] idealSeconds, double[][] jctSeconds) {}
