package io.ringmaster.cli.advise;

import io.ringmaster.engine.kubernetes.client.Kubernetes;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Which live queue is meant where none is named. */
final class Nearby {
  private static final String SLURM_COMMAND = "squeue";

  private Nearby() {}

  /** The one that this machine can ask; Slurm, if it can ask both. */
  static Optional<String> queue() {
    return queue(System.getenv().getOrDefault("PATH", ""), Kubernetes::isKnown);
  }

  static Optional<String> queue(String path, BooleanSupplier isKubernetesKnown) {
    boolean isSlurm =
        Arrays.stream(path.split(File.pathSeparator))
            .filter(folder -> !folder.isEmpty())
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, SLURM_COMMAND)));
    if (isSlurm) {
      return Optional.of(LiveSlurm.NAME);
    }
    return isKubernetesKnown.getAsBoolean() ? Optional.of(LiveKubernetes.NAME) : Optional.empty();
  }
}
