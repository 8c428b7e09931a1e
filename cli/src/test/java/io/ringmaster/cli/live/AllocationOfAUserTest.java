package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.cli.Main;
import io.ringmaster.testing.SlurmTestbed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From {@code sbatch examples/slurm/allocation.sh} to a job that is done, by a user who has no
 * rights at all.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class AllocationOfAUserTest {
  private static final String NOBODY = "65534";
  private static final String SERVER = "http://10.77.0.1:7070";

  @TempDir Path dir;

  @Test
  void aUserWithoutRightsGetsNodesAndHasAJobDoneOnThem() throws Exception {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    open(dir, "rwxrwxrwx");
    Path program = program();
    try (SlurmTestbed slurm = SlurmTestbed.up(Map.of("NODES", "2"))) {
      // Others must get to its slurm.conf.
      open(slurm.folder(), "rwx--x--x");
      String log = dir.resolve("log").toString();
      asNobody(slurm, "sbatch", "-N2", "--gres=gpu:2", "-o", log, script().toString());
      String said =
          asNobody(
              slurm,
              "sh",
              "-c",
              // It takes a while until the server is there.
              "for i in 1 2 3 4 5 6 7 8; do timeout 60 \"$@\" && exit; sleep 1; done; exit 1",
              "sh",
              program.toString(),
              "submit",
              "--server",
              SERVER,
              "--gpus",
              "3",
              "--wait",
              "--",
              "sh",
              "-c",
              "echo $(id -u) $RINGMASTER_NODE $RANK of $WORLD_SIZE"
                  + " >>$RINGMASTER_CHECKPOINT_DIR/who");
      assertThat(said).as(Files.readString(dir.resolve("log"))).contains("succeeded");
    }
    assertThat(Files.readAllLines(dir.resolve("data/checkpoints/1/who")))
        .containsExactlyInAnyOrder(
            NOBODY + " n1 0 of 3", NOBODY + " n1 1 of 3", NOBODY + " n2 2 of 3");
    Path data = dir.resolve("data");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        assertThat(Files.getAttribute(file, "unix:uid")).as("%s", file).isEqualTo(65534);
      }
    }
  }

  private String asNobody(SlurmTestbed slurm, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                "env",
                "HOME=" + dir.resolve("home"),
                "RINGMASTER=" + dir.resolve("ringmaster"),
                "RINGMASTER_DATA=" + dir.resolve("data"),
                "RINGMASTER_LISTEN=10.77.0.1:7070"));
    command.addAll(List.of(words));
    return slurm.run(command.toArray(String[]::new));
  }

  private Path script() throws IOException {
    Path script = dir.resolve("allocation.sh");
    Files.copy(Path.of("../examples/slurm/allocation.sh"), script);
    open(script, "rw-r--r--");
    return script;
  }

  /** What is on the class path may be in folders of root's. */
  private Path program() throws IOException, InterruptedException {
    Path classes = Files.createDirectories(dir.resolve("classes"));
    List<String> copied = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path from = Path.of(each);
      if (Files.exists(from)) {
        Path to = classes.resolve(copied.size() + "-" + from.getFileName());
        assertThat(
                new ProcessBuilder("cp", "-rL", "--reflink=auto", from.toString(), to.toString())
                    .inheritIO()
                    .start()
                    .waitFor())
            .isZero();
        copied.add(to.toString());
      }
    }
    Path home = Files.createDirectory(dir.resolve("home"));
    open(home, "rwxrwxrwx");
    Path program = dir.resolve("ringmaster");
    Files.writeString(
        program,
        """
        #!/bin/sh
        exec '%s' -Duser.home='%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
          --sun-misc-unsafe-memory-access=allow -cp '%s' %s "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                home,
                String.join(File.pathSeparator, copied),
                Main.class.getName()));
    open(program, "rwxr-xr-x");
    return program;
  }

  private static void open(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
