package io.ringmaster.experiments.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SjfBcoExperimentTest {
  private static final SjfBcoExperiment EXPERIMENT = new SjfBcoExperiment();
  private static final AtomicLong DONE = new AtomicLong();
  private static Experiment.Results results = new Experiment.Results(List.of(), List.of());

  @BeforeAll
  static void run() {
    results = EXPERIMENT.run(2, 2, done -> DONE.accumulateAndGet(done, Math::max));
  }

  private static double makespan(String policy, String... keysAndValues) {
    return results.rows().stream()
        .filter(r -> r.policy().equals(policy) && r.metric().equals("makespan_slots"))
        .filter(r -> r.setting().size() == keysAndValues.length / 2)
        .filter(r ->
            IntStream.range(0, keysAndValues.length / 2)
                .allMatch(i ->
                    String.valueOf(r.setting().get(keysAndValues[2 * i]))
                        .equals(keysAndValues[2 * i + 1])))
        .map(r -> r.figure().mean())
        .reduce((_, _) -> {
          throw new AssertionError("two rows of " + policy + List.of(keysAndValues));
        })
        .orElseThrow();
  }

  @Test
  void everyFigureIsThereOnce() {
    assertThat(DONE.get()).isEqualTo(EXPERIMENT.steps(2));
    for (String servers : List.of("10", "15", "20")) {
      for (String cap : List.of("0.15", "0.3", "0.6")) {
        for (String reading : List.of("literal", "planned")) {
          for (String policy : List.of("sjf-bco", "list-scheduling", "first-fit", "random")) {
            assertThat(makespan(policy, "servers", servers, "reading", reading, "cap", cap))
                .isPositive();
          }
        }
      }
    }
  }

  /** Only order and placement differ, and placement costs nothing. */
  @Test
  void withoutExtraTimeAllTie() {
    double sjfBco = makespan("sjf-bco", "servers", "20", "reading", "literal", "cap", "0.0");
    for (String policy : List.of("list-scheduling", "first-fit", "random")) {
      assertThat(makespan(policy, "servers", "20", "reading", "literal", "cap", "0.0"))
          .isEqualTo(sjfBco);
    }
  }

  /** No job asks for 9 or 10 GPUs. */
  @Test
  void kappaEightAndTenAreTheSame() {
    for (String reading : List.of("literal", "planned")) {
      assertThat(makespan("sjf-bco", "kappa", "10", "reading", reading))
          .isEqualTo(makespan("sjf-bco", "kappa", "8", "reading", reading));
      assertThat(makespan("sjf-bco", "lambda", "1", "reading", reading))
          .isEqualTo(makespan("sjf-bco", "kappa", "1", "reading", reading));
    }
  }

  @Test
  void nothingBeatsTheBound() {
    for (Row row : results.rows()) {
      if (row.metric().equals("makespan_slots") && row.setting().containsKey("servers")) {
        double bound =
            makespan(
                SjfBcoCell.BOUND,
                "servers",
                String.valueOf(row.setting().get("servers")),
                "reading",
                "literal",
                "cap",
                String.valueOf(row.setting().get("cap")));
        assertThat(row.figure().mean()).isGreaterThanOrEqualTo(bound);
      }
    }
  }

  @Test
  void threadsChangeNothing() {
    assertThat(EXPERIMENT.run(2, 1, _ -> {}).rows()).isEqualTo(results.rows());
  }

  @Test
  void plotsHaveTheNumbersOfTheRows() {
    assertThat(results.plots()).hasSize(8);
    Plot literal = results.plots().getFirst();
    assertThat(literal.series().getFirst().points())
        .extracting(Plot.Point::y)
        .containsExactly(
            makespan("sjf-bco", "servers", "10", "reading", "literal", "cap", "0.15"),
            makespan("sjf-bco", "servers", "15", "reading", "literal", "cap", "0.15"),
            makespan("sjf-bco", "servers", "20", "reading", "literal", "cap", "0.15"));
    assertThat(literal.series()).filteredOn(Plot.Series::paper).hasSize(4);
    Plot completion = results.plots().get(2);
    assertThat(completion.series())
        .filteredOn(Plot.Series::paper)
        .extracting(Plot.Series::points)
        .containsExactly(
            List.of(new Plot.Point(20, 180, 0)),
            List.of(new Plot.Point(20, 185, 0)),
            List.of(new Plot.Point(20, 450, 0)),
            List.of(new Plot.Point(20, 260, 0)));
  }

  /** Ranges of the paper; a ring alone costs a third of the cap, three on a server all of it. */
  @Test
  void drawsAreThePapers() {
    double cap = 0.3;
    for (long seed = 1; seed <= 20; seed++) {
      SjfBcoWorkload draw = new SjfBcoWorkload(seed);
      Cluster cluster = draw.cluster(20, SjfBcoWorkload.network(cap));
      Jobs jobs = draw.jobs(cap);
      IterationTime time = IterationTime.of(cluster);
      assertThat(jobs.size()).isEqualTo(160);
      assertThat(cluster.servers()).allMatch(s -> List.of(4, 8, 16, 32).contains(s.gpus()));
      for (int job = 0; job < jobs.size(); job++) {
        double alone = time.seconds(jobs.profile(job), Placement.on(0, jobs.gpus(job)), 1);
        assertThat(alone).isBetween(0.01 - 1e-12, 0.05 + 1e-12);
        assertThat(alone * jobs.work(job)).isBetween(50 - 1e-9, 300 + 1e-9);
        if (jobs.gpus(job) > 1) {
          Placement two = Placement.of(new int[] {0, 1}, new int[] {1, jobs.gpus(job) - 1});
          double overhead = cap / 30 * 0.03;
          assertThat(time.seconds(jobs.profile(job), two, 1))
              .isCloseTo(alone * (1 + cap / 3) + overhead, within(1e-12));
          assertThat(time.seconds(jobs.profile(job), two, 3))
              .isCloseTo(alone * (1 + cap), within(1e-12));
        }
      }
    }
  }
}
