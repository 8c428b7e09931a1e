package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One end of an attempt, of the ends of its parts. */
final class Ends {
  private Ends() {}

  /**
   * How a part ended.
   *
   * @param failedNanos when its first worker failed, by the clock of the shared folder; of account
   *     only if one did
   */
  record End(String node, Status.Phase phase, long failedNanos) {}

  /**
   * The end of all.
   *
   * @param ends of all parts, by rank
   * @param doom why it could not go on although no worker failed; null: it could
   * @param whyStopped if it was stopped, and not by the plane; else empty
   */
  static Status.Phase of(List<End> ends, @Nullable String doom, String whyStopped) {
    if (doom != null) {
      return new Status.Gone(doom);
    }
    End first = null;
    for (End end : ends) {
      if (end.phase instanceof Status.Exited exited
          && exited.code() != 0
          && !exited.stopped()
          && (first == null || end.failedNanos < first.failedNanos)) {
        first = end;
      }
    }
    if (first != null) {
      return first.phase;
    }
    for (End end : ends) {
      if (end.phase instanceof Status.Gone gone) {
        return new Status.Gone(
            ends.size() == 1 ? gone.why() : "on node %s: %s".formatted(end.node, gone.why()));
      }
    }
    int code = 0;
    boolean stopped = false;
    for (End end : ends) {
      if (end.phase instanceof Status.Exited exited) {
        code = code == 0 ? exited.code() : code;
        stopped |= exited.stopped();
      }
    }
    return new Status.Exited(code, stopped, stopped ? whyStopped : "");
  }
}
