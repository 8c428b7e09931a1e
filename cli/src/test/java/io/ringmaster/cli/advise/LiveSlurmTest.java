package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.SlurmTestbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as an ordinary user of a real Slurm gives it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveSlurmTest {
  private static final int NOBODY = 65534;

  @TempDir static Path dir;
  private SlurmTestbed slurm;
  private SlurmUser nobody;

  @BeforeAll
  void up() throws InterruptedException {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    slurm =
        SlurmTestbed.up(
            Map.of("NODES", "3", "CONF", "PartitionName=small Nodes=n3 MaxTime=30 State=UP"));
    nobody = new SlurmUser(slurm, NOBODY, dir);
    nobody.submit(600, "-J", "holds", "-w", "n1", "-t", "60", "--gres=gpu:3");
    nobody.submit(600, "-J", "spread", "-N2", "-w", "n1,n2", "-t", "60", "--gres=gpu:1");
    nobody.submit(
        600, "-J", "two-whole", "-N2", "-t", "60", "-p", "main", "-x", "n3", "--gres=gpu:4");
    nobody.submit(600, "-J", "after", "-d", "afterok:1", "--gres=gpu:1");
    nobody.submit(600, "-H", "--gres=gpu:1");
    nobody.submit(600, "-p", "small", "--gpus=4", "-t", "20");
    nobody.submit(600, "-p", "small", "--gres=gpu:2", "-t", "20");
    nobody.awaitLines(3, "squeue -h -t R");
    slurm.run("scontrol", "update", "nodename=n2", "state=drain", "reason=fan");
  }

  @AfterAll
  void down() {
    if (slurm != null) {
      slurm.close();
    }
  }

  @Test
  void anOrdinaryUserIsToldWhenAndWhy() throws Exception {
    String jobs = nobody.ringmaster("advise", "--from", "slurm", "--fresh", "3", "4", "5", "7");
    assertThat(jobs).contains("Job 3 of nobody");
    assertThat(jobs)
        .contains("it is held back: it waits for job 1 to end well")
        .contains("'scontrol release 5' lets it go (JobHeldUser)")
        .contains("it needs 2 GPUs of one server; none is free where it may go")
        .contains("most likely when job 6 (4 GPUs)")
        .contains("1 node with 4 GPUs takes no jobs: n2 (drained: fan)")
        .contains("Slurm accounting storage is disabled")
        .containsPattern("This look cost slurmctld [34] calls, [0-9]+ (bytes|kB), [0-9]+ ms");
    String again = nobody.ringmaster("advise", "--from", "slurm");
    assertThat(again).contains("was not asked again; --fresh asks");
    try (var kept = Files.walk(dir)) {
      assertThat(kept.filter(Files::isRegularFile).toList())
          .hasSize(2)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }
}
