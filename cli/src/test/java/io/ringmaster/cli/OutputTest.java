package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --out} and {@code --json} promise: names, headers, and the same bytes again. */
class OutputTest {
  private static final String[] SUMMARY_KEYS = {
    "policy",
    "seed",
    "jobs",
    "finished",
    "makespan_s",
    "jct_mean_s",
    "jct_p50_s",
    "jct_p95_s",
    "jct_p99_s",
    "wait_mean_s",
    "gpu_utilization",
    "slowdown_mean",
    "restarts",
    "lower_bound_jct_s",
    "lower_bound_makespan_s",
    "goodput",
    "lost_gpu_s",
    "ettr",
    "failures",
    "stops_most",
    "lengths",
    "events",
    "version"
  };

  private static final String[] ALL = {"compare", Cli.JOBS, "--cluster", Cli.CLUSTER};

  @TempDir static Path shared;

  /** All policies with three seeds. */
  private static Path compared = Path.of("");

  private static String said = "";

  @TempDir Path temporary;

  @BeforeAll
  static void compare() {
    compared = shared.resolve("compared");
    said = Cli.good(with(ALL, "--seeds", "3", "--threads", "4", "--out", "" + compared)).out();
  }

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  private static String firstLine(Path file) {
    return Cli.read(file).lines().findFirst().orElse("");
  }

  /** Of a job that asks for 1 and has 4, 4 times; files of policies that do not say have none. */
  @Test
  void learningRatesAreWrittenByPoliciesThatScaleThem() {
    Path jobs = temporary.resolve("elastic.csv");
    Cli.write(jobs, "job_id,submit_s,gpus,min_gpus,max_gpus,duration_s\na,0,1,1,4,100\n");
    Path out = temporary.resolve("doubling");
    Cli.good(
        "simulate", "" + jobs, "--cluster", Cli.CLUSTER, "--policy", "doubling", "--out", "" + out);
    assertThat(Cli.files(out))
        .containsEntry("learning_rates.csv", "job_id,start_s,gpus,factor\na,0,4,4\n");
    Cli.good("validate", "" + out);
    Path other = temporary.resolve("fifo");
    Cli.good(
        "simulate", "" + jobs, "--cluster", Cli.CLUSTER, "--policy", "fifo", "--out", "" + other);
    assertThat(Cli.files(other)).doesNotContainKey("learning_rates.csv");
  }

  /** The only server is away from 5 to 15 s: the job of 20 s goes on at 15, and saves every 3 s. */
  @Test
  void failuresAreWrittenAndChecked() {
    Path cluster = temporary.resolve("cluster.yaml");
    Cli.write(
        cluster,
        """
        servers: [{gpus: 4}]
        network: {model: none}
        restart: 10s
        failures: {node: 0/1000d, rack: 0/1000d, job: 0.001/1000d}
        maintenance: [{server: s0001, at: 5s, for: 10s}]
        """);
    Path jobs = temporary.resolve("jobs.csv");
    Cli.write(jobs, "job_id,submit_s,gpus,duration_s,checkpoint_s\na,0,4,20,3\n");
    Path out = temporary.resolve("out");
    Cli.Ran ran =
        Cli.good(
            "simulate",
            "" + jobs,
            "--cluster",
            "" + cluster,
            "--policy",
            "fifo",
            "--out",
            "" + out);
    assertThat(ran.out()).containsPattern("failures +0").containsPattern("training time +47.6 %");
    assertThat(Cli.read(out.resolve("failures.csv")))
        .isEqualTo("at_s,kind,name,back_s\n5,maintenance,s0001,15\n");
    assertThat(Cli.read(out.resolve("segments.csv")))
        .endsWith("a,0,5,0,s0001,4\na,15,42,10,s0001,4\n");
    Cli.good("validate", "" + out);
    Cli.write(out.resolve("failures.csv"), "at_s,kind,name,back_s\n5,node,s0001,16\n20,job,a,\n");
    Cli.Ran bad = Cli.run("validate", "" + out);
    assertThat(bad.status()).isEqualTo(1);
    assertThat(bad.out() + bad.err())
        .contains(
            "job a: is on server s0001 from 15.0 s to 42.0 s, which is away from 5.0 s to 16.0 s")
        .contains("summary.json: failures is 0.0, expected 2.0");
  }

