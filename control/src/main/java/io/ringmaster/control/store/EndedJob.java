package io.ringmaster.control.store;

/** A job that has reached its end, and when. */
public record EndedJob(long id, double endedSeconds) {}
