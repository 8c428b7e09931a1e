package io.ringmaster.model.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * What the networks of the standard table are made of, worked out from their published shapes: the
 * layers or blocks that a pipeline is cut between, with their parameters, the bytes of activations
 * that each hands on for a sample at 32 bits, and its multiply-adds for a sample.
 *
 * <ul>
 *   <li>VGG: Simonyan, Zisserman, arXiv 1409.1556, D and E. A pool goes with the layer before it.
 *   <li>ResNet: He, Zhang, Ren, Sun, arXiv 1512.03385, bottleneck blocks, which halve the side in
 *       their 3 x 3 kernel as today's libraries do.
 *   <li>Inception v3: Szegedy et al., arXiv 1512.00567, as in the authors' code, without the second
 *       classifier that helps in training.
 *   <li>LSTM: Zaremba, Sutskever, Vinyals, arXiv 1409.2329, the large one, 35 steps.
 *   <li>BERT large: Devlin et al., arXiv 1810.04805, with a pooled output; 128 tokens.
 *   <li>XLNet large: Yang et al., arXiv 1906.08237; 128 tokens.
 *   <li>GPT-2: Radford et al., 2019; 1024 tokens. The last layer shares the parameters of the
 *       embedding: they count there, and that the first and the last stage would sum them is left
 *       out.
 * </ul>
 *
 * <p>Only multiply-adds of kernels and matrices count as computation: norms, activations and
 * look-ups do not. Attention looks at all tokens, masked ones too.
 */
public final class Architectures {
  private static final int BYTES = 4;
  private static final int CLASSES = 1000;

  private Architectures() {}

  /** The layers of a network of the standard table, in order; empty for any other name. */
  public static List<Layer> of(String id) {
    return switch (id) {
      case "vgg16" -> vgg(2, 2, 3, 3, 3);
      case "vgg19" -> vgg(2, 2, 4, 4, 4);
      case "resnet50" -> resnet(3, 4, 6, 3);
      case "resnet152" -> resnet(3, 8, 36, 3);
      case "inception-v3" -> InceptionV3.layers();
      case "lstm-ptb" -> lstm(10_000, 1500, 2, 35);
      case "bert-large" -> bert(30_522, 512, 24, 1024, 128);
      case "xlnet-large" -> xlnet(32_000, 24, 1024, 128);
      case "gpt2-medium" -> gpt2(50_257, 24, 1024, 1024);
      case "gpt2-xl" -> gpt2(50_257, 48, 1600, 1024);
      default -> List.of();
    };
  }

  private static List<Layer> vgg(int... convolutions) {
    Convolutions net = new Convolutions(3, 224);
    for (int group = 0; group < convolutions.length; group++) {
      for (int i = 1; i <= convolutions[group]; i++) {
        net.biased(Math.min(64 << group, 512), 3);
        if (i == convolutions[group]) {
          net.pool(net.side() / 2);
        }
        net.cut();
      }
    }
    return net.connected(4096).cut().connected(4096).cut().connected(CLASSES).cut().layers();
  }

  private static List<Layer> resnet(int... blocks) {
    Convolutions net = new Convolutions(3, 224).normed(64, 7, 7, 112).pool(56).cut();
    for (int group = 0; group < blocks.length; group++) {
      for (int i = 0; i < blocks[group]; i++) {
        bottleneck(net, 64 << group, group > 0 && i == 0 ? net.side() / 2 : net.side());
        net.cut();
      }
    }
    return net.pool(1).connected(CLASSES).cut().layers();
  }

  private static void bottleneck(Convolutions net, int width, int sideAfter) {
    int in = net.channels();
    int side = net.side();
    if (in != 4 * width) {
      net.normed(4 * width, 1, 1, sideAfter).at(in, side);
    }
    net.normed(width, 1).normed(width, 3, 3, sideAfter).normed(4 * width, 1);
  }

  private static List<Layer> lstm(int words, int hidden, int deep, int steps) {
    List<Layer> layers = new ArrayList<>();
    double sent = (double) BYTES * steps * hidden;
    layers.add(new Layer((double) words * hidden, sent, 0));
    // Four gates, each with a matrix for the input, one for the state, and a bias.
    double matrices = 4.0 * 2 * hidden * hidden;
    for (int i = 0; i < deep; i++) {
      layers.add(new Layer(matrices + 4 * hidden, sent, matrices * steps));
    }
    double output = (double) hidden * words;
    layers.add(new Layer(output + words, (double) BYTES * steps * words, output * steps));
    return layers;
  }

  private static List<Layer> bert(int words, int positions, int blocks, int hidden, int tokens) {
    int sentenceTypes = 2;
    double embedding = (words + positions + sentenceTypes + 2.0) * hidden;
    List<Layer> layers = transformer(embedding, blocks, hidden, tokens);
    double square = (double) hidden * hidden;
    layers.add(new Layer(square + hidden, (double) BYTES * hidden, square));
    return layers;
  }

  private static List<Layer> gpt2(int words, int blocks, int hidden, int tokens) {
    double embedding = ((double) words + tokens) * hidden;
    List<Layer> layers = transformer(embedding, blocks, hidden, tokens);
    double output = (double) words * hidden;
    layers.add(new Layer(2.0 * hidden, (double) BYTES * words * tokens, output * tokens));
    return layers;
  }

  /**
   * An embedding and blocks. A block has matrices for queries, keys, values and the output of the
   * attention, two that are four times as wide, biases, and two norms. It multiplies each token's
   * query with every key and takes the mean of every value.
   */
  private static List<Layer> transformer(double embedding, int blocks, int hidden, int tokens) {
    List<Layer> layers = new ArrayList<>();
    double sent = (double) BYTES * tokens * hidden;
    layers.add(new Layer(embedding, sent, 0));
    double matrices = 12.0 * hidden * hidden;
    double biases = 9.0 * hidden;
    double norms = 4.0 * hidden;
    double attention = 2.0 * tokens * hidden;
    for (int i = 0; i < blocks; i++) {
      layers.add(new Layer(matrices + biases + norms, sent, (matrices + attention) * tokens));
    }
    return layers;
  }

  /**
   * Blocks as in BERT, but with a fifth matrix for positions, of which there are twice as many as
   * tokens, three biases of the attention and none of its matrices', and two vectors that tell
   * segments apart.
   */
  private static List<Layer> xlnet(int words, int blocks, int hidden, int tokens) {
    List<Layer> layers = new ArrayList<>();
    double sent = (double) BYTES * tokens * hidden;
    double mask = hidden;
    layers.add(new Layer((double) words * hidden + mask, sent, 0));
    double square = (double) hidden * hidden;
    double vectors = (3 + 2 + 4 + 5.0) * hidden;
    double positions = 2 * square * tokens;
    double attention = (1 + 2 + 1.0) * tokens * hidden;
    for (int i = 0; i < blocks; i++) {
      double compute = (12 * square + attention) * tokens + positions;
      layers.add(new Layer(13 * square + vectors, sent, compute));
    }
    return layers;
  }
}
