package io.ringmaster.policy.maestro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Four GPUs. With so many workers a job is so many times as fast, up to a most. */
class RolloutTest {
  private static Rollout.Job job(double leftSeconds, int fastest, int present) {
    double[] speeds = {0, 1, Math.min(2, fastest), 0, Math.min(4, fastest)};
    return new Rollout.Job(leftSeconds, speeds, 1, present, false, present > 0);
  }

  private static int[] run(double restartSeconds, Rollout.Job... jobs) {
    return new Rollout(List.of(jobs), 4, 0, restartSeconds, false).run();
  }

  /** Both at once end after 2 s; one after the other after 1 s and 2 s. */
  @Test
  void jobsThatScaleGoOneAfterTheOther() {
    assertThat(run(0, job(4, 4, 0), job(4, 4, 0))).containsExactly(4, 0);
  }

  /** More than two workers are of no use. */
  @Test
  void jobsThatDoNotScaleGoSideBySide() {
    assertThat(run(0, job(4, 2, 0), job(4, 2, 0))).containsExactly(2, 2);
  }

  /** With 2 workers it takes 5 s, with 4 it takes 2.5 s and a restart. */
  @Test
  void aJobGrowsIfThatSavesMoreThanARestart() {
    assertThat(run(2, job(10, 4, 2))).containsExactly(4);
    assertThat(run(3, job(10, 4, 2))).containsExactly(2);
  }

  /** To stop the long one for the short one gains 25 s and costs a restart. */
  @Test
  void aLongJobIsStoppedIfThatSavesMoreThanARestart() {
    assertThat(run(1, job(4, 4, 0), job(104, 4, 4))[0]).isPositive();
    assertThat(run(1000, job(4, 4, 0), job(104, 4, 4))).containsExactly(0, 4);
  }

  /** A job that may not be touched keeps what it has. */
  @Test
  void whatIsFixedStays() {
    Rollout.Job fixed = new Rollout.Job(1000, new double[] {0, 1, 2, 0, 4}, 1, 1, true, true);
    assertThat(run(0, job(4, 4, 0), fixed)).containsExactly(2, 1);
  }
}
