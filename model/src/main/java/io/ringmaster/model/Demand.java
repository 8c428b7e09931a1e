package io.ringmaster.model;

import java.util.Objects;

/**
 * What a job takes beside GPUs.
 *
 * @param cpus of each worker
 * @param memoryBytes of each worker
 * @param ringBytesPerSecond reserved on every link that the job's ring crosses; 0: nothing is
 *     reserved, or what is reserved follows from its GPUs
 * @param where on which servers; counts on clusters that count more than GPUs
 */
public record Demand(double cpus, double memoryBytes, double ringBytesPerSecond, Where where) {
  /** GPUs alone. */
  public static final Demand NONE = new Demand(0, 0, 0);

  /** Sums of parts may exceed the whole by this share and still count as fitting. */
  private static final double ROUNDING = 1e-9;

  public Demand {
    where = where.isAny() ? Where.ANY : where;
  }

  public Demand(double cpus, double memoryBytes) {
    this(cpus, memoryBytes, 0);
  }

  public Demand(double cpus, double memoryBytes, double ringBytesPerSecond) {
    this(cpus, memoryBytes, ringBytesPerSecond, Where.ANY);
  }

  /** The same on certain servers. */
  public Demand on(Where servers) {
    return new Demand(cpus, memoryBytes, ringBytesPerSecond, servers);
  }

  public Demand reserving(double bytesPerSecond) {
    return bytesPerSecond == ringBytesPerSecond
        ? this
        : new Demand(cpus, memoryBytes, bytesPerSecond, where);
  }

  /** By hand, since passes compare demands again and again and a record's own way is slower. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Demand that
            && where.equals(that.where)
            && covers(that)
            && that.covers(this));
  }

  @Override
  public int hashCode() {
    return isNone() ? 0 : Objects.hash(cpus, memoryBytes, ringBytesPerSecond, where);
  }

  public boolean isNone() {
    return cpus == 0 && memoryBytes == 0 && ringBytesPerSecond == 0 && isAnywhere();
  }

  @SuppressWarnings("ReferenceEquality") // There is no other that is any: see the constructor.
  private boolean isAnywhere() {
    return where == Where.ANY;
  }

  /** Whether it is at least as much of everything as another, and at most where that may be. */
  public boolean covers(Demand other) {
    return (other.isAnywhere() || where.equals(other.where))
        && cpus >= other.cpus
        && memoryBytes >= other.memoryBytes
        && ringBytesPerSecond >= other.ringBytesPerSecond;
  }

  /** Workers that so much holds, where one takes so much. */
  public static int workers(double available, double each, int atMost) {
    return each == 0
        ? atMost
        : (int) Math.max(0, Math.min(atMost, Math.floor(available / each * (1 + ROUNDING))));
  }

  /** Whether an amount fits what is free, up to rounding. */
  public static boolean fits(double amount, double free, double capacity) {
    return amount <= free + ROUNDING * capacity || amount == 0;
  }
}
