package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the smaller commands promise. */
class CommandsTest {
  @TempDir Path temporary;

  /** One line for each policy and setting: {@code fifo blocking=true}. */
  private static List<String> listed(@Nullable Object policies) {
    List<String> lines = new ArrayList<>();
    for (Object each : (List<?>) Objects.requireNonNull(policies)) {
      Map<?, ?> policy = (Map<?, ?>) each;
      assertThat(String.valueOf(policy.get("source"))).isNotBlank();
      assertThat(String.valueOf(policy.get("summary"))).isNotBlank();
      lines.add(String.valueOf(policy.get("name")));
      for (Object one : (List<?>) Objects.requireNonNull(policy.get("parameters"))) {
        Map<?, ?> parameter = (Map<?, ?>) one;
        lines.add(
            "%s %s=%s"
                .formatted(policy.get("name"), parameter.get("name"), parameter.get("default")));
      }
    }
    return lines;
  }

  @Test
  void policiesListsNamesParametersAndDefaults() {
    Cli.Ran ran = Cli.good("policies", "--json");
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    List<String> lines = listed(document.get("policies"));
    assertThat(lines)
        .contains(
            "fifo",
            "fifo blocking=true",
            "fifo placement=auto",
            "sjf estimate=perfect",
            "easy",
            "srtf",
            "srsf",
            "las queues=3250,7200",
            "drf",
            "first-fit",
            "list-scheduling",
            "random",
            "fifo-elastic slot=600.0",
            "las-elastic",
            "optimus estimate=perfect");
    assertThat(lines.stream().filter(line -> !line.contains(" ")))
        .isEqualTo(Policies.all().stream().map(PolicySpec::name).toList());
    assertThat(ran.err()).isEmpty();
  }

  /** No policy is left out where a cluster limits more than GPUs. */
  @Test
  void compareRunsAllPoliciesWhateverTheClusterLimits() throws IOException {
    Path cluster = temporary.resolve("limits.yaml");
    Files.writeString(cluster, "servers: [{count: 2, gpus: 8, cpus: 32}]\n");
    Cli.Ran all = Cli.good("compare", Cli.JOBS, "--cluster", cluster.toString());
    assertThat(all.err()).startsWith("Next: --out DIR").hasLineCount(1);
    assertThat(all.out().lines().map(line -> line.replaceFirst(" .*", "")))
        .containsAll(Policies.all().stream().map(PolicySpec::name).toList());
  }

  @Test
  void policiesForAPersonNamesTheSameSettings() {
    String text = Cli.good("policies").out();
    for (PolicySpec spec : Policies.all()) {
      assertThat(text.lines()).contains(spec.name());
      assertThat(text.replaceAll("\\s+", " ")).contains("Source: " + spec.source());
    }
    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void policiesShowsOne() {
    Cli.Ran ran = Cli.good("policies", "las");
    assertThat(ran.out())
        .startsWith("las\n")
        .contains("Asks for no lengths of jobs.", "--set queues=3250,7200")
        .doesNotContain("fifo\n");
    assertThat(listed(JsonText.object(Cli.good("policies", "las", "--json").out()).get("policies")))
        .containsExactly("las", "las queues=3250,7200", "las placement=auto");
  }

  @ParameterizedTest
  @ValueSource(strings = {"philly", "sjf-bco", "a-srpt"})
  void whatGenerateWritesSimulateReads(String name) {
    Path out = temporary.resolve("made");
    String[] small =
        name.equals("sjf-bco")
            ? new String[] {}
            : new String[] {"--set", "jobs=300", "--set", "servers=8"};
    List<String> args =
        new ArrayList<>(List.of("generate", name, "--seed", "5", "--out", out.toString()));
    args.addAll(List.of(small));
    Cli.Ran made = Cli.good(args.toArray(String[]::new));
    assertThat(made.out()).isEmpty();
    assertThat(Cli.files(out)).containsOnlyKeys("", "jobs.csv", "cluster.yaml");

    Path run = temporary.resolve("run");
    Cli.good(
        "simulate",
        out.resolve("jobs.csv").toString(),
        "--cluster",
        out.resolve("cluster.yaml").toString(),
        "--policy",
        "easy",
        "--out",
        run.toString());
    Cli.good("validate", run.toString());
  }

  @Test
  void generateGivesTheSameBytesForTheSameSeedOnly() {
    for (String out : List.of("one", "two")) {
      Cli.good("generate", "sjf-bco", "--seed", "5", "--out", temporary.resolve(out).toString());
    }
    Cli.good("generate", "sjf-bco", "--seed", "6", "--out", temporary.resolve("six").toString());
    assertThat(Cli.files(temporary.resolve("two"))).isEqualTo(Cli.files(temporary.resolve("one")));
    assertThat(Cli.read(temporary.resolve("six/jobs.csv")))
        .isNotEqualTo(Cli.read(temporary.resolve("one/jobs.csv")));
  }

  @Test
  void generateListNamesEveryGenerator() {
    assertThat(Cli.good("generate", "--list").out()).contains("philly\n", "sjf-bco\n", "a-srpt\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "help",
        "simulate --help",
        "compare --help",
        "policies --help",
        "generate --help",
        "validate --help",
        "fit --help",
        "fit contention --help",
        "calibrate --help",
        "help fit",
        "view --help",
        "worker --help",
        "completion --help"
      })
  void helpGoesToStandardOutputWithStatusZero(String line) {
    Cli.Ran ran = Cli.good(line.split(" ", -1));
    assertThat(ran.out()).isNotBlank();
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void simulateForAPersonIsATable() {
    Cli.Ran ran = Cli.good("simulate", Cli.JOBS, "--cluster", Cli.CLUSTER, "--policy", "fifo");
    assertThat(ran.out())
        .contains("18 jobs submitted over", "golden: 3 servers, 10 GPUs, network\ncontention")
        .contains("mean JCT", "makespan", "no schedule is below")
        .containsPattern("lengths +none\n");
    assertThat(ran.err()).startsWith("Next: --out DIR");
  }

  @Test
  void modelsAddProfilesAndReplaceThem() {
    Path models = temporary.resolve("models.csv");
    Cli.write(
        models,
        """
        model,gradient_bytes,batch,forward_s_per_sample,backward_s
        mine,1e9,1,0.5,0.5
        """);
    Path jobs = temporary.resolve("jobs.csv");
    Cli.write(jobs, "job_id,submit_s,gpus,iterations,model\nj,0,1,100,mine\n");
    Path out = temporary.resolve("out");
    Cli.good(
        "simulate",
        jobs.toString(),
        "--cluster",
        Cli.CLUSTER,
        "--policy",
        "fifo",
        "--models",
        models.toString(),
        "--out",
        out.toString());
    // One worker: 1 s of computing and 0.5 ms of overhead an iteration.
    assertThat(Cli.read(out.resolve("jobs.csv"))).contains("j,0,0,100.05,100.05,0,1,0,1\n");
    assertThat(Cli.read(out.resolve("model.csv"))).contains("\nmine,1000000000,1,0.5,0.5");
  }
}
