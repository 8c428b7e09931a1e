package io.ringmaster.model.pipeline;

import java.util.List;

/** The modules of Inception v3 at 299 x 299: Szegedy et al., arXiv 1512.00567, figures 5 to 7. */
final class InceptionV3 {
  private final Convolutions net = new Convolutions(3, 299);

  private InceptionV3() {}

  static List<Layer> layers() {
    return new InceptionV3().all();
  }

  private List<Layer> all() {
    net.normed(32, 3, 3, 149).cut();
    net.normed(32, 3, 3, 147).cut();
    net.normed(64, 3).pool(73).cut();
    net.normed(80, 1).cut();
    net.normed(192, 3, 3, 71).pool(35).cut();
    for (int pooled : new int[] {32, 64, 64}) {
      fiveByFive(pooled);
    }
    halveTo17();
    for (int width : new int[] {128, 160, 160, 192}) {
      sevenBySeven(width);
    }
    halveTo8();
    wide();
    wide();
    return net.pool(1).connected(1000).cut().layers();
  }

  /** Figure 5: 1 x 1, 5 x 5, two 3 x 3, and a pool. */
  private void fiveByFive(int pooled) {
    int in = net.channels();
    net.normed(64, 1).at(in, 35);
    net.normed(48, 1).normed(64, 5).at(in, 35);
    net.normed(64, 1).normed(96, 3).normed(96, 3).at(in, 35);
    net.normed(pooled, 1).at(64 + 64 + 96 + pooled, 35).cut();
  }

  private void halveTo17() {
    int in = net.channels();
    net.normed(384, 3, 3, 17).at(in, 35);
    net.normed(64, 1).normed(96, 3).normed(96, 3, 3, 17).at(384 + 96 + in, 17).cut();
  }

  /** Figure 6 with n = 7: kernels of 7 x 7 as 1 x 7 and 7 x 1. */
  private void sevenBySeven(int width) {
    int in = net.channels();
    net.normed(192, 1).at(in, 17);
    net.normed(width, 1).normed(width, 1, 7, 17).normed(192, 7, 1, 17).at(in, 17);
    net.normed(width, 1).normed(width, 7, 1, 17).normed(width, 1, 7, 17);
    net.normed(width, 7, 1, 17).normed(192, 1, 7, 17).at(in, 17);
    net.normed(192, 1).at(4 * 192, 17).cut();
  }

  private void halveTo8() {
    int in = net.channels();
    net.normed(192, 1).normed(320, 3, 3, 8).at(in, 17);
    net.normed(192, 1).normed(192, 1, 7, 17).normed(192, 7, 1, 17).normed(192, 3, 3, 8);
    net.at(320 + 192 + in, 8).cut();
  }

  /** Figure 7: kernels of 3 x 3 as 1 x 3 beside 3 x 1. */
  private void wide() {
    int in = net.channels();
    net.normed(320, 1).at(in, 8);
    net.normed(384, 1).normed(384, 1, 3, 8).normed(384, 3, 1, 8).at(in, 8);
    net.normed(448, 1).normed(384, 3);
    net.normed(384, 1, 3, 8).normed(384, 3, 1, 8).at(in, 8);
    net.normed(192, 1).at(320 + 4 * 384 + 192, 8).cut();
  }
}
