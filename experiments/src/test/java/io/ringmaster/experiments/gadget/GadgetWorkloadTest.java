package io.ringmaster.experiments.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GadgetWorkloadTest {
  private static final GadgetSetting SETTING = GadgetSetting.of(100, 20, 2, 100);

  /** Load 2 of 160 GPUs over 60000 s. */
  @Test
  void workIsTheLoad() {
    assertThat(Arrays.stream(new GadgetWorkload(1, SETTING).work()).sum())
        .isCloseTo(2 * 160 * 60000.0, within(1e-3));
  }

  @Test
  void rangesAreAsDocumented() {
    for (long seed = 1; seed <= 20; seed++) {
      GadgetWorkload draw = new GadgetWorkload(seed, SETTING);
      Jobs fixed = draw.fixed();
      Jobs elastic = draw.elastic();
      assertThat(fixed.size()).isEqualTo(100);
      for (int job = 0; job < fixed.size(); job++) {
        ModelProfile profile = profile(fixed, job);
        assertThat(profile.gradientBytes()).isBetween(30e6, 575e6);
        assertThat(profile.computeSeconds()).isBetween(0.05, 0.5);
        assertThat(profile.reserveBytesPerSecond()).isIn(1e9 / 8, 2e9 / 8, 5e9 / 8);
        assertThat(fixed.submitSeconds(job) % 600).isZero();
        assertThat(fixed.submitSeconds(job)).isBetween(0.0, 60 * 600.0);
        assertThat(elastic.maxGpus(job)).isIn(4, 8, 16, 32);
        assertThat(elastic.minGpus(job)).isEqualTo(1);
        assertThat(fixed.gpus(job)).isBetween(1, elastic.maxGpus(job));
        assertThat(List.of(fixed.minGpus(job), fixed.maxGpus(job))).containsOnly(fixed.gpus(job));
      }
    }
  }

  private static ModelProfile profile(Jobs jobs, int job) {
    return Objects.requireNonNull(jobs.profile(job));
  }

  /** The same jobs in the same order, each with as many mini-batches. */
  @Test
  void bothFormsOfAJobHaveTheSameWork() {
    GadgetWorkload draw = new GadgetWorkload(1, SETTING);
    Jobs fixed = draw.fixed();
    Jobs elastic = draw.elastic();
    for (int job = 0; job < fixed.size(); job++) {
      double miniBatches = draw.work()[job] / profile(fixed, job).computeSeconds();
      assertThat(elastic.id(job)).isEqualTo(fixed.id(job));
      assertThat(elastic.submitSeconds(job)).isEqualTo(fixed.submitSeconds(job));
      assertThat(fixed.work(job) * fixed.gpus(job)).isCloseTo(miniBatches, within(1e-6));
      assertThat(elastic.work(job) * elastic.gpus(job)).isCloseTo(miniBatches, within(1e-6));
    }
  }

  /**
   * The policy weighs by the time at the size asked for, times that size. An iteration of one
   * worker takes its computation and 0.5 ms of overhead: at most 1 % of 0.05 s.
   */
  @Test
  void policySeesTheSameWork() {
    GadgetWorkload draw = new GadgetWorkload(1, SETTING);
    Jobs elastic = draw.elastic();
    IterationTime time = IterationTime.of(SETTING.cluster());
    for (int job = 0; job < elastic.size(); job++) {
      double seen = elastic.work(job) * time.seconds(elastic.profile(job), Placement.on(0, 1), 1);
      assertThat(seen / draw.work()[job]).isBetween(1.0, 1.0100001);
    }
  }

  @Test
  void smallerCellsHaveTheFirstJobsOfLargerOnes() {
    Jobs large = new GadgetWorkload(1, SETTING).elastic();
    Jobs small = new GadgetWorkload(1, GadgetSetting.of(20, 10, 0.5, 200)).elastic();
    Set<ModelProfile> known = new HashSet<>();
    for (int job = 0; job < large.size(); job++) {
      known.add(profile(large, job));
    }
    for (int job = 0; job < small.size(); job++) {
      assertThat(known).contains(profile(small, job));
    }
  }
}
