package io.ringmaster.control.store;

import io.ringmaster.control.job.Allocation;

/** A job that has GPUs. */
public record Holder(long job, String user, Allocation held) {}
