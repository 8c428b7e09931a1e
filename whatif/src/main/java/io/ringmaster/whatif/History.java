package io.ringmaster.whatif;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.trace.Imported;
import io.ringmaster.workload.trace.TraceFormats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A site's past: its jobs, what became of them where that is known, and its servers.
 *
 * @param format as {@code import} calls it, or {@link #NATIVE}
 * @param notes what whoever uses it should know; sentences
 */
public record History(String format, Jobs jobs, Cluster cluster, List<String> notes) {
  /** The format of our own jobs file. */
  public static final String NATIVE = "jobs";

  /**
   * Reads a history as it is.
   *
   * @param format null: it is recognised
   * @param settings of the format, as {@code import} has them
   * @param clusterFile null: the servers that the history tells of
   */
  public static History read(
      List<Path> files,
      @Nullable String format,
      Map<String, String> settings,
      @Nullable Path clusterFile,
      JobsFile.Progress progress) {
    Optional<Cluster> given = Optional.ofNullable(clusterFile).map(ClusterFile::read);
    String name = format == null ? recognised(files) : format;
    if (name.equals(NATIVE)) {
      if (!settings.isEmpty()) {
        throw new BadInput(
            "--set %s: a jobs file has no settings; leave it out"
                .formatted(settings.keySet().iterator().next()));
      }
      return ofJobsFile(files, given, progress);
    }
    Imported imported = TraceFormats.read(name, files, settings, 0, progress);
    Cluster cluster =
        given
            .or(() -> imported.cluster(name))
            .orElseThrow(() ->
                new BadInput(
                    "%s: the history tells of no servers; say what they are with --cluster FILE"
                        .formatted(files.getFirst())));
    List<String> notes = new ArrayList<>();
    leftOut(imported).ifPresent(notes::add);
    notes.addAll(imported.notes());
    return new History(name, imported.jobs(), cluster, notes).fitting();
  }

  /** Rows that are no jobs here, by reason: whoever counts jobs wonders. */
  static Optional<String> leftOut(Imported imported) {
    long rows = imported.drops().stream().mapToLong(Imported.Count::rows).sum();
    return rows == 0
        ? Optional.empty()
        : Optional.of(
            "%s of %s rows are left out (%s)"
                .formatted(
                    Spoken.whole(rows),
                    Spoken.whole(imported.rows()),
                    imported.drops().stream()
                        .map(drop -> "%s: %s".formatted(drop.what(), Spoken.whole(drop.rows())))
                        .collect(Collectors.joining("; "))));
  }

  /** The same, if no job could go on after a stop. */
  public History notResumable() {
    List<String> more = new ArrayList<>(notes);
    more.add("no job is taken to be able to go on after a stop, so no policy stops one");
    return new History(format, Change.NotResumable.none(jobs), cluster, more);
  }

  private static String recognised(List<Path> files) {
    return JobsFile.isOne(files.getFirst()) ? NATIVE : TraceFormats.recognised(files);
  }

  private static History ofJobsFile(
      List<Path> files, Optional<Cluster> given, JobsFile.Progress progress) {
    if (files.size() > 1) {
      throw new BadInput("%s: a jobs file stands alone; name one".formatted(files.get(1)));
    }
    Cluster cluster =
        given.orElseThrow(() ->
            new BadInput(
                "%s: a jobs file tells of no servers; add --cluster FILE"
                    .formatted(files.getFirst())));
    Jobs jobs = JobsFile.read(files.getFirst(), ModelTable.standard(), cluster, progress);
    return new History(NATIVE, jobs, cluster, List.of());
  }

  /** Without jobs that the empty cluster does not hold: they would wait for ever. */
  private History fitting() {
    JobsBuilder kept = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      Demand demand = cluster.demand(jobs.demand(job), jobs.profile(job));
      if (jobs.gpus(job) <= cluster.mostWorkers(demand)) {
        kept.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), Draw.modelName(jobs, job));
      }
    }
    int dropped = jobs.size() - kept.size();
    if (dropped == 0) {
      return this;
    }
    List<String> more = new ArrayList<>(notes);
    more.add(
        "%d jobs ask for more than the whole cluster has; they are left out".formatted(dropped));
    return new History(format, kept.build(), cluster, more);
  }

  /** Jobs of which it is not known what they train: for those, the network can only be guessed. */
  public int jobsWithoutModel() {
    int without = 0;
    for (int job = 0; job < jobs.size(); job++) {
      without += jobs.model(job) < 0 ? 1 : 0;
    }
    return without;
  }
}
