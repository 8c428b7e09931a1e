package io.ringmaster.workload;

import io.ringmaster.model.Jobs;
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

  /**
   * A model for a job of which nobody says what it trains: the same for all jobs of a user's group
   * that are of like size, and whatever the order of jobs.
   *
   * @param user empty if there is none
   * @param group empty: each job of its own
   */
  public static String drawn(String id, String user, String group, int gpus, long seed) {
    List<String> mix = of(gpus);
    String key = group.isEmpty() ? id : user + '\0' + group + '\0' + mix.getFirst() + mix.size();
    return mix.get(new Draws(seed ^ spread(key), 2).below(mix.size()));
  }

  /** The same for a job that is read already. */
  public static String drawn(Jobs jobs, int job, long seed) {
    return drawn(
        jobs.id(job),
        jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
        jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)),
        jobs.gpus(job),
        seed);
  }

  /** FNV-1a (Fowler, Noll, Vo), 64 bits: the same on every machine, and unlike for like texts. */
  private static long spread(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
