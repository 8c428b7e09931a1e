package io.ringmaster.model;

import java.util.Arrays;

/**
 * Where a job's workers sit: distinct servers, and how many GPUs on each. The workers of a pipeline
 * are replicas of stages; a placement may say which are where ({@link #mapped}), or leave it to
 * whoever runs the job. Immutable.
 */
public final class Placement {
  private static final int[] UNMAPPED = {};

  private final int[] servers;
  private final int[] gpus;
  private final int workers;

  /** Replicas of stage s on server i at i * stages + s; empty if the placement does not say. */
  private final int[] mapping;

  private Placement(int[] servers, int[] gpus, int[] mapping) {
    this.servers = servers;
    this.gpus = gpus;
    this.mapping = mapping;
    int sum = 0;
    for (int g : gpus) {
      sum += g;
    }
    this.workers = sum;
  }

  public static Placement on(int server, int gpus) {
    return new Placement(new int[] {server}, new int[] {gpus}, UNMAPPED);
  }

  /** Takes the arrays over: the caller must not keep them. */
  public static Placement of(int[] servers, int[] gpus) {
    if (servers.length != gpus.length || servers.length == 0) {
      throw new IllegalArgumentException("servers and GPU counts must pair up");
    }
    return new Placement(servers, gpus, UNMAPPED);
  }

  /**
   * The same GPUs, for the replicas of a pipeline. Takes the array over.
   *
   * @param replicas of stage s on the i-th server at i * stages + s
   */
  public Placement mapped(int[] replicas) {
    int stages = replicas.length / servers.length;
    boolean agrees = stages * servers.length == replicas.length;
    for (int i = 0; i < servers.length && agrees; i++) {
      int[] here = Arrays.copyOfRange(replicas, i * stages, (i + 1) * stages);
      agrees = Arrays.stream(here).sum() == gpus[i] && Arrays.stream(here).allMatch(k -> k >= 0);
    }
    if (!agrees) {
      throw new IllegalArgumentException("replicas and GPU counts must agree");
    }
    return new Placement(servers, gpus, replicas);
  }

  /** The same GPUs where servers have other indexes. */
  public Placement renumbered(int[] indexes) {
    int[] others = new int[servers.length];
    for (int i = 0; i < others.length; i++) {
      others[i] = indexes[servers[i]];
    }
    return new Placement(others, gpus, mapping);
  }

  /** Whether it says which replicas are where. */
  public boolean isMapped() {
    return mapping.length > 0;
  }

  /** Stages that the mapping tells of; 0 without one. */
  public int stages() {
    return mapping.length / servers.length;
  }

  /** How many replicas of a stage are on the i-th server. */
  public int replicas(int i, int stage) {
    return mapping[i * stages() + stage];
  }

  /** Replicas of each stage on the i-th server; empty without a mapping. */
  public int[] replicas(int i) {
    int stages = stages();
    return Arrays.copyOfRange(mapping, i * stages, (i + 1) * stages);
  }

  /** GPUs on each server, in the order of servers. */
  public int[] gpuCounts() {
    return gpus.clone();
  }

  /** How many servers are used. */
  public int size() {
    return servers.length;
  }

  public int server(int i) {
    return servers[i];
  }

  public int gpus(int i) {
    return gpus[i];
  }

  public int workers() {
    return workers;
  }

  /** The most workers that sit on one server. */
  public int mostOnOne() {
    int most = 0;
    for (int g : gpus) {
      most = Math.max(most, g);
    }
    return most;
  }

  /** True if the ring leaves a server, so that its links are shared with other rings. */
  public boolean crossesServers() {
    return servers.length > 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Placement that
        && Arrays.equals(servers, that.servers)
        && Arrays.equals(gpus, that.gpus)
        && Arrays.equals(mapping, that.mapping);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(servers) + Arrays.hashCode(gpus);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < servers.length; i++) {
      text.append(i == 0 ? "" : " ").append(servers[i]).append(':').append(gpus[i]);
    }
    return text.toString();
  }
}
