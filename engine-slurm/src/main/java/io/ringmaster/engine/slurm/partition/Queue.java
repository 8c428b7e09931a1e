package io.ringmaster.engine.slurm.partition;

import io.ringmaster.engine.slurm.client.SlurmJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one look at Slurm told of jobs, to be found by what attempts know them by. */
final class Queue {
  private final List<SlurmJob> jobs;
  private final PeoplesJobs people;
  private final Map<String, SlurmJob> byAddress = new HashMap<>();
  private final Map<String, List<SlurmJob>> tagged = new HashMap<>();

  Queue(List<SlurmJob> jobs, PeoplesJobs people) {
    this.jobs = jobs;
    this.people = people;
    for (SlurmJob job : jobs) {
      byAddress.put(job.address(), job);
      if (job.comment().startsWith(JobScript.TAG)) {
        tagged.computeIfAbsent(job.comment(), _ -> new ArrayList<>()).add(job);
      }
    }
  }

  List<SlurmJob> jobs() {
    return jobs;
  }

  /** The job of an attempt, the first component if it has several; null: Slurm knows none. */
  @Nullable SlurmJob of(AttemptRecord record) {
    if (!record.isArrival()) {
      return parts(record).stream().min(Comparator.comparingLong(SlurmJob::id)).orElse(null);
    }
    SlurmJob job = byAddress.get(record.address);
    return job != null && people.id(job).equals(record.arrival) ? job : null;
  }

  /** All components of a job that was submitted to the plane. */
  List<SlurmJob> parts(AttemptRecord record) {
    return tagged.getOrDefault(record.tag, List.of());
  }
}
