package io.ringmaster.workload;

import java.util.List;

/**
 * What jobs of a size are likely to train, where nobody says: up to 2 GPUs the convolutional
 * networks and the LSTM, up to 8 the convolutional networks, BERT and XLNet, above 8 BERT and the
 * two GPT-2. Each is as likely as the others of its list.
 */
public final class ModelMix {
  private static final List<String> SMALL =
      List.of("vgg16", "vgg19", "resnet50", "resnet152", "inception-v3", "lstm-ptb");
  private static final List<String> MIDDLE =
      List.of(
          "vgg16", "vgg19", "resnet50", "resnet152", "inception-v3", "bert-large", "xlnet-large");
  private static final List<String> LARGE = List.of("gpt2-medium", "gpt2-xl", "bert-large");

  private static final int SMALL_GPUS = 2;
  private static final int MIDDLE_GPUS = 8;

  private ModelMix() {}

  /** The models that jobs of so many GPUs train. */
  public static List<String> of(int gpus) {
    return gpus <= SMALL_GPUS ? SMALL : gpus <= MIDDLE_GPUS ? MIDDLE : LARGE;
  }
}
