package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeStagesTest {
  private static Pipeline pipeline(Stage... stages) {
    return new Pipeline(List.of(stages));
  }

  /**
   * Rings 2 h (k - 1) / k: 2 x 9 x 2/3 = 12 for three, 2 x 8 x 1/2 = 8 and 2 x 2 x 1/2 = 2 for two.
   * Servers of 4 and 3: the three fill the second, then both others go to the first.
   */
  @Test
  void heavyRingsFirstOnTheFullestServer() {
    Pipeline pipeline =
        pipeline(new Stage(2, 1, 1, 1, 8), new Stage(3, 1, 1, 1, 9), new Stage(2, 1, 1, 0, 2));
    assertThat(WholeStages.map(pipeline, new int[] {4, 3})).containsExactly(2, 0, 2, 0, 3, 0);
  }

  /** Three, three and two on two servers of four: the two are divided over what is left. */
  @Test
  void whatFitsNowhereIsDivided() {
    Pipeline pipeline =
        pipeline(new Stage(3, 1, 1, 1, 9), new Stage(3, 1, 1, 1, 9), new Stage(2, 1, 1, 0, 2));
    assertThat(WholeStages.map(pipeline, new int[] {4, 4})).containsExactly(3, 0, 1, 0, 3, 1);
  }

  /** Five on three servers of 2, 2 and 1: as many as fit, server by server. */
  @Test
  void aStageThatIsTooLarge() {
    Pipeline pipeline = pipeline(new Stage(4, 1, 1, 1, 9), new Stage(1, 1, 1, 0, 1));
    assertThat(WholeStages.map(pipeline, new int[] {2, 2, 1})).containsExactly(2, 0, 2, 0, 0, 1);
  }

  @Test
  void everyReplicaIsPlacedOnce() {
    Seeds.each(
        300,
        (random, _) -> {
          List<Stage> stages = new ArrayList<>();
          int count = random.nextInt(1, 8);
          for (int s = 0; s < count; s++) {
            stages.add(new Stage(random.nextInt(1, 6), 1, 1, 1, random.nextInt(10)));
          }
          Pipeline pipeline = new Pipeline(stages);
          int[] gpus = new int[random.nextInt(1, pipeline.gpus() + 1)];
          Arrays.fill(gpus, 1);
          for (int left = pipeline.gpus() - gpus.length; left > 0; left--) {
            gpus[random.nextInt(gpus.length)]++;
          }
          HeavyEdgeTest.assertWhole(pipeline, gpus, WholeStages.map(pipeline, gpus));
        });
  }
}
