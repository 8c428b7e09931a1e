package io.ringmaster.predictor.length;

/**
 * What is known of a job when it is submitted.
 *
 * @param group which jobs are runs of the same, or empty
 * @param user who submitted it, or empty
 * @param model what it trains, or empty
 */
public record JobFacts(String group, String user, String model, int gpus) {}
