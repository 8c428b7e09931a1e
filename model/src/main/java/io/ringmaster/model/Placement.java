package io.ringmaster.model;

import java.util.Arrays;

/** Where a job's workers sit: distinct servers, and how many GPUs on each. Immutable. */
public final class Placement {
  private final int[] servers;
  private final int[] gpus;
  private final int workers;

  private Placement(int[] servers, int[] gpus) {
    this.servers = servers;
    this.gpus = gpus;
    int sum = 0;
    for (int g : gpus) {
      sum += g;
    }
    this.workers = sum;
  }

  public static Placement on(int server, int gpus) {
    return new Placement(new int[] {server}, new int[] {gpus});
  }

  /** Takes the arrays over: the caller must not keep them. */
  public static Placement of(int[] servers, int[] gpus) {
    if (servers.length != gpus.length || servers.length == 0) {
      throw new IllegalArgumentException("servers and GPU counts must pair up");
    }
    return new Placement(servers, gpus);
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
        && Arrays.equals(gpus, that.gpus);
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
