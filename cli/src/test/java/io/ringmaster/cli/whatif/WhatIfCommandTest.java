package io.ringmaster.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfCommandTest {
  private static final String SITE = "../docs/examples/sacct.txt.gz";

  @Test
  void aSitesHistoryIsReadAsItIsAndFitsEightyColumns() {
    Cli.Ran ran = Cli.run("whatif", SITE, "--draws", "1", "--add-servers", "2x8");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("as it happened", "replay (fifo)", "add 2x8", "2 more servers of 8 GPUs:");
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    assertThat(ran.err()).endsWith("Next: --out DIR keeps a page with who gains and who loses\n");
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
            "wait_p95_change",
            "jct_change",
            "jct_p95_change",
            "jobs_sooner",
            "jobs_later");
    assertThat(both.get("lengths")).isEqualTo("predicted");
    assertThat(both.get("changes")).isEqualTo(Map.of("add", "1x8", "policy", "easy"));
  }

  /** One question has one answer: a history is replayed alike, whoever replays it. */
  @Test
  void itsReplayIsThatOfCompare(@TempDir Path folder) {
    Path jobs = folder.resolve("jobs.csv");
    Path cluster = folder.resolve("cluster.yaml");
    Cli.good(
        "import", "sacct", SITE, "--out", jobs.toString(), "--cluster-out", cluster.toString());
    Cli.Ran compared =
        Cli.good(
            "compare",
            jobs.toString(),
            "--cluster",
            cluster.toString(),
            "--policies",
            "fifo",
            "--json");
    Cli.Ran asked = Cli.good("whatif", SITE, "--draws", "1", "--add-servers", "1x8", "--json");
    assertThat(waitOfTheFirst(asked, "cases"))
        .isCloseTo(waitOfTheFirst(compared, "policies"), Offset.offset(1e-6));
  }

  private static double waitOfTheFirst(Cli.Ran ran, String key) {
    List<?> all = (List<?>) Objects.requireNonNull(JsonText.object(ran.out()).get(key));
    Map<?, ?> wait =
        (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) all.getFirst()).get("wait_mean_s"));
    return (Double) Objects.requireNonNull(wait.get("mean"));
  }

  @Test
  void aMistakeIsOneLine() {
    Cli.Ran ran = Cli.run("whatif", SITE, "--add-servers", "many");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo(
            "ringmaster: --add-servers: 'many' is no number of servers; expected such as 2x8: two"
                + " of 8 GPUs, or 2x8:h100\n");
  }
}