  @Test
  void filesHaveTheHeadersOfTheContract() {
    Path out = temporary.resolve("out");
    Cli.simulate("srtf", out);
    assertThat(firstLine(out.resolve("jobs.csv")))
        .isEqualTo("job_id,submit_s,start_s,finish_s,jct_s,wait_s,gpus,restarts,slowdown");
    assertThat(firstLine(out.resolve("segments.csv")))
        .isEqualTo("job_id,start_s,end_s,warmup_s,server,gpus");
    assertThat(firstLine(out.resolve("model.csv")))
        .isEqualTo("model,gradient_bytes,batch,forward_s_per_sample,backward_s");
    assertThat(out.resolve("cluster.yaml")).exists();
    assertThat(JsonText.object(Cli.read(out.resolve("run.json"))))
        .containsKeys("wall_s", "host", "command_line");
    // One row a job, and no file that a reader would not know.
    assertThat(Cli.read(out.resolve("jobs.csv")).lines()).hasSize(19);
    assertThat(Cli.files(out).keySet()).noneMatch(name -> name.startsWith("."));
  }

  @Test
  void jsonIsOneDocumentAndTheSummaryFile() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.simulate("easy", out, "--json", "--seed", "7");
    Map<String, @Nullable Object> summary = JsonText.object(ran.out());
    assertThat(summary).containsKeys(SUMMARY_KEYS);
    assertThat(summary)
        .containsEntry("policy", "easy")
        .containsEntry("seed", 7.0)
        .containsEntry("jobs", 18.0)
        .containsEntry("finished", 18.0);
    assertThat(Cli.read(out.resolve("summary.json"))).isEqualTo(ran.out());
    assertThat(ran.err()).isEmpty();
  }

  /** The figures follow from jobs.csv by their definitions. */
  @Test
  void theSummaryIsThatOfTheJobsFile() {
    Path out = temporary.resolve("out");
    Map<String, @Nullable Object> summary =
        JsonText.object(Cli.simulate("srsf", out, "--json").out());
    List<String[]> rows =
        Cli.read(out.resolve("jobs.csv")).lines().skip(1).map(line -> line.split(",", -1)).toList();
    double[] jct = rows.stream().mapToDouble(r -> Double.parseDouble(r[4])).sorted().toArray();
    double last = rows.stream().mapToDouble(r -> Double.parseDouble(r[3])).max().getAsDouble();
    double restarts = rows.stream().mapToDouble(r -> Double.parseDouble(r[7])).sum();
    close(summary, "makespan_s", last);
    close(summary, "jct_mean_s", Arrays.stream(jct).average().getAsDouble());
    close(summary, "jct_p50_s", jct[9]);
    close(summary, "jct_p95_s", jct[17]);
    close(summary, "jct_p99_s", jct[17]);
    close(
        summary,
        "wait_mean_s",
        rows.stream().mapToDouble(r -> Double.parseDouble(r[5])).average().getAsDouble());
    close(
        summary,
        "slowdown_mean",
        rows.stream().mapToDouble(r -> Double.parseDouble(r[8])).average().getAsDouble());
    close(summary, "restarts", restarts);
    double gpuSeconds =
        Cli.read(out.resolve("segments.csv"))
            .lines()
            .skip(1)
            .map(line -> line.split(",", -1))
            .mapToDouble(r ->
                (Double.parseDouble(r[2]) - Double.parseDouble(r[1])) * Double.parseDouble(r[5]))
            .sum();
    close(summary, "gpu_utilization", gpuSeconds / (10 * last));
  }

  private static void close(Map<String, @Nullable Object> summary, String name, double expected) {
    double value = (Double) Objects.requireNonNull(summary.get(name));
    assertThat(value).as(name).isCloseTo(expected, within(1e-6 + 1e-6 * Math.abs(expected)));
  }

  /** Also alone, and not among all others. */
  @ParameterizedTest
  @MethodSource("policies")
  void theSameSeedGivesTheSameBytes(String policy) {
    Path again = temporary.resolve("again");
    Cli.simulate(policy, again, "--seed", "3");
    assertThat(withoutRun(again)).isEqualTo(withoutRun(compared.resolve(policy + "-seed3")));
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    Path one = temporary.resolve("one");
    Cli.Ran ran = Cli.good(with(ALL, "--seeds", "3", "--threads", "1", "--out", "" + one));
    assertThat(ran.out()).isEqualTo(said);
    assertThat(withoutRun(one))
        .isEqualTo(withoutRun(compared))
        .hasSizeGreaterThan(30 * 7)
        .containsKeys("report.html", "fifo-seed1/report.html");
  }

  @Test
  void compareGivesEveryRunAndAnIntervalForEveryFigure() {
    Cli.Ran ran =
        Cli.good(
            "compare",
            Cli.JOBS,
            "--cluster",
            Cli.CLUSTER,
            "--policies",
            "fifo,random",
            "--seeds",
            "3",
            "--json");
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    List<?> runs = (List<?>) Objects.requireNonNull(document.get("runs"));
    assertThat(runs).hasSize(6);
    for (Object run : runs) {
      assertThat(((Map<?, ?>) Objects.requireNonNull(run)).keySet())
          .map(String::valueOf)
          .contains(SUMMARY_KEYS);
    }
    List<?> policies = (List<?>) Objects.requireNonNull(document.get("policies"));
    for (Object policy : policies) {
      Map<?, ?> figures = (Map<?, ?>) Objects.requireNonNull(policy);
      Map<?, ?> jct = (Map<?, ?>) Objects.requireNonNull(figures.get("jct_mean_s"));
      assertThat(jct.keySet()).map(String::valueOf).containsExactly("mean", "ci95");
    }
    assertThat(policies).hasSize(2);
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void compareIsEachSimulateSideBySide() {
    Path compared = temporary.resolve("compared");
    Cli.good(
        "compare",
        Cli.JOBS,
        "--cluster",
        Cli.CLUSTER,
        "--policies",
        "las,drf",
        "--set",
        "las.queues=100,1000",
        "--set",
        "placement=pack",
        "--out",
        compared.toString());
    Path alone = temporary.resolve("alone");
    Cli.simulate("las", alone, "--set", "queues=100,1000", "--set", "placement=pack");
    assertThat(withoutRun(compared.resolve("las"))).isEqualTo(withoutRun(alone));
  }

  /** A setting of one policy counts more than one for all, whichever comes first. */
  @ParameterizedTest
  @ValueSource(strings = {"placement=pack fifo.placement=any", "fifo.placement=any placement=pack"})
  void aPolicysOwnSettingCountsMore(String settings) {
    Path out = temporary.resolve("out");
    String[] both = settings.split(" ", -1);
    Cli.good(
        "compare",
        Cli.JOBS,
        "--cluster",
        Cli.CLUSTER,
        "--policies",
        "fifo,sjf",
        "--set",
        both[0],
        "--set",
        both[1],
        "--out",
        out.toString());
    assertThat(Cli.read(out.resolve("fifo/summary.json"))).contains("\"placement\" : \"any\"");
    assertThat(Cli.read(out.resolve("sjf/summary.json"))).contains("\"placement\" : \"pack\"");
  }

  private static String[] with(String[] args, String... more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
  }

  private static Map<String, String> withoutRun(Path folder) {
    Map<String, String> files = Cli.files(folder);
    files.keySet().removeIf(name -> name.endsWith("run.json"));
    return files;
  }
}
