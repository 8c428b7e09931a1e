package io.ringmaster.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SizeCommandTest {
  private static final String SITE = "../docs/examples/sacct.txt.gz";

  @Test
  void theTableFitsEightyColumns() {
    Cli.Ran ran =
        Cli.run("size", SITE, "--goal", "p95 wait < 30min", "--policy", "fifo", "--draws", "1");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("policy  servers", "Under fifo p95 wait < 30 min takes");
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
  }

  @Test
  void scriptsReadWhatIsPromised() {
    Cli.Ran ran =
        Cli.run(
            "size", SITE, "--goal", "mean wait < 1h", "--policy", "easy", "--draws", "1", "--json");
    assertThat(ran.status()).as(ran.err()).isZero();
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    assertThat(document.keySet())
        .containsExactly(
            "goal",
            "goal_s",
            "jobs",
            "servers",
            "server_gpus",
            "replay_policy",
            "policies",
            "sentences");
    Map<?, ?> easy =
        (Map<?, ?>) ((List<?>) Objects.requireNonNull(document.get("policies"))).getFirst();
    assertThat(easy.keySet().stream().map(String::valueOf))
        .containsExactly("policy", "lengths", "servers", "gpus", "curve");
    assertThat(easy.get("lengths")).isEqualTo("predicted");
  }

  @Test
  void aMistakeIsOneLine() {
    Cli.Ran ran = Cli.run("size", SITE, "--goal", "fast");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo(
            "ringmaster: --goal: 'fast' is no goal; expected such as \"p95 wait < 30min\": mean,"
                + " p50, p95 or p99 of wait or jct\n");
  }
}
