package io.ringmaster.runs;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.json.RecordFields.Named;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a run reads, and what follows from that alone: found once, however many runs there are. */
public final class RunInputs {
  /** From here on what was left behind is worth the time to collect it. */
  public static final int MANY_JOBS = 100_000;

  /** Where jobs and cluster come from. */
  public sealed interface Provenance {}

  public record Generated(String generator, long seed) implements Provenance {}

  /** Hashes of files. */
  public record ReadFiles(
      @Named("jobs_sha256") String jobs,
      @Named("cluster_sha256") String cluster,
      @Named("models_sha256") Optional<String> models)
      implements Provenance {}

  /** Nobody will ask. */
  private record Unknown() implements Provenance {}

  private final Cluster cluster;
  private final Jobs jobs;
  private final Provenance provenance;
  private final Lengths lengths;
  private @Nullable LowerBounds lowerBounds;

  /**
   * Jobs on a cluster.
   *
   * @param provenance where they come from: hashes of files, or a generator and its seed
   */
  public RunInputs(Cluster cluster, Jobs jobs, Provenance provenance) {
    this(cluster, jobs, provenance, Lengths.of(jobs, cluster));
  }

  private RunInputs(Cluster cluster, Jobs jobs, Provenance provenance, Lengths lengths) {
    this.cluster = cluster.counting(jobs);
    this.jobs = jobs;
    this.provenance = provenance;
    this.lengths = lengths;
  }

  /** The same, with what policies that predict lengths are told of each job, in ideal seconds. */
  public RunInputs foretelling(double[] seconds) {
    return new RunInputs(cluster, jobs, provenance, lengths.foretelling(seconds));
  }

  /** Jobs on a cluster that nobody will ask the source of. */
  public RunInputs(Cluster cluster, Jobs jobs) {
    this(cluster, jobs, new Unknown());
  }

  public static RunInputs read(
      Path jobsFile, Path clusterFile, @Nullable Path modelsFile, JobsFile.Progress progress) {
    Cluster cluster = ClusterFile.read(clusterFile);
    ModelTable models = ModelTable.standard();
    if (modelsFile != null) {
      models = models.with(ModelsFile.read(modelsFile));
    }
    Jobs jobs = JobsFile.read(jobsFile, models, cluster, progress);
    if (jobs.size() > MANY_JOBS) {
      // What reading left behind would stay until the heap is full: a third of all memory used.
      System.gc();
    }
    return new RunInputs(
        cluster,
        jobs,
        new ReadFiles(
            sha256(jobsFile),
            sha256(clusterFile),
            Optional.ofNullable(modelsFile).map(RunInputs::sha256)));
  }

  public Cluster cluster() {
    return cluster;
  }

  public Jobs jobs() {
    return jobs;
  }

  public Provenance provenance() {
    return provenance;
  }

  public Lengths lengths() {
    return lengths;
  }

  /** What no schedule can beat. */
  public synchronized LowerBounds lowerBounds() {
    LowerBounds known = lowerBounds;
    if (known == null) {
      known = LowerBounds.of(jobs, cluster, lengths);
      lowerBounds = known;
    }
    return known;
  }

  public static String sha256(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
