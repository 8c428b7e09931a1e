package io.ringmaster.control.store;

/**
 * What is remembered of a node.
 *
 * @param up as the engine last said
 * @param drained no new job is placed there
 * @param reason why it is drained; or empty
 */
public record NodeRow(String name, int gpus, boolean up, boolean drained, String reason) {}
