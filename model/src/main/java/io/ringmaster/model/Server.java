package io.ringmaster.model;

/**
 * One machine of a cluster.
 *
 * @param nicBytesPerSecond bandwidth to other servers, b_e of the contention model
 * @param intraBytesPerSecond bandwidth between GPUs of this server, b_i of the contention model
 */
public record Server(
    String name,
    int gpus,
    String gpu,
    String rack,
    double nicBytesPerSecond,
    double intraBytesPerSecond) {}
