package io.ringmaster.control.engine;

/** A node as the engine sees it. */
public record Node(String name, int gpus, boolean up) {}
