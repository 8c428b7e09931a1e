package io.ringmaster.cli.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.cli.Main;
import io.ringmaster.model.Cluster;
import io.ringmaster.testing.SlurmTestbed;
import io.ringmaster.training.RingProbe;
import io.ringmaster.workload.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in an allocation of a real Slurm, for so short that its numbers mean nothing. */
class CalibrateInAllocationTest {
  private static @Nullable SlurmTestbed testbed;

  @TempDir Path folder;

  @BeforeAll
  static void up() {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    testbed = SlurmTestbed.up(Map.of("NODES", "3", "GPUS", "2"));
  }

  @AfterAll
  static void down() {
    if (testbed != null) {
      testbed.close();
    }
  }

  private String allocated(String... options) throws IOException {
    // A file, since a failure tells the whole command.
    Path classPath = folder.resolve("class-path");
    Files.writeString(classPath, "-cp " + System.getProperty("java.class.path"));
    List<String> words = new ArrayList<>(List.of("salloc", "--quiet", "-N3", "--gres=gpu:2"));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("@" + classPath, Main.class.getName(), "calibrate"));
    words.addAll(List.of(options));
    return Objects.requireNonNull(testbed).run(words.toArray(String[]::new));
  }

  private static Stream<String> probes() {
    return ProcessHandle.allProcesses()
        .map(p -> p.info().commandLine().orElse(""))
        .filter(line -> line.contains(RingProbe.class.getName()))
        .filter(line -> line.contains("srun"));
  }

  @Test
  void measuresBetweenTheNodesAndWritesThem() throws IOException {
    Path out = folder.resolve("measured.yaml");
    String said = allocated("--rings", "2", "--seconds", "1", "--inside", "--out", out.toString());
    assertThat(said)
        .contains("2 rings of 3 processes", "nodes 1 2 + 2 3", "Whole iterations of all")
        .contains("latency of a step inside a node, us");
    Cluster cluster = ClusterFile.read(out);
    assertThat(cluster.servers())
        .extracting(server -> server.name() + " " + server.gpus())
        .containsExactly("n1 2", "n2 2", "n3 2");
    assertThat(probes()).isEmpty();
  }

  @Test
  void moreWorkersThanNodesAreRefused() {
    assertThat(catchThrowable(() -> allocated("--workers", "4")))
        .hasMessageContaining("--workers: 4 are more than the 3 nodes of job ")
        .hasMessageContaining("expected at most one on each");
  }
}
