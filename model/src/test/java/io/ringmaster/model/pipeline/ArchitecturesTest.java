package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitecturesTest {
  private static double parameters(String id) {
    return Architectures.of(id).stream().mapToDouble(Layer::parameters).sum();
  }

  private static double multiplyAdds(String id) {
    return Architectures.of(id).stream().mapToDouble(Layer::compute).sum();
  }

  /** Counts that the networks' public implementations have, to the last parameter. */
  @ParameterizedTest
  @CsvSource({
    "vgg16, 138357544, 16",
    "vgg19, 143667240, 19",
    "resnet50, 25557032, 18",
    "resnet152, 60192808, 52",
    "inception-v3, 23834568, 17",
    "lstm-ptb, 66022000, 4",
    "bert-large, 335141888, 26",
    "xlnet-large, 360268800, 25",
    "gpt2-medium, 354823168, 26",
    "gpt2-xl, 1557611200, 50"
  })
  void parametersAddUpToThePublishedCount(String id, double published, int layers) {
    assertThat(parameters(id)).isEqualTo(published);
    assertThat(Architectures.of(id)).hasSize(layers);
  }

  /** Published counts in units of 1e9: tables of the papers and of the libraries that ship them. */
  @ParameterizedTest
  @CsvSource({
    "vgg16, 15.47",
    "vgg19, 19.63",
    "resnet50, 4.09",
    "resnet152, 11.51",
    "inception-v3, 5.71",
    "bert-large, 39.5"
  })
  void multiplyAddsAddUpToThePublishedCount(String id, double published) {
    assertThat(multiplyAdds(id) / 1e9).isCloseTo(published, within(0.01 * published));
  }

  /**
   * One multiply-add a weight and token, beside attention. LSTM: (2 x 18 M + 15 M) x 35 = 1.785e9.
   * GPT-2 medium: 24 x (12 x 1024^2 + 2 x 1024 x 1024) x 1024 = 3.608e11, and 50257 x 1024 x 1024 =
   * 0.527e11 for the words. GPT-2 XL: 48 x (12 x 1600^2 + 2 x 1024 x 1600) x 1024 = 16.71e11 and
   * 0.823e11. XLNet: 24 x (12 x 1024^2 + 4 x 128 x 1024 + 2 x 1024^2) x 128 = 4.671e10.
   */
  @ParameterizedTest
  @CsvSource({
    "lstm-ptb, 1.785e9",
    "xlnet-large, 4.671e10",
    "gpt2-medium, 4.135e11",
    "gpt2-xl, 1.753e12"
  })
  void multiplyAddsOfSequencesFollowFromTheShapes(String id, double expected) {
    assertThat(multiplyAdds(id)).isCloseTo(expected, within(1e-3 * expected));
  }

  /**
   * VGG-16 after its first kernel: 64 x 224 x 224 x 4 bytes; after its second and the pool: 64 x
   * 112 x 112 x 4; after the last pool: 512 x 7 x 7 x 4.
   */
  @Test
  void activationsOfVgg16() {
    List<Layer> layers = Architectures.of("vgg16");
    assertThat(layers.get(0)).isEqualTo(new Layer(1792, 12_845_056, 86_704_128));
    assertThat(layers.get(1).sentBytesPerSample()).isEqualTo(3_211_264);
    assertThat(layers.get(12).sentBytesPerSample()).isEqualTo(100_352);
    assertThat(layers.get(13).parameters()).isEqualTo(25_088.0 * 4096 + 4096);
    assertThat(layers.getLast().sentBytesPerSample()).isEqualTo(4000);
  }

  /**
   * ResNet-50: 64 x 56 x 56 after the stem, then 256 x 56 x 56, 512 x 28 x 28, 1024 x 14 x 14, 2048
   * x 7 x 7 at the end of each group of blocks, four bytes each.
   */
  @Test
  void activationsOfResnet50() {
    List<Layer> layers = Architectures.of("resnet50");
    assertThat(List.of(0, 3, 7, 13, 16))
        .extracting(i -> layers.get(i).sentBytesPerSample())
        .containsExactly(802_816.0, 3_211_264.0, 1_605_632.0, 802_816.0, 401_408.0);
  }

  /** Channels x side x side x 4 bytes at the end of each kind of module. */
  @Test
  void activationsOfInceptionV3() {
    List<Layer> layers = Architectures.of("inception-v3");
    assertThat(List.of(4, 5, 6, 8, 12, 13, 15))
        .extracting(i -> layers.get(i).sentBytesPerSample() / 4)
        .containsExactly(
            192 * 35 * 35.0,
            256 * 35 * 35.0,
            288 * 35 * 35.0,
            768 * 17 * 17.0,
            768 * 17 * 17.0,
            1280 * 8 * 8.0,
            2048 * 8 * 8.0);
  }

  /** Every block of a transformer hands on tokens x hidden x 4 bytes. */
  @ParameterizedTest
  @CsvSource({
    "bert-large, 524288",
    "xlnet-large, 524288",
    "gpt2-medium, 4194304",
    "gpt2-xl, 6553600"
  })
  void activationsOfTransformers(String id, double bytes) {
    List<Layer> layers = Architectures.of(id);
    assertThat(layers.subList(0, layers.size() - 1))
        .allSatisfy(l -> assertThat(l.sentBytesPerSample()).isEqualTo(bytes));
  }

  static List<ModelProfile> standard() {
    return ModelTable.standard().profiles();
  }

  /** Times and gradients stay those of the profile: layers only divide them. */
  @ParameterizedTest
  @MethodSource("standard")
  void everyStandardModelCanBeCut(ModelProfile profile) {
    assertThat(profile.layers()).isEqualTo(Architectures.of(profile.id()));
    // Measured and rounded gradients differ from four bytes a parameter by some percent.
    assertThat(4 * parameters(profile.id()))
        .isCloseTo(profile.gradientBytes(), within(0.08 * profile.gradientBytes()));
    Pipeline halves = Objects.requireNonNull(profile.cut(Replicas.parse("2x2", 4)).pipeline());
    assertThat(halves.stages().stream().mapToDouble(Stage::forwardSeconds).sum())
        .isCloseTo(profile.forwardSeconds(), within(1e-12));
    assertThat(halves.stages().stream().mapToDouble(Stage::parameterBytes).sum())
        .isCloseTo(profile.gradientBytes(), within(1.0));
  }

  @Test
  void othersHaveNone() {
    assertThat(Architectures.of("alexnet")).isEmpty();
  }
}
