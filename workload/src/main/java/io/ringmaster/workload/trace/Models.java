package io.ringmaster.workload.trace;

import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.ModelMix;
import java.util.Locale;
import java.util.Map;

/**
 * Gives the jobs of a trace models of the standard table.
 *
 * <p>A name that the trace gives becomes the model of that name, or else the nearest relative in
 * the table, if there is one. What is left is drawn from {@link ModelMix}: by the seed, the user,
 * the group and the class of size, so that jobs which repeat each other train the same; a job
 * without a group is drawn by its id. The order of rows is no matter.
 */
final class Models {
  private static final ModelTable TABLE = ModelTable.standard();

  /** What other sites call models of the table, or ones like them; letters and digits only. */
  private static final Map<String, String> RELATIVES =
      Map.ofEntries(
          Map.entry("bert", "bert-large"),
          Map.entry("xlnet", "xlnet-large"),
          Map.entry("gpt2", "gpt2-medium"),
          Map.entry("inception", "inception-v3"),
          Map.entry("inception3", "inception-v3"),
          Map.entry("resnet", "resnet50"),
          Map.entry("resnet18", "resnet50"),
          Map.entry("resnet101", "resnet152"),
          Map.entry("imagenet", "resnet50"),
          Map.entry("cifar10", "resnet50"),
          Map.entry("vgg", "vgg16"),
          Map.entry("alexnet", "vgg16"),
          Map.entry("mobilenetv2", "inception-v3"),
          Map.entry("yolov3", "resnet152"),
          Map.entry("lstm", "lstm-ptb"),
          Map.entry("lm", "lstm-ptb"),
          Map.entry("deepspeech2", "lstm-ptb"));

  private Models() {}

  /** The model of the table that a trace's own name stands for; empty if there is none. */
  static String known(String name) {
    String plain = plain(name);
    return TABLE.profiles().stream()
        .map(profile -> profile.id())
        .filter(id -> plain(id).equals(plain))
        .findFirst()
        .orElseGet(() -> RELATIVES.getOrDefault(plain, ""));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** A model for a job of which the trace does not say what it trains. */
  static String drawn(TraceJob job, int gpus, long seed) {
    return ModelMix.drawn(job.id(), job.user(), job.group(), gpus, seed);
  }
}
