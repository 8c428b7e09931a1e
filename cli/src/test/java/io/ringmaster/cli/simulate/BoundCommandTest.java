package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.cli.terminal.ExitStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three jobs of one GPU that take 1, 1 and 2 s on two GPUs: 2 s at best, and 4 s in all. */
class BoundCommandTest {
  @TempDir Path temporary;
  private String jobs = "";
  private String cluster = "";

  @BeforeEach
  void write() {
    Path jobsFile = temporary.resolve("jobs.csv");
    Path clusterFile = temporary.resolve("cluster.yaml");
    Cli.write(jobsFile, "job_id,submit_s,gpus,duration_s\na,0,1,1\nb,0,1,1\nc,0,1,2\n");
    Cli.write(clusterFile, "servers: [{gpus: 2}]\nnetwork: {model: none}\n");
    jobs = jobsFile.toString();
    cluster = clusterFile.toString();
  }

  private static Map<?, ?> part(Map<?, ?> document, String key) {
    return (Map<?, ?>) Objects.requireNonNull(document.get(key));
  }

  private static double number(Map<?, ?> document, String key) {
    return document.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  @Test
  void documentSaysWhatIsProved() {
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good("bound", jobs, "--cluster", cluster, "--json").out());
    Map<?, ?> makespan = part(document, "makespan");
    assertThat(number(makespan, "area_s")).isEqualTo(2);
    assertThat(number(makespan, "longest_job_s")).isEqualTo(2);
    assertThat(number(makespan, "any_schedule_s")).isEqualTo(2);
    assertThat(number(makespan, "no_preemption_s")).isBetween(1.99999, 2.0);
    assertThat(number(makespan, "best_found_s")).isEqualTo(2);
    assertThat(String.valueOf(makespan.get("status"))).isEqualTo("optimal");
    // Shortest first: 1 + 1 + 3.
    Map<?, ?> total = part(document, "total_completion");
    assertThat(number(total, "best_found_s")).isEqualTo(5);
    assertThat(String.valueOf(total.get("status"))).isEqualTo("optimal");
    assertThat(number(part(total, "mean_jct"), "best_found_s")).isBetween(1.666, 1.667);
    assertThat(document)
        .containsEntry("jobs", 3.0)
        .containsEntry("gpus", 2.0)
        .containsKeys("version", "inputs", "cluster", "seconds");
  }

  @Test
  void tableIsInTheReadersWords() {
    assertThat(Cli.good("bound", jobs, "--cluster", cluster, "--seconds", "60").out())
        .contains(
            "no schedule is below",
            "best found that does not stop jobs",
            "Makespan: proved: no schedule that does not stop jobs is better.");
  }

  @Test
  void compareHasBothGapsAndTheProofOnDemand() {
    String[] compare = {
      "compare", jobs, "--cluster", cluster, "--policies", "sjf,longest-first", "--json"
    };
    String without = Cli.good(compare).out();
    assertThat(without)
        .contains("jct_over_bound", "makespan_over_bound")
        .doesNotContain("no_preemption_bounds");
    List<String> more = new ArrayList<>(List.of(compare));
    more.addAll(List.of("--bound", "60"));
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good(more.toArray(String[]::new)).out());
    List<?> bounds = (List<?>) Objects.requireNonNull(document.get("no_preemption_bounds"));
    Map<?, ?> only = (Map<?, ?>) bounds.getFirst();
    assertThat(number(part(only, "makespan"), "best_found_s")).isEqualTo(2);
    assertThat(String.valueOf(part(only, "mean_jct").get("status"))).isEqualTo("optimal");
    List<?> policies = (List<?>) Objects.requireNonNull(document.get("policies"));
    // sjf takes 3 s, longest first 2 s.
    assertThat(number(part((Map<?, ?>) policies.getFirst(), "makespan_over_bound"), "mean"))
        .isEqualTo(1.5);
    assertThat(number(part((Map<?, ?>) policies.getLast(), "makespan_over_bound"), "mean"))
        .isEqualTo(1);
  }

  @Test
  void mistakesAreOneLine() {
    for (List<String> args :
        List.of(
            List.of("bound", jobs, "--cluster", cluster, "--seconds", "0"),
            List.of("compare", jobs, "--cluster", cluster, "--bound", "-1"),
            List.of("bound", jobs))) {
      Cli.Ran ran = Cli.run(args.toArray(String[]::new));
      assertThat(ran.status()).isEqualTo(ExitStatus.BAD_INPUT);
      assertThat(ran.err()).hasLineCount(1);
    }
  }
}
