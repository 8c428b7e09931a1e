package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Servers behind one switch.
 *
 * @param uplinkBytesPerSecond bandwidth from its switch to that of its pod, or to the core, and as
 *     much back
 * @param pod null where racks hang on the core
 */
public record Rack(String name, double uplinkBytesPerSecond, @Nullable Pod pod) {
  /** A rack that hangs on the core. */
  public Rack(String name, double uplinkBytesPerSecond) {
    this(name, uplinkBytesPerSecond, null);
  }
}
