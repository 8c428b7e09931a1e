package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.pipeline.Pipeline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The native jobs file: CSV with a header, one row a job. Files compressed with gzip, xz or
 * zstandard are read as they are.
 *
 * <p>Columns: {@code job_id}, {@code submit_s}, {@code gpus}, one or both of {@code iterations} and
 * {@code duration_s} (a row fills exactly one), and if wanted {@code model}, {@code min_gpus},
 * {@code max_gpus}, {@code user}, {@code group}, {@code cpus_per_gpu}, {@code memory_gb_per_gpu},
 * {@code stages}, {@code start_s} and {@code end_s} as it happened, {@code resumable}, {@code
 * checkpoint_s}, {@code save_s}, {@code gpu_kinds} and {@code gpu_speeds}. Any other column is
 * ignored. {@code gpus} and {@code min_gpus} must fit the cluster; {@code max_gpus} may be more
 * than it has.
 */
public final class JobsFile {
  private static final int HEADER_BYTES = 4096;

  private JobsFile() {}

  /** Told how far a read has come, about every 64 KB. */
  @FunctionalInterface
  public interface Progress {
    /** So many bytes of the file are read, compressed as it is, of so many. */
    void read(long bytes, long ofBytes);
  }

  /** Whether a file looks like one, by its header. */
  public static boolean isOne(Path file) {
    try (InputStream in = Inputs.open(file, (_, _) -> {})) {
      String start = new String(in.readNBytes(HEADER_BYTES), StandardCharsets.UTF_8);
      List<String> header = List.of(start.lines().findFirst().orElse("").split(",", -1));
      return header.contains("job_id") && header.contains("submit_s");
    } catch (IOException e) {
      throw new BadInput("%s: cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  public static Jobs read(Path file, ModelTable models, Cluster cluster) {
    return read(file, models, cluster, (_, _) -> {});
  }

  /** Reads jobs that are to run on a cluster. */
  public static Jobs read(Path file, ModelTable models, Cluster cluster, Progress progress) {
    JobRows rows = new JobRows(file, models, cluster);
    if (rows.readAll(progress) == 0) {
      throw new BadInput(file + ": no jobs: there is nothing after the header line");
    }
    return rows.jobs();
  }

  /**
   * Writes jobs in order of submission. Columns that no job fills are left out. Reading the file
   * gives the same jobs, to the last bit of every number.
   */
  public static void write(Path file, Jobs jobs) {
    try (CsvOutput out = CsvOutput.create(file)) {
      write(out, jobs);
      out.finish();
    }
  }

  static void write(CsvOutput out, Jobs jobs) {
    boolean durations = false;
    boolean iterations = false;
    boolean models = false;
    boolean users = false;
    boolean groups = false;
    boolean amounts = false;
    boolean kinds = false;
    for (int job = 0; job < jobs.size(); job++) {
      durations |= jobs.workIsDuration(job);
      iterations |= !jobs.workIsDuration(job);
      models |= jobs.model(job) >= 0;
      users |= jobs.user(job) >= 0;
      groups |= jobs.group(job) >= 0;
      Demand asked = jobs.demand(job);
      amounts |= asked.cpus() > 0 || asked.memoryBytes() > 0;
      kinds |= !asked.where().kinds().isEmpty();
    }
    boolean elastic = jobs.anyElastic();
    List<String> header = new ArrayList<>(List.of("job_id", "submit_s", "gpus"));
    addIf(iterations, header, "iterations");
    addIf(durations || !iterations, header, "duration_s");
    addIf(models, header, "model");
    addIf(elastic, header, "min_gpus", "max_gpus");
    addIf(users, header, "user");
    addIf(groups, header, "group");
    addIf(amounts, header, "cpus_per_gpu", "memory_gb_per_gpu");
    addIf(jobs.anyStaged(), header, "stages");
    addIf(jobs.isHistory(), header, "start_s", "end_s");
    addIf(!jobs.allResumable(), header, "resumable");
    addIf(jobs.anyCheckpoints(), header, "checkpoint_s");
    addIf(jobs.anySaveTimes(), header, "save_s");
    addIf(kinds, header, "gpu_kinds");
    addIf(jobs.anyOwnSpeeds(), header, "gpu_speeds");
    out.header(header.toArray(String[]::new));

    byte[][] modelNames = utf8(jobs.profiles().stream().map(ModelProfile::id).toList());
    byte[][] userNames = utf8(jobs.userNames());
    byte[][] groupNames = utf8(jobs.groupNames());
    byte[] ids = jobs.idBytes();
    for (int job = 0; job < jobs.size(); job++) {
      out.bytes(ids, jobs.idFrom(job), jobs.idTo(job));
      out.exact(jobs.submitSeconds(job)).whole(jobs.gpus(job));
      if (iterations && durations) {
        writeBoth(out, jobs, job);
      } else {
        out.exact(jobs.work(job));
      }
      if (models) {
        name(out, modelNames, jobs.model(job));
      }
      if (elastic) {
        out.whole(jobs.minGpus(job)).whole(jobs.maxGpus(job));
      }
      if (users) {
        name(out, userNames, jobs.user(job));
      }
      if (groups) {
        name(out, groupNames, jobs.group(job));
      }
      if (amounts) {
        Demand asked = jobs.demand(job);
        out.exact(asked.cpus()).exact(asked.memoryBytes() / JobRows.BYTES_PER_GIGABYTE);
      }
      if (jobs.anyStaged()) {
        ModelProfile profile = jobs.profile(job);
        Pipeline pipeline = profile == null ? null : profile.pipeline();
        out.text(pipeline == null ? "" : pipeline.replicas().text());
      }
      if (jobs.isHistory()) {
        exactIfKnown(out, jobs.startedSeconds(job));
        exactIfKnown(out, jobs.endedSeconds(job));
      }
      if (!jobs.allResumable()) {
        out.text(Boolean.toString(jobs.resumable(job)));
      }
      if (jobs.anyCheckpoints()) {
        exactIfKnown(
            out, jobs.checkpointSeconds(job) > 0 ? jobs.checkpointSeconds(job) : Double.NaN);
      }
      if (jobs.anySaveTimes()) {
        out.exact(jobs.saveSeconds(job));
      }
      if (kinds) {
        out.text(jobs.demand(job).where().text());
      }
      if (jobs.anyOwnSpeeds()) {
        out.text(jobs.ownSpeeds(job).text());
      }
      out.endRow();
    }
  }

  private static void exactIfKnown(CsvOutput out, double seconds) {
    if (Double.isNaN(seconds)) {
      out.empty();
    } else {
      out.exact(seconds);
    }
  }

  private static void writeBoth(CsvOutput out, Jobs jobs, int job) {
    if (jobs.workIsDuration(job)) {
      out.empty().exact(jobs.work(job));
    } else {
      out.exact(jobs.work(job)).empty();
    }
  }

  private static void addIf(boolean wanted, List<String> header, String... columns) {
    if (wanted) {
      header.addAll(List.of(columns));
    }
  }

  private static void name(CsvOutput out, byte[][] names, int index) {
    if (index < 0) {
      out.empty();
    } else {
      out.bytes(names[index], 0, names[index].length);
    }
  }

  private static byte[][] utf8(List<String> names) {
    return names.stream().map(n -> n.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }
}
