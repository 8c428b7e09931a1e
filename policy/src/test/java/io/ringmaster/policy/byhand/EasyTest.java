package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** EASY backfilling: what may pass the job that waits first. */
class EasyTest {
  /**
   * Eight GPUs. Job 0 holds six until 10; job 1 wants eight and is promised 10. Job 2 fits the gap
   * of two GPUs until 10 and starts at once; job 3 would too but ends at 11; job 4 is short and
   * takes the last GPU.
   */
  @Test
  void fillsTheGapBeforeTheReservationAndNoMore() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("holds", 0, 6, 10, "")
            .addDuration("head", 1, 8, 5, "")
            .addDuration("fits", 2, 1, 8, "")
            .addDuration("long", 2, 1, 9, "")
            .addDuration("short", 3, 1, 1, "")
            .build();

    Play run = Play.of(cluster, jobs, "easy");

    assertThat(IntStream.range(0, jobs.size()).mapToObj(run::startSeconds))
        .containsExactly(0.0, 10.0, 2.0, 15.0, 3.0);
  }

  /**
   * Eight GPUs, six held until 10. The head wants seven at 10, so that one GPU stays free then: the
   * first long job of one GPU may have it, the second may not.
   */
  @Test
  void lendsWhatStaysFreeAtTheReservationOnce() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("holds", 0, 6, 10, "")
            .addDuration("head", 1, 7, 5, "")
            .addDuration("first", 2, 1, 100, "")
            .addDuration("second", 2, 1, 100, "")
            .build();

    Play run = Play.of(cluster, jobs, "easy");

    assertThat(IntStream.range(0, jobs.size()).mapToObj(run::startSeconds))
        .containsExactly(0.0, 10.0, 2.0, 15.0);
  }
}
