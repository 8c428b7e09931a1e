package io.ringmaster.simulator;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a run's segments file in columns: a row for each server of each segment. */
public final class Segments implements RunObserver {
  private static final int[] NOT_SAID = {};

  private int[] job;
  private double[] start;
  private double[] end;
  private double[] warmup;
  private int[] server;
  private int[] gpus;

  /** Replicas of each stage, for the rows that say. */
  private final Map<Integer, int[]> replicas = new HashMap<>();

  private int size;

  public Segments() {
    this(64);
  }

  /** With room for so many rows at first: each time that they are too many, there is a copy. */
  public Segments(int rows) {
    job = new int[rows];
    start = new double[rows];
    end = new double[rows];
    warmup = new double[rows];
    server = new int[rows];
    gpus = new int[rows];
  }

  /** Adds a row that does not say which replicas of a pipeline are there. */
  public void add(
      int rowJob, double from, double to, double warmupSeconds, int rowServer, int rowGpus) {
    add(rowJob, from, to, warmupSeconds, rowServer, rowGpus, NOT_SAID);
  }

  /**
   * Adds a row.
   *
   * @param rowReplicas of each stage of a pipeline; empty if the row does not say
   */
  public void add(
      int rowJob,
      double from,
      double to,
      double warmupSeconds,
      int rowServer,
      int rowGpus,
      int[] rowReplicas) {
    job = Grow.ensure(job, size + 1);
    start = Grow.ensure(start, size + 1);
    end = Grow.ensure(end, size + 1);
    warmup = Grow.ensure(warmup, size + 1);
    server = Grow.ensure(server, size + 1);
    gpus = Grow.ensure(gpus, size + 1);
    job[size] = rowJob;
    start[size] = from;
    end[size] = to;
    warmup[size] = warmupSeconds;
    server[size] = rowServer;
    gpus[size] = rowGpus;
    if (rowReplicas.length > 0) {
      replicas.put(size, rowReplicas);
    }
    size++;
  }

  @Override
  public void segment(
      int segmentJob, double from, double to, double warmupSeconds, Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      add(
          segmentJob,
          from,
          to,
          warmupSeconds,
          placement.server(i),
          placement.gpus(i),
          placement.replicas(i));
    }
  }

  public int size() {
    return size;
  }

  public int job(int row) {
    return job[row];
  }

  public double start(int row) {
    return start[row];
  }

  public double end(int row) {
    return end[row];
  }

  public double warmup(int row) {
    return warmup[row];
  }

  public int server(int row) {
    return server[row];
  }

  public int gpus(int row) {
    return gpus[row];
  }

  /** True if two rows belong to one segment of one job. */
  public boolean sameSegment(int a, int b) {
    return job[a] == job[b] && start[a] == start[b] && end[a] == end[b] && warmup[a] == warmup[b];
  }

  /** Rows by job, then by time. */
  int[] byJob() {
    int[] byStart = Sorted.byKey(Arrays.copyOf(start, size));
    int[] from = new int[Arrays.stream(job, 0, size).max().orElse(0) + 2];
    for (int row = 0; row < size; row++) {
      from[job[row] + 1]++;
    }
    for (int j = 1; j < from.length; j++) {
      from[j] += from[j - 1];
    }
    int[] order = new int[size];
    for (int row : byStart) {
      order[from[job[row]]++] = row;
    }
    return order;
  }

  /** The placement that consecutive rows of an order describe; null if a server is named twice. */
  @Nullable Placement placement(int[] order, int from, int to) {
    int[] servers = new int[to - from];
    int[] counts = new int[to - from];
    for (int i = from; i < to; i++) {
      servers[i - from] = server[order[i]];
      counts[i - from] = gpus[order[i]];
      for (int k = 0; k < i - from; k++) {
        if (servers[k] == servers[i - from]) {
          return null;
        }
      }
    }
    Placement placement = Placement.of(servers, counts);
    int[] mapping = mapping(order, from, to);
    return mapping.length == 0 ? placement : placement.mapped(mapping);
  }

  /** Empty unless every row tells of its replicas, and they make up its GPUs. */
  private int[] mapping(int[] order, int from, int to) {
    int stages = replicas(order[from]).length;
    int[] mapping = new int[(to - from) * stages];
    for (int i = from; i < to; i++) {
      int[] here = replicas(order[i]);
      if (here.length != stages || Arrays.stream(here).sum() != gpus[order[i]]) {
        return NOT_SAID;
      }
      System.arraycopy(here, 0, mapping, (i - from) * stages, stages);
    }
    return mapping;
  }

  /** Replicas of each stage on the row's server; empty if the row does not say. */
  int[] replicas(int row) {
    return replicas.getOrDefault(row, NOT_SAID);
  }
}
