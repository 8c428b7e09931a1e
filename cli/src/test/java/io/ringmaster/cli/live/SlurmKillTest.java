package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.SlurmTestbed;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A few kills of the server and of slurmctld; {@code script/kill-test --slurm} does many. */
class SlurmKillTest {
  private static final int JOBS = 8;
  private static final int SERVER_KILLS = 3;
  private static final int SLURM_KILLS = 1;

  @Test
  void eachJobIsDoneOnce() throws Exception {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    long seed = Long.getLong("ringmaster.seed", System.nanoTime());
    try (SlurmTestbed testbed = SlurmKillRun.testbed(Path.of(".."))) {
      KillRun.Outcome outcome =
          new SlurmKillRun(testbed, JOBS, SERVER_KILLS, SLURM_KILLS, seed).run();
      assertThat(outcome.wrong()).as("seed %d\n%s", seed, outcome.table()).isEmpty();
    }
  }
}
