package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short attack on the server; {@code script/attack} takes half an hour, and looks at the time
 * that answers take too.
 */
class AttackTest {
  private static final double MINUTES = "true".equals(System.getenv("CI")) ? 5 : 1;

  @TempDir Path folder;

  @Test
  void honestUsersAreNotHarmed() throws Exception {
    long seed = Long.getLong("ringmaster.seed", System.nanoTime());
    AttackRun.Outcome outcome =
        new AttackRun(folder, new AttackRun.Options(MINUTES, seed, "srtf", List.of(), false)).run();
    System.out.println(outcome.text());
    assertThat(outcome.wrong()).as("seed %d\n%s", seed, outcome.text()).isEmpty();
  }
}
