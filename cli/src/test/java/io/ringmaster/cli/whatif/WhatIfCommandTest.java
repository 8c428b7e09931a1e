package io.ringmaster.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WhatIfCommandTest {
  private static final String SITE = "../docs/examples/sacct.txt.gz";

  @Test
  void aSitesHistoryIsReadAsItIsAndFitsEightyColumns() {
    Cli.Ran ran = Cli.run("whatif", SITE, "--draws", "1", "--add-servers", "2x8");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("as it happened", "replay (fifo)", "add 2x8", "2 more servers of 8 GPUs:");
    assertThat(ran.out().lines().limit(6)).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
  }

  @Test
  void scriptsReadWhatIsPromised() {
    Cli.Ran ran =
        Cli.run("whatif", SITE, "--draws", "1", "--case", "both: add 1x8, policy easy", "--json");
    assertThat(ran.status()).as(ran.err()).isZero();
    Map<?, ?> document = (Map<?, ?>) Objects.requireNonNull(Json.parse(ran.out()));
    assertThat(document.keySet().stream().map(String::valueOf))
        .containsExactly("history", "cases", "sentences");
    List<?> cases = (List<?>) Objects.requireNonNull(document.get("cases"));
    assertThat(((Map<?, ?>) cases.getFirst()).get("name")).isEqualTo("replay");
    Map<?, ?> both = (Map<?, ?>) cases.get(1);
    assertThat(both.keySet().stream().map(String::valueOf))
        .contains(
            "name",
            "changes",
            "policy",
            "lengths",
            "servers",
            "gpus",
            "wait_mean_s",
            "wait_p95_s",
            "jct_mean_s",
            "goodput",
            "wait_change",
            "jobs_sooner",
            "jobs_later");
    assertThat(both.get("lengths")).isEqualTo("predicted");
    assertThat(both.get("changes")).isEqualTo(Map.of("add", "1x8", "policy", "easy"));
  }

  @Test
  void aMistakeIsOneLine() {
    Cli.Ran ran = Cli.run("whatif", SITE, "--add-servers", "many");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo(
            "ringmaster: --add-servers: 'many' is no number of servers; expected such as 2x8: two"
                + " of 8 GPUs\n");
  }
}
