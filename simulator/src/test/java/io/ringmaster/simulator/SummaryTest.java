package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

class SummaryTest {
  /**
   * Four GPUs. The first job comes at 100 and runs 10 s on four; the second comes at 105, waits
   * until 110 and runs 20 s on two. The clock starts with the first submission.
   */
  @Test
  void theFiguresByHand() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 100, 4, 10, "")
            .addDuration("b", 105, 2, 20, "")
            .build();
    Summary summary = Runs.summary(cluster, jobs, Runs.run(cluster, jobs, "fifo"));
    assertThat(summary.jobs()).isEqualTo(2);
    assertThat(summary.finished()).isEqualTo(2);
    assertThat(summary.makespanSeconds()).isEqualTo(30);
    assertThat(summary.jctMeanSeconds()).isEqualTo(17.5);
    assertThat(summary.waitMeanSeconds()).isEqualTo(2.5);
    assertThat(summary.gpuUtilization()).isCloseTo((40.0 + 40) / (4 * 30), within(1e-12));
    assertThat(summary.slowdownMean()).isEqualTo(1);
    assertThat(summary.restarts()).isZero();
  }

  /** A restart is run time too: 20 s of work take 30 s of GPUs, and the wait is what is left. */
  @Test
  void restartsCountAsRunTimeNotAsWait() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("long", 0, 8, 20, "")
            .addDuration("short", 5, 8, 14, "")
            .build();
    Summary summary = Runs.summary(cluster, jobs, Runs.run(cluster, jobs, "srtf"));
    assertThat(summary.restarts()).isEqualTo(1);
    assertThat(summary.makespanSeconds()).isEqualTo(44);
    assertThat(summary.waitMeanSeconds()).isEqualTo((14 + 0) / 2.0);
    assertThat(summary.slowdownMean()).isCloseTo((1.5 + 1) / 2, within(1e-12));
    assertThat(summary.gpuUtilization()).isCloseTo(1, within(1e-12));
  }

  /** A hundred jobs that take 1 to 100 s: half are below 51, 95 below 96, 99 below 100. */
  @Test
  void aPercentileIsTheFirstValueThatSuchAShareIsBelow() {
    Cluster cluster = Cluster.uniform(1, 100, Network.None.USUAL, 0);
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int seconds = 100; seconds >= 1; seconds--) {
      builder.addDuration("j" + seconds, 0, 1, seconds, "");
    }
    Jobs jobs = builder.build();
    Summary summary = Runs.summary(cluster, jobs, Runs.run(cluster, jobs, "fifo"));
    assertThat(summary.jctP50Seconds()).isEqualTo(51);
    assertThat(summary.jctP95Seconds()).isEqualTo(96);
    assertThat(summary.jctP99Seconds()).isEqualTo(100);
  }
}
