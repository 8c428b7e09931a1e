package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Main;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who has no rights on a real Slurm.
 *
 * @param dir where they keep things; open to all
 */
record SlurmUser(SlurmTestbed slurm, int uid, Path dir) {
  SlurmUser {
    try {
      // They must get to its slurm.conf.
      Files.setPosixFilePermissions(slurm.folder(), PosixFilePermissions.fromString("rwx--x--x"));
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> self() {
    return List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups");
  }

  /** Slurm's commands, as they give them. */
  SlurmCommands commands() {
    List<String> prefix = new ArrayList<>(slurm.prefix());
    prefix.addAll(self());
    return new SlurmCommands(prefix, Duration.ofSeconds(60));
  }

  /** Submits jobs that sleep. */
  void submit(int seconds, String... words) {
    List<String> command = new ArrayList<>(self());
    command.addAll(List.of("sbatch", "-o", "/dev/null"));
    command.addAll(List.of(words));
    command.addAll(List.of("--wrap", "sleep " + seconds));
    slurm.run(command.toArray(String[]::new));
  }

  /** Waits until a command, which sees everything, prints so many lines, errors not counted. */
  void awaitLines(int count, String command) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (slurm.run("sh", "-c", command + " 2>/dev/null || :").lines().count() < count) {
      assertThat(System.nanoTime()).as(command).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  /** What the program says to them, in one line. */
  String ringmaster(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(slurm.prefix());
    command.addAll(self());
    // The jars of the class path may be in a folder of root's.
    command.addAll(
        List.of(
            "--inh-caps=+dac_read_search",
            "--ambient-caps=+dac_read_search",
            "env",
            "XDG_CACHE_HOME=" + dir,
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName()));
    command.addAll(List.of(words));
    Path out = Files.createTempFile("advise", ".out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(out);
    Files.delete(out);
    assertThat(process.exitValue()).as(said).isZero();
    return said.replaceAll("\\s+", " ");
  }
}
