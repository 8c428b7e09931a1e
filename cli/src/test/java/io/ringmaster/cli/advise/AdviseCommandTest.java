package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
  private static final String SITE = "../docs/examples/sacct.txt.gz";
  private static final String MOMENT = "2026-09-28T15:00:00";

  @Test
  void aTableOfAllThatWaitFitsEightyColumns() {
    Cli.Ran ran = Cli.run("advise", "--from", SITE, "--at", MOMENT, "--draws", "20");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out())
        .startsWith("2026-09-28 15:00 (UTC): 73 jobs wait, 10 run on 94 of 112 GPUs\n");
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
  }

  @Test
  void scriptsReadWhatIsPromised() {
    Cli.Ran ran =
        Cli.run("advise", "--from", SITE, "--at", MOMENT, "--draws", "20", "--json", "2374");
    assertThat(ran.status()).as(ran.err()).isZero();
    Map<?, ?> document = (Map<?, ?>) Objects.requireNonNull(Json.parse(ran.out()));
    assertThat(document.get("at")).isEqualTo("2026-09-28T15:00:00Z");
    List<?> jobs = (List<?>) Objects.requireNonNull(document.get("jobs"));
    assertThat(jobs).hasSize(1);
    Map<?, ?> job = (Map<?, ?>) jobs.getFirst();
    assertThat(job.keySet().stream().map(String::valueOf))
        .containsExactly("id", "state", "gpus", "start", "why", "helps");
    assertThat(job.get("state")).isEqualTo("waiting");
    Map<?, ?> start = (Map<?, ?>) Objects.requireNonNull(job.get("start"));
    assertThat(start.keySet().stream().map(String::valueOf))
        .containsExactly("median_s", "low_s", "high_s", "open_share");
    Map<?, ?> help = (Map<?, ?>) ((List<?>) Objects.requireNonNull(job.get("helps"))).getFirst();
    assertThat(help.keySet().stream().map(String::valueOf)).containsExactly("change", "sooner_s");
  }

  @Test
  void aCheckSaysWhereItsPlotIs(@TempDir Path folder) {
    Path plot = folder.resolve("held.svg");
    Cli.Ran ran =
        Cli.run(
            "advise",
            "--from",
            SITE,
            "--check",
            "--moments",
            "2",
            "--draws",
            "20",
            "--plot",
            plot.toString());
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out()).endsWith("The plot is in " + plot + ".\n");
    assertThat(plot).isNotEmptyFile();
  }

  @Test
  void aFolderThatIsNoRunIsNamed(@TempDir Path folder) {
    assertThat(Cli.run("advise", "--from", folder.toString()).err())
        .contains(
            "is a folder without summary.json; expected a file, or what simulate --out wrote");
  }

  @Test
  void mistakesAreOneLineThatSaysWhatToDo() {
    assertThat(Cli.run("advise", "--from", "kubernetes", "--fresh").err())
        .isEqualTo("ringmaster: --fresh asks Slurm again; add --from slurm\n");
    assertThat(Cli.run("advise", "--from", "slurm", "--at", "5").err())
        .startsWith("ringmaster: --from slurm asks for the present");
    assertThat(Cli.run("advise", "--from", SITE, "--from", "slurm").err())
        .startsWith("ringmaster: --from slurm stands alone");
    Cli.Ran ran = Cli.run("advise", "--from", SITE, "--at", "noon");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo(
            "ringmaster: --at 'noon': expected seconds, or a time such as 2026-11-02T10:00:00\n");
  }
}
