package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that were somewhere in truth: what happened stands beside what is simulated, and nobody
 * knows lengths unless that is asked for.
 */
class HistoryTest {
  /** One server of 2 GPUs; under fifo b waits 100 s for a, and c 200 s for b. */
  private static final String JOBS =
      """
      job_id,submit_s,gpus,duration_s,start_s,end_s
      a,0,2,100,0,100
      b,0,2,200,150,350
      c,100,1,60,400,460
      """;

  @TempDir Path temporary;
  private Path history = Path.of("");
  private Path plain = Path.of("");
  private Path cluster = Path.of("");

  @BeforeEach
  void inputs() {
    history = temporary.resolve("history.csv");
    plain = temporary.resolve("plain.csv");
    cluster = temporary.resolve("cluster.yaml");
    Cli.write(history, JOBS);
    Cli.write(plain, JOBS.replaceAll("(?m),[^,]*,[^,]*$", ""));
    Cli.write(cluster, "servers: [{count: 1, gpus: 2}]\nnetwork: {model: contention}\n");
  }

  private Cli.Ran compare(Path jobs, String... more) {
    List<String> args =
        new ArrayList<>(List.of("compare", jobs.toString(), "--cluster", cluster.toString()));
    args.addAll(List.of(more));
    return Cli.good(args.toArray(String[]::new));
  }

  @Test
  void whatHappenedIsARowWithTheErrorOfTheReplay() {
    String text = compare(history, "--policies", "fifo,sjf").out();
    // In truth jobs waited 0, 150 and 300 s, 150 in the mean, and took 100, 350 and 360 s, which
    // are 4.5 min in the mean. Under fifo they wait 0, 100 and 200 s: a third less.
    assertThat(text)
        .containsPattern("as it happened +4.50 +6.00 +150.0\\n")
        .containsPattern("fifo +none +.* +100.0 +-33 %\\n")
        .contains("replayed fifo: wait -33 %");
  }

  @Test
  void theDocumentHasItToo() {
    Map<String, @Nullable Object> document =
        JsonText.object(compare(history, "--policies", "fifo,las", "--json").out());
    Map<?, ?> truth = (Map<?, ?>) Objects.requireNonNull(document.get("truth"));
    assertThat(truth.get("jobs")).isEqualTo(3.0);
    assertThat(truth.get("wait_mean_s")).isEqualTo(150.0);
    List<?> replayed = (List<?>) Objects.requireNonNull(truth.get("replayed"));
    Map<?, ?> only = (Map<?, ?>) Objects.requireNonNull(replayed.getFirst());
    assertThat(replayed).hasSize(1);
    assertThat(only.get("policy")).isEqualTo("fifo");
    assertThat((Double) only.get("wait_error")).isCloseTo(-1 / 3.0, close());
    assertThat(JsonText.object(compare(plain, "--policies", "fifo", "--json").out()))
        .doesNotContainKey("truth");
  }

  private static Offset<Double> close() {
    return Offset.offset(1e-9);
  }

  @Test
  void aHistorysLengthsAreGuessedUnlessTheTruthIsAskedFor() {
    assertThat(estimate(history)).isEqualTo("predicted");
    assertThat(estimate(history, "--set", "estimate=perfect")).isEqualTo("perfect");
    assertThat(estimate(plain)).isEqualTo("perfect");
    assertThat(compare(history, "--policies", "sjf,las").out())
        .containsPattern("sjf +predicted ")
        .containsPattern("las +none ")
        .contains("Lengths predicted (sjf)");
    assertThat(compare(plain, "--policies", "sjf").out())
        .containsPattern("sjf +known ")
        .contains("Lengths known (sjf)");
  }

  private String estimate(Path jobs, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "simulate",
                jobs.toString(),
                "--cluster",
                cluster.toString(),
                "--policy",
                "sjf",
                "--json"));
    args.addAll(List.of(more));
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good(args.toArray(String[]::new)).out());
    return String.valueOf(
        ((Map<?, ?>) Objects.requireNonNull(document.get("settings"))).get("estimate"));
  }

  @Test
  void aFileThatOnlySaysThatItIsAHistoryIsOne() {
    Cli.write(history, JOBS.replaceAll("(?m)^([abc],.*),[^,]*,[^,]*$", "$1,,"));
    assertThat(estimate(history)).isEqualTo("predicted");
    assertThat(compare(history, "--policies", "fifo").out()).doesNotContain("as it happened");
  }

  @Test
  void withoutModelsTheNetworkIsSaidToHaveNoEffect() {
    assertThat(compare(plain, "--policies", "fifo").out())
        .contains("The network has no effect here");
    Cli.write(cluster, "servers: [{count: 1, gpus: 2}]\nnetwork: {model: none}\n");
    assertThat(compare(plain, "--policies", "fifo").out()).doesNotContain("network has no effect");
  }

  @Test
  void atEightyColumnsWhatMattersAndAllWithWide() {
    String narrow = compare(history, "--policies", "fifo,easy").out();
    assertThat(narrow.lines()).allMatch(line -> line.length() <= 80);
    assertThat(narrow).contains("policy", "lengths", "mean JCT", "mean wait", "--wide also shows");
    assertThat(compare(history, "--policies", "fifo,easy", "--wide").out())
        .contains("makespan / bound")
        .doesNotContain("--wide also shows");
  }
}
