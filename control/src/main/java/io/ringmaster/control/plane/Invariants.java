package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.HELD_GPUS;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.JOB_AGREES_WITH_STATE;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.JOB_IN_ITS_PLACE;
import static io.ringmaster.control.plane.BrokenInvariant.unless;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * What the plane knows of its jobs, and must agree. What it shows the policy is checked by {@link
 * AdmittedJobs}.
 *
 * @param open jobs that have not ended, by id
 * @param placed those of them that are to be launched
 * @param heldGpus by node; none is no entry
 * @param usableGpus how many GPUs of a node may be launched on
 */
record Invariants(
    Map<Long, Job> open,
    Set<Long> placed,
    Map<String, Integer> heldGpus,
    ToIntFunction<String> usableGpus) {

  /**
   * A job changed in this step.
   *
   * @param isLaunched whether it was launched in this step: later a node may lose GPUs, and have
   *     fewer than are held
   */
  void check(Job job, boolean isLaunched) {
    boolean mayHaveTarget =
        switch (job.state()) {
          case PLACED, STARTING, RUNNING -> job.target() != null;
          case CHECKPOINTING, STOPPING -> true;
          default -> job.target() == null;
        };
    unless(
        mayHaveTarget && (job.held() != null) == job.state().holdsGpus(),
        JOB_AGREES_WITH_STATE,
        "job %d is %s, holds %s and is to have %s",
        job.id(),
        job.state().text(),
        job.held(),
        job.target());
    unless(
        job.equals(open.get(job.id())) != job.state().isEnd()
            && open.containsKey(job.id()) != job.state().isEnd()
            && placed.contains(job.id()) == (job.state() == JobState.PLACED),
        JOB_IN_ITS_PLACE,
        "job %d is %s; open: %s; to be launched: %s",
        job.id(),
        job.state().text(),
        open.get(job.id()),
        placed.contains(job.id()));
    Allocation held = job.held();
    if (held != null) {
      held.shares().forEach(share -> check(job, share, isLaunched));
    }
  }

  private void check(Job job, Allocation.Share share, boolean isLaunched) {
    int all = heldGpus.getOrDefault(share.node(), 0);
    unless(
        all >= share.gpus() && (!isLaunched || all <= usableGpus.applyAsInt(share.node())),
        HELD_GPUS,
        "job %d holds %d GPUs of %s, all jobs %d, and %d may be launched on",
        job.id(),
        share.gpus(),
        share.node(),
        all,
        usableGpus.applyAsInt(share.node()));
  }

  void checkAll() {
    Map<String, Integer> counted = new HashMap<>();
    for (Job job : open.values()) {
      Allocation held = job.held();
      if (held != null) {
        held.shares().forEach(share -> counted.merge(share.node(), share.gpus(), Integer::sum));
      }
    }
    unless(heldGpus.equals(counted), HELD_GPUS, "%s counted, %s held", heldGpus, counted);
    for (long id : placed) {
      unless(open.containsKey(id), JOB_IN_ITS_PLACE, "job %d is to be launched, and not open", id);
    }
  }
}
