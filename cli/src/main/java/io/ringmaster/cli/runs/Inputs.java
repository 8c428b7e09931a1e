package io.ringmaster.cli.runs;

import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run reads.
 *
 * @param provenance where the inputs come from: hashes of files, or a generator and its seed
 */
public record Inputs(Cluster cluster, Jobs jobs, Map<String, Object> provenance) {
  public static final int MANY_JOBS = 100_000;

  public static Inputs read(Path jobsFile, Path clusterFile, @Nullable Path modelsFile) {
    Cluster cluster = ClusterFile.read(clusterFile);
    ModelTable models = ModelTable.standard();
    Map<String, Object> provenance = new LinkedHashMap<>();
    if (modelsFile != null) {
      models = models.with(ModelsFile.read(modelsFile));
    }
    Jobs jobs;
    try (Progress progress = new Progress("read " + jobsFile.getFileName(), 1000)) {
      jobs =
          JobsFile.read(
              jobsFile,
              models,
              cluster,
              (read, all) -> progress.at(1000 * read / Math.max(1, all)));
    }
    if (jobs.size() > MANY_JOBS) {
      // What reading left behind would stay until the heap is full: a third of all memory used.
      System.gc();
    }
    provenance.put("jobs_sha256", sha256(jobsFile));
    provenance.put("cluster_sha256", sha256(clusterFile));
    if (modelsFile != null) {
      provenance.put("models_sha256", sha256(modelsFile));
    }
    return new Inputs(cluster, jobs, provenance);
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
