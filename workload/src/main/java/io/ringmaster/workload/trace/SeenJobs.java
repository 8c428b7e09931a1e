package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.JobsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a site with those that run and wait, on the clock of its files.
 *
 * @param serverGpus by the server's name
 */
public record SeenJobs(
    List<SeenJob> jobs, SortedMap<String, Integer> serverGpus, List<String> notes) {

  /**
   * Reads what commands of a site printed, or a trace.
   *
   * @param format as {@code import} calls it; null: it is recognised
   * @param given settings of the format
   */
  public static SeenJobs read(
      List<Path> files,
      @Nullable String format,
      Map<String, String> given,
      JobsFile.Progress progress) {
    TraceFormat reader = format == null ? recognised(files) : queue(TraceFormats.named(format));
    Settings settings =
        Settings.of(
            "format " + reader.name(),
            Stream.concat(TraceJobs.PARAMETERS.stream(), reader.parameters().stream()).toList(),
            given);
    Collected collected = new Collected(progress);
    reader.reader().read(files, settings, collected);
    if (collected.jobs.isEmpty()) {
      throw new BadInput(
          "%s: none of its %d rows is a job with GPUs%s"
              .formatted(files.getFirst(), collected.rows, collected.firstDrop()));
    }
    if (collected.unclear > 0) {
      collected.note(
          "%d jobs that have not ended say nothing of GPUs and are left out; have sacct print ReqTRES"
                  .formatted(collected.unclear)
              + " too");
    }
    return new SeenJobs(collected.jobs, collected.servers, collected.notes);
  }

  /** The servers that the files tell of, all alike but for their GPUs. */
  public Optional<Cluster> cluster() {
    return Imported.cluster("site", serverGpus);
  }

  /** The same, and what became of others before: of a job that is in both, what is here counts. */
  public SeenJobs after(SeenJobs history) {
    Set<String> here = jobs.stream().map(SeenJob::id).collect(Collectors.toSet());
    List<SeenJob> all = new ArrayList<>(jobs);
    history.jobs.stream()
        .filter(job -> job.state() == SeenJob.State.ENDED && !here.contains(job.id()))
        .forEach(all::add);
    SortedMap<String, Integer> servers = new TreeMap<>(serverGpus);
    history.serverGpus.forEach((server, gpus) -> servers.merge(server, gpus, Math::max));
    List<String> told = new ArrayList<>(notes);
    history.notes.stream().filter(note -> !told.contains(note)).forEach(told::add);
    return new SeenJobs(all, servers, told);
  }

  private static TraceFormat recognised(List<Path> files) {
    return Beginning.isOf(Sacct.QUEUE, files)
        ? Sacct.QUEUE
        : TraceFormats.named(TraceFormats.recognised(files));
  }

  /** What squeue prints is read beside what sacct does. */
  private static TraceFormat queue(TraceFormat format) {
    return format.name().equals(Sacct.FORMAT.name()) ? Sacct.QUEUE : format;
  }

  static final class Collected implements TraceSink {
    private final JobsFile.Progress progress;
    private final List<SeenJob> jobs = new ArrayList<>();
    private final TreeMap<String, Integer> servers = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private String dropped = "";
    private long rows;
    private int unclear;
    private int withoutGpus;

    Collected(JobsFile.Progress progress) {
      this.progress = progress;
    }

    List<SeenJob> jobs() {
      return jobs;
    }

    /** Jobs that have not ended and ask for no GPU. */
    int withoutGpus() {
      return withoutGpus;
    }

    @Override
    public void row(Path file, long line) {
      rows++;
    }

    @Override
    public void keep(TraceJob job) {
      keep(job, Map.of(), Double.POSITIVE_INFINITY);
    }

    @Override
    public void keep(TraceJob job, Map<String, Integer> gpusByServer, double limitSeconds) {
      open(SeenJob.ended(job, gpusByServer, limitSeconds));
    }

    @Override
    public void open(SeenJob job) {
      if (job.gpus() > 0
          && job.gpus() <= TraceJobs.MOST_GPUS
          && Math.abs(job.submitSeconds()) <= TraceJobs.LATEST
          && job.lengthSeconds() >= 0
          && job.lengthSeconds() <= TraceJobs.MOST_SECONDS) {
        jobs.add(job);
      } else {
        withoutGpus += job.gpus() == 0 ? 1 : 0;
        unclear += job.gpus() == 0 && job.demand().isNone() ? 1 : 0;
        drop("has no GPUs, or times that cannot be");
      }
    }

    @Override
    public void drop(String reason) {
      dropped = dropped.isEmpty() ? reason : dropped;
    }

    private String firstDrop() {
      return dropped.isEmpty() ? "" : "; the first %s".formatted(dropped);
    }

    @Override
    public void part(String reason) {}

    @Override
    public void server(String name, int gpus) {
      if (gpus > 0 && gpus <= TraceJobs.MOST_GPUS_EACH) {
        servers.merge(name, gpus, Math::max);
      }
    }

    @Override
    public void note(String text) {
      if (!notes.contains(text)) {
        notes.add(text);
      }
    }

    @Override
    public void progress(long bytes, long ofBytes) {
      progress.read(bytes, ofBytes);
    }
  }
}
