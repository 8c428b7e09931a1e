package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicasTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "4x2; 8; 2 2 2 2; 4x2",
        "1x1,1x2,2x4; 11; 1 2 4 4; 1x1,1x2,2x4",
        "1x2,1x2; 4; 2 2; 2x2",
        "1; 8; 8; 1x8",
        "4; 8; 2 2 2 2; 4x2",
        "8; 8; 1 1 1 1 1 1 1 1; 8x1",
      })
  void textsThatAreRead(String text, int gpus, String stages, String written) {
    Replicas replicas = Replicas.parse(text, gpus);
    assertThat(replicas.ofStage().stream().map(String::valueOf))
        .containsExactly(stages.split(" ", -1));
    assertThat(replicas.text()).isEqualTo(written).isEqualTo(replicas.toString());
    assertThat(replicas.gpus()).isEqualTo(gpus);
    assertThat(Replicas.parse(replicas.text(), gpus)).isEqualTo(replicas);
  }

  /** Four stages of ten GPUs: 10 s / 4 rounded down is 0, 2, 5, 7, 10. */
  @Test
  void aNumberOfStagesIsAsEqualAsCanBe() {
    assertThat(Replicas.parse("4", 10).ofStage()).containsExactly(2, 3, 2, 3);
    assertThat(Replicas.parse("4", 10).text()).isEqualTo("1x2,1x3,1x2,1x3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "9; 8; 9 stages need at least 9 GPUs, the job has 8",
        "4x2; 16; these are 8 replicas, the job has 16 GPUs",
        "4x2,1x8; 8; these are 16 replicas, the job has 8 GPUs",
        "999x99999999; 8; these are 99899999001 replicas, the job has 8 GPUs",
        "1001; 2000; more than 1000 stages",
        "1000x1,1x1; 1001; more than 1000 stages",
      })
  void whatDoesNotFitTheJob(String text, int gpus, String says) {
    assertThatThrownBy(() -> Replicas.parse(text, gpus))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"0", "-4", "4x", "x2", "4x0", "0x4", "4x2,", ",4x2", "4 x 2", "4X2", "4x2x2", "''"})
  void whatIsNoSuchText(String text) {
    assertThatThrownBy(() -> Replicas.parse(text, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "expected stages x replicas such as 4x2 or 4x2,1x8, or a number of stages such as 4");
  }

  @Test
  void aPipelineHasAStage() {
    assertThatThrownBy(() -> new Replicas(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void randomOnesReadBackTheSame() {
    Seeds.each(
        200,
        (random, _) -> {
          List<Integer> stages = new ArrayList<>();
          int count = random.nextInt(1, 30);
          for (int s = 0; s < count; s++) {
            stages.add(random.nextInt(1, 4));
          }
          Replicas replicas = new Replicas(stages);
          assertThat(Replicas.parse(replicas.text(), replicas.gpus())).isEqualTo(replicas);
        });
  }
}
