package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The validator passes what the simulator makes, and finds each way to tamper with it. */
class ValidatorTest {
  static Stream<List<String>> policiesAndPlacements() {
    return Policies.all().stream()
        .flatMap(spec ->
            spec.parameters().contains(Placer.PARAMETER)
                ? Stream.of("any", "consolidate", "pack", "spread")
                    .map(placement -> List.of(spec.name(), "placement=" + placement))
                : Stream.of(List.of(spec.name())));
  }

  @ParameterizedTest
  @MethodSource("policiesAndPlacements")
  void passesEveryRun(List<String> policyAndSettings) {
    String policy = policyAndSettings.getFirst();
    String[] settings = policyAndSettings.stream().skip(1).toArray(String[]::new);
    Seeds.each(
        60,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 25, seed % 4 < 2);
          assertThat(findings(cluster, jobs, policy, seed, settings)).isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("estimates")
  void passesRunsWithEstimates(String policy, String estimate) {
    Seeds.each(
        30,
        (random, seed) -> {
          Cluster cluster =
              Workloads.cluster(random, Workloads.contention(random), seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 25, seed % 4 < 2);
          assertThat(findings(cluster, jobs, policy, seed, "estimate=" + estimate)).isEmpty();
        });
  }

  static List<Object[]> estimates() {
    List<Object[]> cases = new ArrayList<>();
    for (PolicySpec spec : Policies.all()) {
      if (spec.parameters().contains(io.ringmaster.policy.Estimate.PARAMETER)) {
        for (String estimate : List.of("noise:0.5", "noise:3", "group-mean", "reversed", "equal")) {
          cases.add(new Object[] {spec.name(), estimate});
        }
      }
    }
    return cases;
  }

  private static List<String> findings(
      Cluster cluster, Jobs jobs, String policy, long seed, String... settings) {
    Segments rows = new Segments();
    RunResult run = Runs.run(cluster, jobs, policy, seed, rows, settings);
    assertThat(run.finished()).isEqualTo(jobs.size());
    return Validator.check(cluster, jobs, rows, run);
  }

  // Tampering. Two servers of four GPUs, restart 10 s, srtf. "long" has all eight GPUs from 0;
  // "short" comes at 5 and stops it until 19; "long" goes on then, without progress until 29, to
  // 44.
  // "late" runs from 60 to 70.
  private static final Cluster CLUSTER = Cluster.uniform(2, 4, Network.None.USUAL, 10);
  private static final Jobs JOBS =
      Jobs.builder(ModelTable.standard())
          .addDuration("long", 0, 8, 20, "")
          .addDuration("short", 5, 8, 14, "")
          .addDuration("late", 60, 3, 10, "")
          .build();

  /** One row of the segments file. */
  private record Row(int job, double start, double end, double warmup, int server, int gpus) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(0, 0, 5, 0, 0, 4),
          new Row(0, 0, 5, 0, 1, 4),
          new Row(1, 5, 19, 0, 0, 4),
          new Row(1, 5, 19, 0, 1, 4),
          new Row(0, 19, 44, 10, 0, 4),
          new Row(0, 19, 44, 10, 1, 4),
          new Row(2, 60, 70, 0, 0, 3));

  /** What the run says of each job, to be falsified. */
  private static final class Said implements Validator.Outcomes {
    final double[] start = {0, 5, 60};
    final double[] finish = {44, 19, 70};
    final double[] held = {30, 14, 10};
    final int[] restarts = {1, 0, 0};

    @Override
    public double startSeconds(int job) {
      return start[job];
    }

    @Override
    public double finishSeconds(int job) {
      return finish[job];
    }

    @Override
    public double heldSeconds(int job) {
      return held[job];
    }

    @Override
    public int restarts(int job) {
      return restarts[job];
    }
  }

  private static List<String> check(List<Row> rows, Said said) {
    Segments segments = new Segments();
    rows.forEach(r -> segments.add(r.job, r.start, r.end, r.warmup, r.server, r.gpus));
    return Validator.check(CLUSTER, JOBS, segments, said);
  }

  private static List<Row> with(int index, Row... instead) {
    List<Row> rows = new ArrayList<>(ROWS);
    rows.remove(index);
    rows.addAll(index, List.of(instead));
    return rows;
  }

  @Test
  void theUntamperedRunIsTheSimulatorsAndPasses() {
    Segments rows = new Segments();
    RunResult run = Runs.run(CLUSTER, JOBS, "srtf", 1, rows, "placement=pack");
    assertThat(Validator.check(CLUSTER, JOBS, rows, run)).isEmpty();
    assertThat(run.finishSeconds(0)).isEqualTo(44);
    assertThat(check(ROWS, new Said())).isEmpty();
  }

