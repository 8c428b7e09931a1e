package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

/** Dominant resource fairness, worked out by hand. */
class DominantShareTest {
  /** A job that wants three of four GPUs waits while another keeps its least number, two. */
  @Test
  void aRunningJobKeepsItsLeastNumberOfWorkers() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .add("a", 0, 2, 2, 4, 20, true, "", "", "")
            .add("b", 5, 3, 3, 3, 10, true, "", "", "")
            .build();
    Play run = Play.of(cluster, jobs, "drf");
    // "a" has all four GPUs: 40 GPU-seconds take 10 s. "b" waits, since "a" keeps two.
    assertThat(run.finishSeconds(0)).isEqualTo(10);
    assertThat(run.startSeconds(1)).isEqualTo(10);
  }
}
