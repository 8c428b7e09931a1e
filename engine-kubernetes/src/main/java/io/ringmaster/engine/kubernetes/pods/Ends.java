package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import io.ringmaster.engine.kubernetes.pods.PodSight.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How an attempt ended, from how its pods did. */
final class Ends {
  static final String STOPPED = "was stopped before it started";

  private static final int KILLED = 137;

  /** Containers that could not be started at all: there is no shell in the image. */
  private static final Set<String> CANNOT_RUN =
      Set.of("StartError", "ContainerCannotRun", "RunContainerError");

  private static final int NO_PROGRAM = 127;

  private Ends() {}

  /**
   * Of an attempt of which no pod runs.
   *
   * @param ends how the container of each pod ended; null: the pod is gone, and nobody saw it
   */
  static Phase of(AttemptRecord record, List<@Nullable Ended> ends) {
    @Nullable Result failed = null;
    for (Ended end : ends) {
      Result result = end == null ? null : Result.of(end.message());
      boolean isFirst =
          result != null
              && result.hasFailed()
              && (failed == null || result.atSeconds() < failed.atSeconds());
      failed = isFirst ? result : failed;
    }
    if (failed != null) {
      // Nodes are asked to stop one after the other, and workers tell each other: one that ends
      // for that before its own node is asked has been stopped too.
      boolean follows =
          record.isStopping()
              && !record.failedFirst
              && ends.stream().anyMatch(end -> end != null && wasAsked(end));
      return new Status.Exited(failed.code(), follows);
    }
    List<Result> results = new ArrayList<>();
    for (Ended end : ends) {
      Result result = end == null ? null : Result.of(end.message());
      if (end != null && result == null) {
        return killed(record, end);
      }
      if (result != null) {
        results.add(result);
      }
    }
    if (!record.doom.isEmpty()) {
      return record.isItsFault
          ? new Status.Exited(Manifests.CANNOT_BE_RUN, false, record.doom)
          : new Status.Gone(record.doom);
    }
    if (results.size() < ends.size()) {
      return new Status.Gone(
          record.isStopping()
              ? record.wasRunning ? "was ended by its node" : STOPPED
              : "its pod was removed from Kubernetes");
    }
    return said(record, results);
  }

  private static boolean wasAsked(Ended end) {
    Result result = Result.of(end.message());
    return result != null && result.stopped();
  }

  /** It had no time to say how its workers ended. */
  private static Phase killed(AttemptRecord record, Ended end) {
    if (end.reason().equals("OOMKilled")) {
      return new Status.Exited(
          KILLED, false, "it took more memory than it asked for, and was killed for that");
    }
    if (record.isStopping()) {
      return new Status.Exited(KILLED, true);
    }
    String why = (end.reason() + " " + end.message()).strip();
    return CANNOT_RUN.contains(end.reason()) || end.code() == NO_PROGRAM
        ? new Status.Exited(Manifests.CANNOT_BE_RUN, false, "its container cannot be run: " + why)
        : new Status.Gone("its container was killed: " + why);
  }

  private static Phase said(AttemptRecord record, List<Result> results) {
    if (results.stream().anyMatch(result -> !result.began())) {
      return new Status.Gone(STOPPED);
    }
    int code =
        results.stream().mapToInt(Result::code).filter(each -> each != 0).findFirst().orElse(0);
    boolean stopped = results.stream().anyMatch(Result::stopped);
    return stopped && !record.isStopping()
        ? new Status.Exited(code, true, "its pod was asked to end by Kubernetes")
        : new Status.Exited(code, stopped);
  }
}