  @Test
  void findsAnOverfullServer() {
    assertThat(check(with(6, new Row(2, 60, 70, 0, 0, 5)), new Said()))
        .anyMatch(f -> f.contains("server s0001: 5 of 4 GPUs are taken at 60.0 s"));
    // Two jobs that are small enough each.
    assertThat(check(with(2, new Row(1, 4, 19, 0, 0, 4)), new Said()))
        .anyMatch(f -> f.contains("server s0001: 8 of 4 GPUs are taken at 4.0 s"));
  }

  @Test
  void findsAMissingMemberOfAGang() {
    assertThat(check(with(3), new Said()))
        .anyMatch(f -> f.contains("job short: runs with 4 GPUs at 5.0 s, takes 8 to 8"));
  }

  @Test
  void findsAServerNamedTwice() {
    assertThat(check(with(6, new Row(2, 60, 70, 0, 0, 1), new Row(2, 60, 70, 0, 0, 2)), new Said()))
        .anyMatch(f -> f.contains("job late: has a server twice at 60.0 s"));
  }

  @Test
  void findsARowWithoutGpus() {
    assertThat(check(with(6, ROWS.get(6), new Row(2, 60, 70, 0, 1, 0)), new Said()))
        .anyMatch(f -> f.contains("job late: a row has 0 GPUs"));
  }

  @Test
  void findsOverlappingSegments() {
    List<Row> rows = with(4, new Row(0, 4, 44, 10, 0, 4));
    rows.set(5, new Row(0, 4, 44, 10, 1, 4));
    assertThat(check(rows, new Said()))
        .anyMatch(f -> f.contains("job long: its segment at 4.0 s overlaps another"));
  }

  @Test
  void findsAFinishThatMoved() {
    Said said = new Said();
    said.finish[2] = 71;
    assertThat(check(ROWS, said))
        .containsExactly("job late: finishes at 71.0 s, its last segment at 70.0 s");
  }

  @Test
  void findsWorkShortByOnePercent() {
    Said said = new Said();
    said.finish[2] = 69.9;
    said.held[2] = 9.9;
    assertThat(check(with(6, new Row(2, 60, 69.9, 0, 0, 3)), said))
        .singleElement()
        .asString()
        .startsWith("job late: did work for 9.9")
        .endsWith("ideal seconds, asked for 10.0");
  }

  @Test
  void findsTooMuchWorkToo() {
    Said said = new Said();
    said.finish[2] = 70.1;
    said.held[2] = 10.1;
    assertThat(check(with(6, new Row(2, 60, 70.1, 0, 0, 3)), said))
        .singleElement()
        .asString()
        .contains("asked for 10.0");
  }

  @Test
  void findsAStartBeforeSubmission() {
    Said said = new Said();
    said.start[2] = 59;
    said.finish[2] = 69;
    assertThat(check(with(6, new Row(2, 59, 69, 0, 0, 3)), said))
        .containsExactly("job late: starts before it was submitted");
  }

  @Test
  void findsAStartThatMoved() {
    Said said = new Said();
    said.start[2] = 61;
    assertThat(check(ROWS, said))
        .containsExactly("job late: starts at 61.0 s, its first segment at 60.0 s");
  }

  @Test
  void findsAWrongWarmup() {
    List<Row> rows = with(4, new Row(0, 19, 44, 9, 0, 4));
    rows.set(5, new Row(0, 19, 44, 9, 1, 4));
    assertThat(check(rows, new Said()))
        .anyMatch(f -> f.contains("job long: restarts for 9.0 s at 19.0 s, expected 10.0"));
    // And one where there is to be none.
    assertThat(check(with(6, new Row(2, 60, 70, 5, 0, 3)), new Said()))
        .anyMatch(f -> f.contains("job late: restarts for 5.0 s at 60.0 s, expected 0.0"));
  }

  @Test
  void findsAMiscountedRestartAndAWrongRunTime() {
    Said said = new Said();
    said.restarts[0] = 0;
    said.held[1] = 13;
    assertThat(check(ROWS, said))
        .containsExactlyInAnyOrder(
            "job long: has 0 restarts in 2 segments",
            "job short: runs 13.0 s, its segments 14.0 s");
  }

  @Test
  void findsAJobThatNeverRan() {
    assertThat(check(with(6), new Said())).containsExactly("job late: never ran");
  }

  @Test
  void namesTwentyFindingsAndCountsTheRest() {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 25; i++) {
      builder.addDuration("j" + i, 0, 1, 1, "");
    }
    List<String> findings = Validator.check(CLUSTER, builder.build(), new Segments(), new Said());
    assertThat(findings).hasSize(21).last().isEqualTo("and 5 more");
  }
}
