package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that gets full in the middle of a run. Needs root, to mount a disk of 64 KB. */
class FullDiskTest {
  @TempDir Path temporary;
  private boolean mounted;

  private static boolean succeeds(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  private Path disk() {
    return temporary.resolve("disk");
  }

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    Files.createDirectory(disk());
    try {
      mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk().toString());
    } catch (IOException e) {
      mounted = false;
    }
    assumeTrue(mounted, "cannot mount a small disk: not root, or not allowed");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(succeeds("umount", disk().toString())).isTrue();
    }
  }

  @Test
  void isToldInOneLineAndLeavesNothing() throws IOException {
    Path jobs = temporary.resolve("jobs.csv");
    StringBuilder text = new StringBuilder("job_id,submit_s,gpus,duration_s\n");
    for (int i = 0; i < 5000; i++) {
      text.append("job-").append(i).append(',').append(i).append(",1,100\n");
    }
    Cli.write(jobs, text.toString());
    Map<String, String> before = Cli.files(disk());
    for (String[] command :
        new String[][] {
          {"simulate", jobs.toString(), "--cluster", Cli.CLUSTER, "--policy", "fifo"},
          {"compare", jobs.toString(), "--cluster", Cli.CLUSTER, "--policies", "fifo,sjf"},
          {"generate", "philly", "--set", "jobs=5000"}
        }) {
      String[] args = Arrays.copyOf(command, command.length + 2);
      args[command.length] = "--out";
      args[command.length + 1] = disk().resolve("out").toString();

      Cli.Ran ran = Cli.run(args);

      assertThat(ran.err()).matches("ringmaster: [^\n]+\n").containsIgnoringCase("no space left");
      assertThat(ran.status()).as(ran.err()).isEqualTo(2);
      assertThat(ran.out()).isEmpty();
      assertThat(Cli.files(disk())).isEqualTo(before);
      assertThat(openFiles()).isEmpty();
    }
  }

  /** Files on the small disk that this process has open. */
  private List<Path> openFiles() throws IOException {
    List<Path> open = new ArrayList<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        try {
          Path file = Files.readSymbolicLink(descriptor);
          if (file.startsWith(disk())) {
            open.add(file);
          }
        } catch (NoSuchFileException e) {
          // It was closed meanwhile, as the descriptor of this very walk is.
        }
      }
    }
    return open;
  }
}
