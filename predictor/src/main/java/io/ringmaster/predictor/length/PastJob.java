package io.ringmaster.predictor.length;

/** A job that has ended. */
public record PastJob(JobFacts facts, double submitSeconds, double length, double endSeconds) {}
