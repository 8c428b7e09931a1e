package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearbyTest {
  @TempDir Path folder = Path.of("");

  @Test
  void slurmIsAskedWhereItsCommandIs() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path command = Files.createFile(bin.resolve("squeue"));
    String path = folder + File.pathSeparator + File.pathSeparator + bin;
    assertThat(Nearby.queue(path, () -> true)).hasValue("kubernetes");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    assertThat(Nearby.queue(path, () -> true)).hasValue("slurm");
  }

  @Test
  void whereThereIsNeitherNobodyIsAsked() {
    assertThat(Nearby.queue("", () -> false)).isEmpty();
    assertThat(Nearby.queue(folder.toString(), () -> true)).hasValue("kubernetes");
  }
}
