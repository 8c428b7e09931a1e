package io.ringmaster.predictor.forest;

import java.util.Arrays;

/** Rows of features, one after the other in one array. What is not known is NaN. */
public final class Rows {
  private final double[] values;
  private final int width;

  /**
   * Takes an array, which is not to be changed any more.
   *
   * @param width features of a row
   */
  public Rows(double[] values, int width) {
    if (width < 1 || values.length % width != 0) {
      throw new IllegalArgumentException(values.length + " values in rows of " + width);
    }
    this.values = values;
    this.width = width;
  }

  public int width() {
    return width;
  }

  public int size() {
    return values.length / width;
  }

  public double at(int row, int feature) {
    return values[row * width + feature];
  }

  public double[] row(int index) {
    return Arrays.copyOfRange(values, index * width, (index + 1) * width);
  }
}
