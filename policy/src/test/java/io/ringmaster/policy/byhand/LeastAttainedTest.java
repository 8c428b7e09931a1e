package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

/** Least attained service: when a job falls, and who is ahead of whom. */
class LeastAttainedTest {
  /**
   * Four GPUs, threshold 200 GPU-seconds. "old" holds all four from 0 and passes 200 at 50: until
   * then "new", which came at 20, waits behind it; at 50 it stops "old" and runs to 60.
   */
  @Test
  void aJobFallsExactlyAtTheThreshold() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("old", 0, 4, 100, "")
            .addDuration("new", 20, 4, 10, "")
            .build();
    Play play = Play.of(cluster, jobs, "las", "queues=200");
    assertThat(play.spans()).containsExactly("job 0: 0.0-50.0 60.0-110.0", "job 1: 50.0-60.0");
  }

  /** Half the GPUs attain half as fast: 100 s until 200 GPU-seconds. */
  @Test
  void serviceIsTimeByGpus() {
    Cluster cluster = Cluster.uniform(1, 2, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("old", 0, 2, 150, "")
            .addDuration("new", 20, 2, 10, "")
            .build();
    Play play = Play.of(cluster, jobs, "las", "queues=200");
    assertThat(play.spans()).containsExactly("job 0: 0.0-100.0 110.0-160.0", "job 1: 100.0-110.0");
  }

  /**
   * One GPU, thresholds 10 and 30. "a" falls at 10 and "b" runs until it falls too, at 20. Both are
   * in the second queue: "a", which waits there, is behind "b", which runs, until "b" has 30 at 40
   * and falls again. "a" then runs its 20 to 60, ends there, and "b" ends its last 5 at 65.
   */
  @Test
  void inOneQueueRunningJobsStayAheadOfWaitingOnes() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 0, 1, 35, "")
            .build();
    Play play = Play.of(cluster, jobs, "las", "queues=10,30");
    assertThat(play.spans())
        .containsExactly("job 0: 0.0-10.0 40.0-60.0", "job 1: 10.0-40.0 60.0-65.0");
  }

  /**
   * One GPU, threshold 10. "a" falls at 10 and waits in the second queue, where "b" joins it at 20
   * and runs on. At 25 "c" stops "b", which then waits ahead of "a" and goes on first at 30.
   */
  @Test
  void aSuspendedJobWaitsAheadOfThoseThatWaitedAlready() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 0, 1, 30, "")
            .addDuration("c", 25, 1, 5, "")
            .build();
    Play play = Play.of(cluster, jobs, "las", "queues=10");
    assertThat(play.spans())
        .containsExactly(
            "job 0: 0.0-10.0 45.0-65.0", "job 1: 10.0-25.0 30.0-45.0", "job 2: 25.0-30.0");
  }

  @Test
  void jobsThatNeverPassAThresholdRunFirstComeFirstServed() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 7);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 1, 1, 5, "")
            .addDuration("c", 2, 1, 1, "")
            .build();
    Play play = Play.of(cluster, jobs, "las", "queues=1000");
    assertThat(play.spans())
        .containsExactly("job 0: 0.0-30.0", "job 1: 30.0-35.0", "job 2: 35.0-36.0");
  }
}
