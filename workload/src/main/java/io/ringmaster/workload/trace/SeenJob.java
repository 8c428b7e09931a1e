package io.ringmaster.workload.trace;

import io.ringmaster.model.Demand;
import java.util.Map;

/**
 * A job of a site as it stood when its file was written: ended, or not yet.
 *
 * @param startSeconds on the clock of {@code submitSeconds}; NaN if it has not started, or nobody
 *     knows
 * @param endSeconds NaN if it has not ended
 * @param lengthSeconds how long it ran, up to now if it still runs; 0 if it has not started
 * @param limitSeconds after which it is ended; infinite if there is no limit
 * @param priority those with more go first; 0 if the file does not say
 * @param heldBecause in the site's own words, why it may not start whatever is free; may be empty
 * @param gpusByServer where it runs or ran; empty if the file does not say
 * @param asked where it is to be
 */
public record SeenJob(
    String id,
    State state,
    double submitSeconds,
    double startSeconds,
    double endSeconds,
    double lengthSeconds,
    int gpus,
    double limitSeconds,
    double priority,
    String heldBecause,
    String user,
    String group,
    Demand demand,
    Map<String, Integer> gpusByServer,
    AskedPlace asked) {

  /** Of which nobody says where it is to be. */
  public SeenJob(
      String id,
      State state,
      double submitSeconds,
      double startSeconds,
      double endSeconds,
      double lengthSeconds,
      int gpus,
      double limitSeconds,
      double priority,
      String heldBecause,
      String user,
      String group,
      Demand demand,
      Map<String, Integer> gpusByServer) {
    this(
        id,
        state,
        submitSeconds,
        startSeconds,
        endSeconds,
        lengthSeconds,
        gpus,
        limitSeconds,
        priority,
        heldBecause,
        user,
        group,
        demand,
        gpusByServer,
        AskedPlace.ANY);
  }

  public enum State {
    WAITING,
    RUNNING,
    ENDED
  }

  static SeenJob ended(TraceJob job, Map<String, Integer> gpusByServer, double limitSeconds) {
    double start = job.submitSeconds() + job.waitedSeconds();
    return new SeenJob(
        job.id(),
        State.ENDED,
        job.submitSeconds(),
        start,
        Double.isNaN(start)
            ? job.submitSeconds() + job.durationSeconds()
            : start + job.lastedSeconds(),
        job.durationSeconds(),
        job.gpus(),
        limitSeconds,
        0,
        "",
        job.user(),
        job.group(),
        new Demand(job.cpusPerGpu(), job.memoryBytesPerGpu()),
        gpusByServer);
  }

  /** The same job, which may not start. */
  SeenJob held(String because) {
    return with(gpus, demand, gpusByServer, priority, because);
  }

  /** The same job with what it takes beside GPUs, where it is, and what keeps it from starting. */
  SeenJob with(
      int newGpus, Demand newDemand, Map<String, Integer> newPlaces, double rank, String held) {
    return new SeenJob(
        id,
        state,
        submitSeconds,
        startSeconds,
        endSeconds,
        lengthSeconds,
        newGpus,
        limitSeconds,
        rank,
        held,
        user,
        group,
        newDemand,
        newPlaces,
        asked);
  }
}
