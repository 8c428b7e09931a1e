package io.ringmaster.model;

/**
 * Racks behind one switch.
 *
 * @param uplinkBytesPerSecond bandwidth from its switch to the core, and as much back
 */
public record Pod(String name, double uplinkBytesPerSecond) {}
