package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

/** Preemption where a job needs particular servers: {@code placement=consolidate}. */
class ServerWalkTest {
  @Test
  void aLargeJobClearsWholeServersOfLongerOnes() {
    Cluster cluster = Cluster.uniform(3, 2, Network.None.USUAL, 0);
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 6; i++) {
      builder.addDuration("small" + i, 0, 1, 100 + i, "");
    }
    builder.addDuration("large", 10, 4, 20, "");
    RunResult run = Runs.run(cluster, builder.build(), "srtf", "placement=consolidate");
    // The servers that hold the four longest are cleared; the two shortest go on.
    assertThat(run.startSeconds(6)).isEqualTo(10);
    assertThat(run.finishSeconds(6)).isEqualTo(30);
    assertThat(run.finishSeconds(0)).isEqualTo(100);
    assertThat(run.finishSeconds(1)).isEqualTo(101);
    for (int job = 2; job < 6; job++) {
      assertThat(run.finishSeconds(job)).isEqualTo(100 + job + 20);
      assertThat(run.restarts(job)).isEqualTo(1);
    }
  }
}
