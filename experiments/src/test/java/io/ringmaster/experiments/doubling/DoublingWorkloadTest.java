package io.ringmaster.experiments.doubling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DoublingWorkloadTest {
  private static final int DRAWS = 200;

  /** The mean of 206 gaps of 250 s is 250 s, give or take 17 s in a draw, 1.2 s in 200 draws. */
  @Test
  void gapsAndLengthsHaveTheirMeans() {
    DoublingSetting setting = DoublingSetting.of(Contention.EXTREME).withLogNormalLengths();
    double gaps = 0;
    double epochs = 0;
    for (long seed = 1; seed <= DRAWS; seed++) {
      DoublingWorkload draw = new DoublingWorkload(seed, setting);
      gaps += draw.arrivalSeconds()[205] / 206 / DRAWS;
      epochs += Arrays.stream(draw.epochs()).average().orElseThrow() / DRAWS;
    }
    assertThat(gaps).isCloseTo(250, within(5.0));
    assertThat(epochs).isCloseTo(160, within(5.0));
  }

  @Test
  void jobsAreAlikeUnlessLengthsAreDrawn() {
    assertThat(new DoublingWorkload(1, DoublingSetting.of(Contention.NONE)).epochs())
        .hasSize(44)
        .containsOnly(160);
    assertThat(
            new DoublingWorkload(1, DoublingSetting.of(Contention.NONE).withLogNormalLengths())
                .epochs())
        .doesNotHaveDuplicates();
  }

  @Test
  void bothFormsHaveTheSameWork() {
    DoublingWorkload draw =
        new DoublingWorkload(1, DoublingSetting.of(Contention.MODERATE).withLogNormalLengths());
    Jobs elastic = draw.elastic();
    Jobs rigid = draw.rigid(4);
    for (int job = 0; job < elastic.size(); job++) {
      assertThat(elastic.minGpus(job)).isEqualTo(1);
      assertThat(elastic.maxGpus(job)).isEqualTo(8);
      assertThat(rigid.minGpus(job)).isEqualTo(4);
      assertThat(rigid.maxGpus(job)).isEqualTo(4);
      assertThat(rigid.submitSeconds(job)).isEqualTo(elastic.submitSeconds(job));
      assertThat(4 * rigid.work(job)).isCloseTo(elastic.work(job), within(1e-6));
    }
  }
}
