package io.ringmaster.advise;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.trace.SeenJob;
import io.ringmaster.workload.trace.SeenJobs;
import io.ringmaster.workload.trace.SlurmSite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A site as its files or its own commands tell of it: jobs that ended, run and wait, and servers.
 *
 * @param policy that it says it has; none: what its past tells
 * @param stintsById of jobs that were stopped and went on; others have the one that they tell of
 */
public record Site(
    List<SeenJob> jobs,
    Cluster cluster,
    List<String> notes,
    Optional<String> policy,
    Map<String, List<Stint>> stintsById,
    Expectations expectations) {

  public Site(List<SeenJob> jobs, Cluster cluster, List<String> notes) {
    this(jobs, cluster, notes, Optional.empty());
  }

  Site(List<SeenJob> jobs, Cluster cluster, List<String> notes, Optional<String> policy) {
    this(jobs, cluster, notes, policy, Map.of(), Expectations.of(jobs, cluster));
  }

  /** Where it was, if it was stopped and went on. */
  List<Stint> stints(SeenJob job) {
    return stintsById.getOrDefault(job.id(), List.of());
  }

  /** A Slurm site at a moment. */
  public static Site of(SlurmSite slurm) {
    return new Site(slurm.jobs(), slurm.cluster(), slurm.notes(), slurm.policy());
  }

  /**
   * Reads files.
   *
   * @param history of jobs that ended, beside the queue; may be empty
   * @param format as {@code import} calls it; null: it is recognised
   * @param clusterFile null: the servers that the files tell of
   */
  public static Site read(
      List<Path> queue,
      List<Path> history,
      @Nullable String format,
      Map<String, String> settings,
      @Nullable Path clusterFile,
      JobsFile.Progress progress) {
    if (Files.isDirectory(queue.getFirst())) {
      return SimulatedSite.read(queue.getFirst());
    }
    Optional<Cluster> given = Optional.ofNullable(clusterFile).map(ClusterFile::read);
    if (JobsFile.isOne(queue.getFirst())) {
      Cluster cluster = given.orElseThrow(() -> noServers(queue.getFirst()));
      return new Site(
          ofJobsFile(
              JobsFile.read(queue.getFirst(), ModelTable.standard(), cluster, progress), cluster),
          cluster,
          List.of());
    }
    SeenJobs seen = SeenJobs.read(queue, format, settings, progress);
    SeenJobs all =
        history.isEmpty() ? seen : seen.after(SeenJobs.read(history, null, Map.of(), progress));
    Cluster cluster = given.or(all::cluster).orElseThrow(() -> noServers(queue.getFirst()));
    return new Site(all.jobs(), cluster, given.isPresent() ? List.of() : all.notes());
  }

  private static BadInput noServers(Path file) {
    return new BadInput(
        "%s: it tells of no servers; say what they are with --cluster FILE".formatted(file));
  }

  /** A job without an end runs, one without a start waits; its length is the most it may take. */
  private static List<SeenJob> ofJobsFile(Jobs jobs, Cluster cluster) {
    Lengths lengths = Lengths.of(jobs, cluster);
    List<SeenJob> seen = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      double start = jobs.startedSeconds(job);
      double end = jobs.endedSeconds(job);
      SeenJob.State state =
          Double.isNaN(start)
              ? SeenJob.State.WAITING
              : Double.isNaN(end) ? SeenJob.State.RUNNING : SeenJob.State.ENDED;
      seen.add(
          new SeenJob(
              jobs.id(job),
              state,
              jobs.submitSeconds(job),
              start,
              end,
              state == SeenJob.State.ENDED ? end - start : 0,
              jobs.gpus(job),
              state == SeenJob.State.ENDED ? Double.POSITIVE_INFINITY : lengths.idealSeconds(job),
              0,
              "",
              jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
              jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)),
              jobs.demand(job),
              Map.of()));
    }
    return seen;
  }

  /** The last moment that its files tell of. */
  public double latestSeconds() {
    return QueueAt.latestSeconds(jobs);
  }

  /** Its queue at a moment, with what was known then. */
  public Queue at(double nowSeconds) {
    return QueueAt.of(this, nowSeconds);
  }
}
