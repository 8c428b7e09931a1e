package io.ringmaster.workload;

import io.ringmaster.model.pipeline.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The layers of a model as a field holds them: {@code parameters:bytes:compute}, with spaces. */
final class LayersText {
  private static final int MOST_LAYERS = 1000;

  private LayersText() {}

  static String of(List<Layer> layers) {
    return layers.stream()
        .map(l ->
            CsvOutput.plain(l.parameters())
                + ":"
                + CsvOutput.plain(l.sentBytesPerSample())
                + ":"
                + CsvOutput.plain(l.compute()))
        .collect(Collectors.joining(" "));
  }

  /**
   * @throws IllegalArgumentException saying what was expected
   */
  static List<Layer> parse(String text) {
    List<Layer> layers = new ArrayList<>();
    for (String word : text.strip().split("\\s+", -1)) {
      String[] parts = word.split(":", -1);
      double[] numbers = new double[3];
      for (int i = 0; i < numbers.length; i++) {
        char[] digits = parts.length == 3 ? parts[i].toCharArray() : new char[0];
        numbers[i] = Numbers.parse(digits, 0, digits.length);
        if (!(numbers[i] >= 0 && numbers[i] <= 1e18)) {
          throw new IllegalArgumentException(
              "layer %d is '%s'; expected parameters:bytes:compute, three numbers of at least 0"
                  .formatted(layers.size() + 1, Inputs.shown(word)));
        }
      }
      layers.add(new Layer(numbers[0], numbers[1], numbers[2]));
    }
    if (layers.size() > MOST_LAYERS) {
      throw new IllegalArgumentException("more than " + MOST_LAYERS + " layers");
    }
    if (!(layers.stream().mapToDouble(Layer::compute).sum() > 0)) {
      throw new IllegalArgumentException("no layer computes anything");
    }
    if (!(layers.stream().mapToDouble(Layer::parameters).sum() > 0)) {
      throw new IllegalArgumentException("no layer has parameters");
    }
    return layers;
  }
}
