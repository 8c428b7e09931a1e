package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.pipeline.Architectures;
import io.ringmaster.model.pipeline.Layer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelTableTest {
  private static final ModelTable TABLE = ModelTable.standard();

  @Test
  void hasTheModelsOfTheContract() {
    assertThat(TABLE.profiles().stream().map(ModelProfile::id))
        .containsExactlyInAnyOrder(
            "vgg16",
            "vgg19",
            "resnet50",
            "resnet152",
            "inception-v3",
            "lstm-ptb",
            "bert-large",
            "xlnet-large",
            "gpt2-medium",
            "gpt2-xl");
  }

  @Test
  void everyProfileHasPositiveNumbersAndASource() {
    assertThat(TABLE.profiles())
        .allSatisfy(profile -> {
          assertThat(profile.gradientBytes()).isPositive().isFinite();
          assertThat(profile.batch()).isPositive();
          assertThat(profile.forwardSecondsPerSample()).isPositive().isFinite();
          assertThat(profile.backwardSeconds()).isPositive().isFinite();
          assertThat(profile.source()).isNotBlank();
        });
  }

  /** Megabytes, samples and milliseconds as the authors of Ada-SRSF measured them. */
  @ParameterizedTest
  @CsvSource({
    "vgg16, 526.4, 16, 36, 54",
    "resnet50, 99.2, 16, 25, 37",
    "inception-v3, 103.0, 16, 35, 52",
    "lstm-ptb, 251.8, 64, 32, 47"
  })
  void measuredOnesAreAsMeasured(
      String id, double megabytes, int batch, double forwardMillis, double backwardMillis) {
    ModelProfile profile = Objects.requireNonNull(TABLE.profile(TABLE.indexOf(id)));
    assertThat(profile.gradientBytes()).isCloseTo(megabytes * 1e6, within(1e-3));
    assertThat(profile.batch()).isEqualTo(batch);
    assertThat(profile.forwardSecondsPerSample() * batch)
        .isCloseTo(forwardMillis / 1e3, within(1e-12));
    assertThat(profile.backwardSeconds()).isCloseTo(backwardMillis / 1e3, within(1e-12));
    assertThat(profile.computeSeconds())
        .isCloseTo((forwardMillis + backwardMillis) / 1e3, within(1e-12));
    assertThat(profile.source()).startsWith("measured:");
  }

  @Test
  void othersSayThatTheyAreDerived() {
    assertThat(TABLE.profiles().stream().filter(p -> !p.source().startsWith("measured:")))
        .hasSize(6)
        .allMatch(p -> p.source().startsWith("derived:"));
  }

  @Test
  void isKnownByNameAndByIndex() {
    for (int i = 0; i < TABLE.profiles().size(); i++) {
      ModelProfile profile = Objects.requireNonNull(TABLE.profile(i));
      assertThat(TABLE.indexOf(profile.id())).isEqualTo(i);
    }
    assertThat(TABLE.indexOf("alexnet")).isEqualTo(-1);
    assertThat(TABLE.profile(-1)).isNull();
  }

  @Test
  void profilesAreAddedAtTheEndAndReplacedInPlace() {
    ModelProfile mine = new ModelProfile("mine", 1, 1, 1, 1, "test");
    ModelProfile better = new ModelProfile("resnet50", 2, 2, 2, 2, "test");
    ModelTable table = TABLE.with(List.of(mine, better));
    assertThat(table.profiles()).hasSize(11);
    assertThat(table.profile(TABLE.indexOf("resnet50")))
        .isEqualTo(better.layered(Architectures.of("resnet50")));
    assertThat(table.profile(10)).isEqualTo(mine);
    assertThat(TABLE.profiles()).hasSize(10);
  }

  @Test
  void layersOfAReplacementCountIfItHasSome() {
    List<Layer> own = List.of(new Layer(1, 2, 3));
    ModelProfile better = new ModelProfile("resnet50", 2, 2, 2, 2, "test").layered(own);
    ModelTable table = TABLE.with(List.of(better));
    assertThat(table.profile(TABLE.indexOf("resnet50"))).isEqualTo(better);
  }
}
