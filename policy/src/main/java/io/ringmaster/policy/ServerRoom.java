package io.ringmaster.policy;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;
import org.jspecify.annotations.Nullable;

/**
 * What one server has free, as a sum to reckon with: GPUs, CPUs, memory, and what no ring has
 * reserved of its link.
 */
public final class ServerRoom {
  private int gpus;
  private double cpus;
  private double memoryBytes;
  private double linkBytesPerSecond;

  /** None where GPUs alone count. */
  private @Nullable Server server;

  /** So many GPUs, and plenty of all else. */
  public void set(int newGpus) {
    set(
        newGpus,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        null);
  }

  void set(
      int newGpus, double newCpus, double newMemoryBytes, double newLink, @Nullable Server of) {
    gpus = newGpus;
    cpus = newCpus;
    memoryBytes = newMemoryBytes;
    linkBytesPerSecond = newLink;
    server = of;
  }

  /** All of a server. */
  public void set(Server whole) {
    set(whole.gpus(), whole.cpus(), whole.memoryBytes(), whole.nicBytesPerSecond(), whole);
  }

  public void set(ServerRoom other) {
    set(other.gpus, other.cpus, other.memoryBytes, other.linkBytesPerSecond, other.server);
  }

  public int gpus() {
    return gpus;
  }

  /**
   * Adds what workers of a job hold here.
   *
   * @param workers negative: they take it
   * @param ring whether it has others elsewhere
   */
  public void add(int workers, Demand demand, boolean ring) {
    gpus += workers;
    if (demand.isNone()) {
      return;
    }
    cpus += workers * demand.cpus();
    memoryBytes += workers * demand.memoryBytes();
    if (ring) {
      linkBytesPerSecond += Math.signum(workers) * demand.ringBytesPerSecond();
    }
  }

  /** Workers that it holds. */
  public int workers(Demand demand, boolean ring) {
    if (demand.isNone() || server == null) {
      return gpus;
    }
    if (ring
        && !Demand.fits(
            demand.ringBytesPerSecond(), linkBytesPerSecond, server.nicBytesPerSecond())) {
      return 0;
    }
    return server.workers(demand, Math.max(0, gpus), cpus, memoryBytes);
  }

  /**
   * What each of so many workers would hold if all CPUs and memory beyond another room were theirs:
   * so what is kept for somebody can be hidden from others.
   */
  public Demand beyond(ServerRoom other, int workers) {
    return new Demand(
        part(cpus - other.cpus, workers), part(memoryBytes - other.memoryBytes, workers));
  }

  /** Infinite minus infinite is not a number: nothing is kept where nothing is counted. */
  private static double part(double amount, int workers) {
    return amount > 0 ? amount / workers : 0;
  }
}
