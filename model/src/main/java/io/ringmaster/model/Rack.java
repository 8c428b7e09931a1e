package io.ringmaster.model;

/**
 * Servers behind one switch.
 *
 * @param uplinkBytesPerSecond bandwidth from its switch to the core, and as much back
 */
public record Rack(String name, double uplinkBytesPerSecond) {}
