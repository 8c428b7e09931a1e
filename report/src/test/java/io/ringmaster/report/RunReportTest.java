package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.simulator.Summary;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
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

    RunReport.Document report() {
      RunInputs inputs = new RunInputs(cluster, jobs);
      Summary summary = Summary.of(spec.name(), 1, cluster, jobs, result, inputs.lowerBounds());
      Run run = Run.of(spec.name(), Map.of(), 1);
      return RunReport.of(new CompletedRun(run, inputs, result, summary), segments);
    }
  }

  /**
   * Two servers of 4 GPUs. Job a takes 4 GPUs from 0 to 60, b the other 4 from 0 to 30, c waits for
   * 8 from 0 to 60 and runs until 120.
   */
  private static Ran byHand() {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 0);
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
    Timeline timeline = byHand().report().timeline();
    assertThat(timeline.binSeconds()).isEqualTo(0.2);
    assertThat(timeline.busyGpus()[10]).isEqualTo(8);
    assertThat(timeline.busyGpus()[200]).isEqualTo(4);
    assertThat(timeline.busyGpus()[400]).isEqualTo(8);
    assertThat(timeline.runningJobs()[10]).isEqualTo(2);
    assertThat(timeline.waitingJobs()[10]).isEqualTo(1);
    assertThat(timeline.waitingGpus()[10]).isEqualTo(8);
    assertThat(timeline.waitingJobs()[400]).isZero();
  }

  /** 300 cells over 120 s, 2.5 a second: a or b is alone from 30 to 60, cells 75 to 150. */
  @Test
  void theCellsByHand() {
    Grid.Cells grid = byHand().report().grid();
    assertThat(grid.bins()).isEqualTo(300);
    assertThat(grid.rows()).containsExactly("s0001", "s0002");
    int[] busy = bytes(grid.busy());
    int[] size = bytes(grid.size());
    assertThat(List.of(busy[10], busy[310])).containsExactly(255, 255);
    assertThat(List.of(busy[100], busy[400])).containsExactlyInAnyOrder(0, 255);
    assertThat(List.of(size[10], size[200])).containsExactly(2, 3);
    assertThat(List.of(size[100], size[400])).containsExactlyInAnyOrder(2, 255);
    assertThat(bytes(grid.rings())).containsOnly(0);
  }

  /** Sizes 1, 2, 3-4 and 5-8; none asks for one or two. c waits 60 s. */
  @Test
  void theTableOfSizesByHand() {
    List<GroupTable.Group> sizes = byHand().report().bySize();
    assertThat(sizes).hasSize(2);
    assertThat(sizes.get(0))
        .returns("3-4", GroupTable.Group::label)
        .returns(2, GroupTable.Group::jobs)
        .returns(45.0, GroupTable.Group::jctMean)
        .returns(0.0, GroupTable.Group::waitMean);
    assertThat(sizes.get(1))
        .returns("5-8", GroupTable.Group::label)
        .returns(120.0, GroupTable.Group::jctMean)
        .returns(60.0, GroupTable.Group::waitP95)
        .returns(480 / 3600.0, GroupTable.Group::gpuHours);
  }

  /** What is drawn over time adds up to what the jobs held and waited. */
  @Test
  void timelinesAddUpToTheResults() {
    Seeds.each(
        40,
        (random, _) -> {
          Ran ran = random(random);
          Timeline timeline = ran.report().timeline();
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
          assertThat(sum(timeline, timeline.busyGpus())).isCloseTo(gpuSeconds, within(0.1));
          assertThat(sum(timeline, timeline.runningJobs())).isCloseTo(held, within(0.1));
          assertThat(sum(timeline, timeline.waitingJobs())).isCloseTo(waited, within(0.1));
          assertThat(sum(timeline, timeline.contendedGpus())).isBetween(0.0, gpuSeconds + 0.1);
        });
  }

  private static Ran random(RandomGenerator random) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < 30; job++) {
      builder.addDuration(
          "j" + job,
          random.nextInt(1000),
          1 << random.nextInt(4),
          10 + random.nextInt(500),
          random.nextBoolean() ? "vgg16" : "");
    }
    Cluster cluster = Cluster.uniform(4, 4, Network.Contention.USUAL, 10);
    String[] policies = {"fifo", "easy", "srtf", "first-fit", "spjf"};
    return Ran.of(cluster, builder.build(), policies[random.nextInt(policies.length)]);
  }

  /** So many jobs that the page would be too large: only cells are told of. */
  @Test
  void aLongRunIsToldOfInCellsOnly() {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < 25_000; job++) {
      builder.addDuration("j" + job, job, 1, 5, "");
    }
    Ran ran = Ran.of(Cluster.uniform(300, 4, Network.None.USUAL, 0), builder.build(), "fifo");
    RunReport.Document report = ran.report();
    assertThat(report.segments()).isNull();
    List<String> rows = report.grid().rows();
    assertThat(rows).hasSize(100);
    assertThat(rows.get(1)).isEqualTo("s0004 to s0006");
    assertThat(Page.html(report).length()).isLessThan(3_000_000);
  }

  private static double sum(Timeline timeline, double[] column) {
    return Arrays.stream(column).sum() * timeline.binSeconds();
  }

  private static int[] bytes(String layer) {
    byte[] bytes = Base64.getDecoder().decode(layer);
    int[] values = new int[bytes.length];
    Arrays.setAll(values, i -> bytes[i] & 0xff);
    return values;
  }
}
