package io.ringmaster.report;

/**
 * How far the replay of a history under a policy is from what happened.
 *
 * @param waitError of the mean wait, over what it was; 0.1: a tenth too long
 * @param jctError of the mean time from submission to end
 */
public record ReplayedTruth(String policy, double waitError, double jctError) {}
