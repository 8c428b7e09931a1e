package io.ringmaster.model.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Adds up the layers of a convolutional network from the shapes of its kernels. What is added since
 * the last {@link #cut} is one layer: it hands on what came last.
 */
final class Convolutions {
  private static final int BYTES = 4;

  private final List<Layer> layers = new ArrayList<>();
  private long parameters;
  private long multiplyAdds;
  private int channels;
  private int side;

  Convolutions(int channels, int side) {
    this.channels = channels;
    this.side = side;
  }

  int channels() {
    return channels;
  }

  int side() {
    return side;
  }

  /** What comes next sees these channels and this side: branches begin and end so. */
  Convolutions at(int otherChannels, int otherSide) {
    channels = otherChannels;
    side = otherSide;
    return this;
  }

  /** A square kernel with a bias, which keeps the side. */
  Convolutions biased(int out, int kernel) {
    parameters += out;
    return kernel(out, kernel, kernel, side);
  }

  /** A kernel followed by a batch normalisation, which has a scale and a shift and is no bias. */
  Convolutions normed(int out, int height, int width, int sideAfter) {
    parameters += 2L * out;
    return kernel(out, height, width, sideAfter);
  }

  /** The same with a square kernel and the side as it is. */
  Convolutions normed(int out, int kernel) {
    return normed(out, kernel, kernel, side);
  }

  private Convolutions kernel(int out, int height, int width, int sideAfter) {
    long weights = (long) channels * out * height * width;
    parameters += weights;
    multiplyAdds += weights * sideAfter * sideAfter;
    return at(out, sideAfter);
  }

  /** A pool: the side after it. */
  Convolutions pool(int sideAfter) {
    return at(channels, sideAfter);
  }

  /** Every input is joined to every output. */
  Convolutions connected(int out) {
    parameters += out;
    int in = channels * side * side;
    return at(in, 1).kernel(out, 1, 1, 1);
  }

  /** Ends a layer: a pipeline may be cut here. */
  Convolutions cut() {
    layers.add(new Layer(parameters, (double) BYTES * channels * side * side, multiplyAdds));
    parameters = 0;
    multiplyAdds = 0;
    return this;
  }

  List<Layer> layers() {
    return layers;
  }
}
