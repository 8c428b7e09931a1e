package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.ringmaster.testing.Seeds;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private static final int SAMPLES = 20;

  @Test
  void theGradientIsThatOfFiniteDifferences() {
    Seeds.each(
        5,
        (random, seed) -> {
          Network network = new Network(random.nextInt(1, 7));
          float[] parameters = network.initial(seed);
          float[] gradient = new float[network.parameters()];
          double here = loss(network, seed, parameters, gradient);
          int checked = 0;
          for (int i = 0; i < parameters.length; i++) {
            float step = 1e-3f;
            float before = parameters[i];
            parameters[i] = before + step;
            double above = loss(network, seed, parameters, new float[parameters.length]) - here;
            parameters[i] = before - step;
            double below = here - loss(network, seed, parameters, new float[parameters.length]);
            parameters[i] = before;
            // Where a rectifier has its kink within the step there is no one slope.
            if (Math.abs(above - below) < 0.02 * step) {
              checked++;
              assertThat((above + below) / (2 * step)).isCloseTo(gradient[i], offset(0.03));
            }
          }
          assertThat(checked).isGreaterThan(parameters.length / 2);
        });
  }

  /**
   * Without weights every class is as likely: loss ln 3, and the error is 1/3 for each class, less
   * 1 for the right one. All of it goes to the last biases.
   */
  @Test
  void aNetworkThatKnowsNothing() {
    Network network = new Network(2);
    // 2 * 3 and 2 * 3 for the hidden layers, 3 * 3 for the last.
    assertThat(network.parameters()).isEqualTo(6 + 6 + 9);
    float[] gradient = new float[21];
    double loss = network.addGradient(new float[21], new float[] {1, 2}, 0, 1, gradient);
    assertThat(loss).isCloseTo(Math.log(3), offset(1e-6));
    float[] expected = new float[21];
    expected[18] = 1f / 3;
    expected[19] = -2f / 3;
    expected[20] = 1f / 3;
    assertThat(gradient).containsExactly(expected, offset(1e-6f));
  }

  private static double loss(Network network, long seed, float[] parameters, float[] gradient) {
    Spirals data = new Spirals(seed);
    float[] inputs = new float[Spirals.INPUTS];
    double loss = 0;
    for (int i = 0; i < SAMPLES; i++) {
      int label = data.sample(i, inputs, 0);
      loss += network.addGradient(parameters, inputs, 0, label, gradient);
    }
    return loss;
  }
}
