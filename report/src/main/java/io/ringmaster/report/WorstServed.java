package io.ringmaster.report;

import io.ringmaster.workload.json.RecordFields.Named;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.List;

/**
 * A job that was served badly: the type of the same name in web/src/data.ts.
 *
 * @param stretch see {@link Waits}
 * @param reasons how long it waited for which, in the order of {@code WaitReason}
 * @param behind the jobs that it waited behind though it would have fitted, the longest first
 * @param behindJobs how many such jobs there are
 * @param heldBack how long it would have fitted and waited behind nobody
 * @param overtaken jobs that came later and got GPUs while it waited
 */
@NamedAsDeclared
public record WorstServed(
    String id,
    String user,
    int gpus,
    double submit,
    double start,
    double finish,
    @Named("wait") double waited,
    double stretch,
    int restarts,
    List<Reason> reasons,
    List<Behind> behind,
    int behindJobs,
    double heldBack,
    int overtaken) {

  /** One of {@code WaitReason}. */
  public record Reason(String reason, double seconds) {}

  public record Behind(String id, int gpus, double seconds) {}
}
