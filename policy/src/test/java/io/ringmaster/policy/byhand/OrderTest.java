package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

/** Policies that start jobs in an order, and those that stop one for another. */
class OrderTest {
  private static final Cluster FOUR = Cluster.uniform(1, 4, Network.None.USUAL, 0);

  /** All at once on four GPUs. */
  private static final Jobs THREE =
      Jobs.builder(ModelTable.standard())
          .addDuration("three GPUs", 0, 3, 10, "")
          .addDuration("all GPUs", 0, 4, 5, "")
          .addDuration("one GPU", 0, 1, 20, "")
          .build();

  @Test
  void theFirstHoldsUpWhoIsBehindIt() {
    assertThat(Play.of(FOUR, THREE, "fifo").spans())
        .containsExactly("job 0: 0.0-10.0", "job 1: 10.0-15.0", "job 2: 15.0-35.0");
  }

  @Test
  void unlessJobsThatDoNotFitArePassedOver() {
    assertThat(Play.of(FOUR, THREE, "fifo", "blocking=false").spans())
        .containsExactly("job 0: 0.0-10.0", "job 1: 20.0-25.0", "job 2: 0.0-20.0");
  }

  @Test
  void theShortestGoesFirst() {
    assertThat(Play.of(FOUR, THREE, "sjf").spans())
        .containsExactly("job 0: 5.0-15.0", "job 1: 0.0-5.0", "job 2: 5.0-25.0");
  }

  @Test
  void theLongestGoesFirst() {
    assertThat(Play.of(FOUR, THREE, "longest-first").spans())
        .containsExactly("job 0: 0.0-10.0", "job 1: 20.0-25.0", "job 2: 0.0-20.0");
  }

  /** The long one has 80 s to go when the short one comes, and goes on when that ends. */
  @Test
  void whoHasLessLeftStopsOthers() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("long", 0, 4, 100, "")
            .addDuration("short", 20, 4, 10, "")
            .build();
    assertThat(Play.of(FOUR, jobs, "srtf", "shield=0").spans())
        .containsExactly("job 0: 0.0-20.0 30.0-110.0", "job 1: 20.0-30.0");
  }

  /** At 95 s the long one has 5 s left, the short one 10: it waits. */
  @Test
  void whatIsLeftCountsAndNotTheWhole() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("long", 0, 4, 100, "")
            .addDuration("short", 95, 4, 10, "")
            .build();
    assertThat(Play.of(FOUR, jobs, "srtf", "shield=0").spans())
        .containsExactly("job 0: 0.0-100.0", "job 1: 100.0-110.0");
  }

  /** 10 s on four GPUs are less time than 30 s on one, and more GPU-time. */
  @Test
  void gpusCountInService() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("wide", 0, 4, 10, "")
            .addDuration("thin", 0, 1, 30, "")
            .build();
    assertThat(Play.of(FOUR, jobs, "srtf", "shield=0").spans())
        .containsExactly("job 0: 0.0-10.0", "job 1: 10.0-40.0");
    assertThat(Play.of(FOUR, jobs, "srsf", "shield=0").spans())
        .containsExactly("job 0: 30.0-40.0", "job 1: 0.0-30.0");
  }
}
