package io.ringmaster.training;

/**
 * A classifier with two hidden layers of rectifiers. Parameters are one flat array, layer by layer:
 * weights by output, then biases. Holds scratch memory: for one thread.
 */
final class Network {
  private final int hidden;
  private final int weights2;
  private final int weights3;
  private final int parameters;
  private final float[] layer1;
  private final float[] layer2;
  private final float[] error1;
  private final float[] error2;
  private final float[] scores = new float[Spirals.CLASSES];

  Network(int hidden) {
    this.hidden = hidden;
    weights2 = hidden * (Spirals.INPUTS + 1);
    weights3 = weights2 + hidden * (hidden + 1);
    parameters = weights3 + Spirals.CLASSES * (hidden + 1);
    layer1 = new float[hidden];
    layer2 = new float[hidden];
    error1 = new float[hidden];
    error2 = new float[hidden];
  }

  int parameters() {
    return parameters;
  }

  /** He et al., "Delving deep into rectifiers", ICCV 2015, with uniform numbers. Biases are 0. */
  float[] initial(long seed) {
    float[] values = new float[parameters];
    long state = Spirals.mix(~seed);
    int[] starts = {0, weights2, weights3};
    int[] inputs = {Spirals.INPUTS, hidden, hidden};
    int[] outputs = {hidden, hidden, Spirals.CLASSES};
    for (int layer = 0; layer < starts.length; layer++) {
      double bound = Math.sqrt(6.0 / inputs[layer]);
      int end = starts[layer] + inputs[layer] * outputs[layer];
      for (int i = starts[layer]; i < end; i++) {
        values[i] = (float) (bound * (2 * Spirals.unit(state++) - 1));
      }
    }
    return values;
  }

  /** The class that the network takes a sample for. */
  int classify(float[] values, float[] samples, int offset) {
    forward(values, samples, offset);
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      if (scores[i] > scores[best]) {
        best = i;
      }
    }
    return best;
  }

  /**
   * Adds the gradient of the loss (cross-entropy) of one sample.
   *
   * @return the loss
   */
  double addGradient(float[] values, float[] samples, int offset, int label, float[] gradient) {
    forward(values, samples, offset);
    double loss = scoresToErrors(label);
    back(values, weights3, layer2, scores, Spirals.CLASSES, error2, gradient);
    back(values, weights2, layer1, error2, hidden, error1, gradient);
    int bias = Spirals.INPUTS * hidden;
    for (int j = 0; j < hidden; j++) {
      float error = error1[j];
      if (error != 0) {
        for (int i = 0; i < Spirals.INPUTS; i++) {
          gradient[j * Spirals.INPUTS + i] += error * samples[offset + i];
        }
        gradient[bias + j] += error;
      }
    }
    return loss;
  }

  private void forward(float[] values, float[] samples, int offset) {
    int bias = Spirals.INPUTS * hidden;
    for (int j = 0; j < hidden; j++) {
      float sum = values[bias + j];
      for (int i = 0; i < Spirals.INPUTS; i++) {
        sum += values[j * Spirals.INPUTS + i] * samples[offset + i];
      }
      layer1[j] = Math.max(0, sum);
    }
    affine(values, weights2, layer1, layer2, hidden);
    for (int j = 0; j < hidden; j++) {
      layer2[j] = Math.max(0, layer2[j]);
    }
    affine(values, weights3, layer2, scores, Spirals.CLASSES);
  }

  private void affine(float[] values, int start, float[] from, float[] to, int outputs) {
    int bias = start + outputs * hidden;
    for (int j = 0; j < outputs; j++) {
      float sum = values[bias + j];
      int row = start + j * hidden;
      for (int i = 0; i < hidden; i++) {
        sum += values[row + i] * from[i];
      }
      to[j] = sum;
    }
  }

  /** Softmax and its derivative in place: probability, less 1 for the right class. */
  private double scoresToErrors(int label) {
    float max = scores[0];
    for (float score : scores) {
      max = Math.max(max, score);
    }
    double sum = 0;
    double right = scores[label] - max;
    for (int i = 0; i < scores.length; i++) {
      double power = Math.exp(scores[i] - max);
      scores[i] = (float) power;
      sum += power;
    }
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (scores[i] / sum);
    }
    scores[label] -= 1;
    return Math.log(sum) - right;
  }

  /** One layer's gradient, and the error of the rectifiers below it. */
  private void back(
      float[] values,
      int start,
      float[] below,
      float[] errors,
      int outputs,
      float[] errorsBelow,
      float[] gradient) {
    for (int i = 0; i < hidden; i++) {
      errorsBelow[i] = 0;
    }
    int bias = start + outputs * hidden;
    for (int j = 0; j < outputs; j++) {
      float error = errors[j];
      if (error == 0) {
        continue;
      }
      int row = start + j * hidden;
      for (int i = 0; i < hidden; i++) {
        gradient[row + i] += error * below[i];
        errorsBelow[i] += error * values[row + i];
      }
      gradient[bias + j] += error;
    }
    for (int i = 0; i < hidden; i++) {
      if (below[i] <= 0) {
        errorsBelow[i] = 0;
      }
    }
  }
}
