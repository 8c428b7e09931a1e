package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineTest {
  /** Parameters 1 : 2 : 5, computation 2 : 2 : 4, 100, 10 and 1 bytes a sample. */
  private static final List<Layer> LAYERS =
      List.of(new Layer(1, 100, 2), new Layer(2, 10, 2), new Layer(5, 1, 4));

  private static Pipeline pipeline(String stages, int gpus) {
    return Pipeline.of(LAYERS, Replicas.parse(stages, gpus), 8, 4, 8, 800);
  }

  /**
   * Cut after the second layer. A stage has a replica for each mini-batch, so half of the times: 2
   * s and 4 s. Mini-batches of 8 samples send 80 bytes. Parameters 3/8 and 5/8 of 800 bytes.
   */
  @Test
  void equalStages() {
    assertThat(pipeline("2x3", 6).stages())
        .containsExactly(new Stage(3, 2, 4, 80, 300), new Stage(3, 2, 4, 0, 500));
  }

  /**
   * One and three replicas: 2 mini-batches an iteration, that is twice and two thirds of one for a
   * replica. The bottleneck is 4/3 if all but the first layer go to the second stage (2 | 6 / 3 is
   * 2, 4 | 4 / 3 is 4). Forward 2 x 2/8 x 4 = 2 and 2/3 x 6/8 x 4 = 2. The first sends 2 x 8 x 100.
   */
  @Test
  void unequalStages() {
    Pipeline pipeline = pipeline("1x1,1x3", 4);
    assertThat(pipeline.stage(0)).isEqualTo(new Stage(1, 2, 4, 1600, 100));
    assertThat(pipeline.stage(1).forwardSeconds()).isCloseTo(2, within(1e-12));
    assertThat(pipeline.stage(1).backwardSeconds()).isCloseTo(4, within(1e-12));
    assertThat(pipeline.stage(1).parameterBytes()).isEqualTo(700);
    assertThat(pipeline.replicas().text()).isEqualTo("1x1,1x3");
    assertThat(pipeline.gpus()).isEqualTo(4);
    // 2 x 1600 bytes, spread over three replicas.
    assertThat(pipeline.forwardEdge(0)).isCloseTo(3200 / 3.0, within(1e-9));
  }

  /** 2 h (k - 1) / k: 2 x 300 x 2/3; a lone replica has no one to sum with. */
  @Test
  void bytesOfARing() {
    assertThat(pipeline("2x3", 6).stage(0).ringBytes()).isCloseTo(400, within(1e-9));
    assertThat(pipeline("2x1", 2).stage(0).ringBytes()).isZero();
  }

  @Test
  void dataParallelismIsOneStage() {
    assertThat(Pipeline.dataParallel(4, 1, 2, 100).stages())
        .containsExactly(new Stage(4, 1, 2, 0, 100));
  }
}
