package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunReportTest {
  private record Ran(
      PolicySpec spec, Cluster cluster, Jobs jobs, RunResult result, Segments segments) {
    static Ran of(Cluster cluster, Jobs jobs, String policy) {
      PolicySpec spec = Policies.named(policy);
      Settings settings = spec.settings(Map.of());
      Segments segments = new Segments();
      RunResult result =
          new Simulation(
                  cluster,
                  jobs,
                  policy,
                  spec.create(settings, cluster),
                  spec.estimate(settings),
                  1,
                  segments)
              .run();
      return new Ran(spec, cluster, jobs, result, segments);
    }

    Map<String, Object> report() {
      return RunReport.of(
          Map.of("policy", "fifo", "version", "1"),
          cluster,
          jobs,
          result,
          segments,
          spec.placement(spec.settings(Map.of()), cluster, jobs.anyElastic()));
    }
  }

  /**
   * Two servers of 4 GPUs. Job a takes 4 GPUs from 0 to 60, b the other 4 from 0 to 30, c waits for
   * 8 from 0 to 60 and runs until 120.
   */
  private static Ran byHand() {
    Cluster cluster = Cluster.uniform(2, 4, Network.NONE, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 4, 60, "")
            .addDuration("b", 0, 4, 30, "")
            .addDuration("c", 0, 8, 60, "")
            .build();
    return Ran.of(cluster, jobs, "fifo");
  }

  /** 600 bins over 120 s: five a second. */
  @Test
  void theTimelineByHand() {
    Map<String, Object> timeline = map(byHand().report().get("timeline"));
    assertThat(timeline).containsEntry("binSeconds", 0.2);
    assertThat(at(timeline, "busyGpus", 10)).isEqualTo(8);
    assertThat(at(timeline, "busyGpus", 200)).isEqualTo(4);
    assertThat(at(timeline, "busyGpus", 400)).isEqualTo(8);
    assertThat(at(timeline, "runningJobs", 10)).isEqualTo(2);
    assertThat(at(timeline, "waitingJobs", 10)).isEqualTo(1);
    assertThat(at(timeline, "waitingGpus", 10)).isEqualTo(8);
    assertThat(at(timeline, "waitingJobs", 400)).isZero();
  }

  /** 300 cells over 120 s, 2.5 a second: a or b is alone from 30 to 60, cells 75 to 150. */
  @Test
  void theCellsByHand() {
    Map<String, Object> grid = map(byHand().report().get("grid"));
    assertThat(grid).containsEntry("bins", 300).containsEntry("rows", List.of("s0001", "s0002"));
    int[] busy = bytes(grid, "busy");
    int[] size = bytes(grid, "size");
    assertThat(List.of(busy[10], busy[310])).containsExactly(255, 255);
    assertThat(List.of(busy[100], busy[400])).containsExactlyInAnyOrder(0, 255);
    assertThat(List.of(size[10], size[200])).containsExactly(2, 3);
    assertThat(List.of(size[100], size[400])).containsExactlyInAnyOrder(2, 255);
    assertThat(bytes(grid, "rings")).containsOnly(0);
  }

  /** Sizes 1, 2, 3-4 and 5-8; none asks for one or two. c waits 60 s. */
  @Test
  @SuppressWarnings("unchecked")
  void theTableOfSizesByHand() {
    List<Map<String, Object>> sizes =
        (List<Map<String, Object>>) Objects.requireNonNull(byHand().report().get("bySize"));
    assertThat(sizes).hasSize(2);
    assertThat(sizes.get(0))
        .containsEntry("label", "3-4")
        .containsEntry("jobs", 2)
        .containsEntry("jctMean", 45.0)
        .containsEntry("waitMean", 0.0);
    assertThat(sizes.get(1))
        .containsEntry("label", "5-8")
        .containsEntry("jctMean", 120.0)
        .containsEntry("waitP95", 60.0)
        .containsEntry("gpuHours", 480 / 3600.0);
  }

  /** What is drawn over time adds up to what the jobs held and waited. */
  @Test
  void timelinesAddUpToTheResults() {
    Seeds.each(
        40,
        (random, _) -> {
          Ran ran = random(random);
          Map<String, Object> timeline = map(ran.report().get("timeline"));
          double held = 0;
          double gpuSeconds = 0;
          double waited = 0;
          for (int job = 0; job < ran.jobs().size(); job++) {
            held += ran.result().heldSeconds(job);
            gpuSeconds += ran.result().heldGpuSeconds(job);
            waited +=
                ran.result().finishSeconds(job)
                    - ran.jobs().submitSeconds(job)
                    - ran.result().heldSeconds(job);
          }
          assertThat(sum(timeline, "busyGpus")).isCloseTo(gpuSeconds, within(0.1));
          assertThat(sum(timeline, "runningJobs")).isCloseTo(held, within(0.1));
          assertThat(sum(timeline, "waitingJobs")).isCloseTo(waited, within(0.1));
          assertThat(sum(timeline, "contendedGpus")).isBetween(0.0, gpuSeconds + 0.1);
        });
  }

  private static Ran random(RandomGenerator random) {
    Jobs.Builder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < 30; job++) {
      builder.addDuration(
          "j" + job,
          random.nextInt(1000),
          1 << random.nextInt(4),
          10 + random.nextInt(500),
          random.nextBoolean() ? "vgg16" : "");
    }
    Cluster cluster = Cluster.uniform(4, 4, Network.DEFAULT, 10);
    String[] policies = {"fifo", "easy", "srtf", "first-fit", "spjf"};
    return Ran.of(cluster, builder.build(), policies[random.nextInt(policies.length)]);
  }

  /** So many jobs that the page would be too large: only cells are told of. */
  @Test
  void aLongRunIsToldOfInCellsOnly() {
    Jobs.Builder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < 25_000; job++) {
      builder.addDuration("j" + job, job, 1, 5, "");
    }
    Ran ran = Ran.of(Cluster.uniform(300, 4, Network.NONE, 0), builder.build(), "fifo");
    Map<String, Object> report = ran.report();
    assertThat(report).containsEntry("segments", null);
    Map<String, Object> grid = map(report.get("grid"));
    List<?> rows = (List<?>) Objects.requireNonNull(grid.get("rows"));
    assertThat(rows).hasSize(100);
    assertThat(rows.get(1)).isEqualTo("s0004 to s0006");
    assertThat(Page.html(report).length()).isLessThan(3_000_000);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  private static double at(Map<String, Object> timeline, String column, int bin) {
    return column(timeline, column)[bin];
  }

  private static double[] column(Map<String, Object> timeline, String column) {
    return (double[]) Objects.requireNonNull(timeline.get(column));
  }

  private static double sum(Map<String, Object> timeline, String column) {
    double width = (Double) Objects.requireNonNull(timeline.get("binSeconds"));
    return Arrays.stream(column(timeline, column)).sum() * width;
  }

  private static int[] bytes(Map<String, Object> grid, String column) {
    byte[] bytes = Base64.getDecoder().decode(String.valueOf(grid.get(column)));
    int[] values = new int[bytes.length];
    Arrays.setAll(values, i -> bytes[i] & 0xff);
    return values;
  }
}
