package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.Postgres;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few kills of the server; {@code script/kill-test} does many. */
class KillTest {
  private static final int KILLS = 5;
  private static final double OUTAGE_SECONDS = 3;

  @TempDir Path folder;

  @Test
  void nothingIsLostDoneTwiceOrLeftBehind() throws Exception {
    long seed = Long.getLong("ringmaster.seed", System.nanoTime());
    KillRun.Outcome outcome = new KillRun(folder, KILLS, seed).run();
    assertThat(outcome.wrong()).as("seed %d\n%s", seed, outcome.table()).isEmpty();
  }

  @Test
  void norWhenAnotherServerTakesOver() throws Exception {
    assumeTrue(Postgres.isInstalled(), Postgres.MISSING);
    long seed = Long.getLong("ringmaster.seed", System.nanoTime());
    try (Postgres postgres = Postgres.start()) {
      KillRun.Outcome outcome =
          new KillRun(folder, KILLS, seed, postgres, OUTAGE_SECONDS, null).run();
      assertThat(outcome.wrong()).as("seed %d\n%s", seed, outcome.table()).isEmpty();
    }
  }
}
