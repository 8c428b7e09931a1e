package io.ringmaster.model;

import io.ringmaster.model.pipeline.Architectures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The profiles that a jobs file may name, known by name and by index.
 *
 * <p>Four are measured on V100 GPUs at 32-bit precision (Wang, Shi, Wang, Chu, arXiv 2002.10105,
 * and the authors' public simulator). The others are derived from those: gradients are four bytes
 * for each parameter of the published network; compute times scale a measured network's by the
 * ratio of published operation counts. The derived ones are stand-ins until measured: {@code
 * --models} replaces them. All can be cut into {@linkplain Architectures layers}.
 */
public final class ModelTable {
  private static final String MEASURED =
      "measured: Wang et al., arXiv 2002.10105, authors' simulator (V100, FP32)";

  private final List<ModelProfile> profiles;
  private final Map<String, Integer> indexes;

  private ModelTable(Collection<ModelProfile> profiles) {
    this.profiles = List.copyOf(profiles);
    this.indexes = new LinkedHashMap<>();
    for (ModelProfile profile : profiles) {
      indexes.put(profile.id(), indexes.size());
    }
  }

  public static ModelTable standard() {
    ModelProfile vgg16 = measured("vgg16", 526.4e6, 16, 36e-3, 54e-3);
    ModelProfile resnet50 = measured("resnet50", 99.2e6, 16, 25e-3, 37e-3);
    List<ModelProfile> table = new ArrayList<>();
    table.add(vgg16);
    table.add(scaled("vgg19", 144e6, 16, vgg16, 19.6 / 15.5, "VGG-16 by multiply-adds"));
    table.add(resnet50);
    table.add(scaled("resnet152", 60e6, 16, resnet50, 11.5 / 4.1, "ResNet-50 by multiply-adds"));
    table.add(measured("inception-v3", 103.0e6, 16, 35e-3, 52e-3));
    table.add(measured("lstm-ptb", 251.8e6, 64, 32e-3, 47e-3));
    table.add(transformer("bert-large", 340e6, 128, 8, vgg16));
    table.add(transformer("xlnet-large", 360e6, 128, 8, vgg16));
    table.add(transformer("gpt2-medium", 345e6, 1024, 4, vgg16));
    table.add(transformer("gpt2-xl", 1.5e9, 1024, 1, vgg16));
    return new ModelTable(table.stream().map(p -> p.layered(Architectures.of(p.id()))).toList());
  }

  private static ModelProfile measured(
      String id, double bytes, int batch, double forward, double backward) {
    return new ModelProfile(id, bytes, batch, forward / batch, backward, MEASURED);
  }

  private static ModelProfile scaled(
      String id, double parameters, int batch, ModelProfile from, double ratio, String how) {
    return new ModelProfile(
        id,
        4 * parameters,
        batch,
        from.forwardSecondsPerSample() * ratio,
        from.backwardSeconds() * ratio * batch / from.batch(),
        "derived: 4 bytes a parameter; times of " + how);
  }

  /**
   * A transformer's forward pass takes two operations a parameter and token, its backward pass
   * twice that, at the speed that VGG-16 (31 Gop a sample) was measured at.
   */
  private static ModelProfile transformer(
      String id, double parameters, int tokens, int batch, ModelProfile vgg16) {
    double operationsPerSecond = 2 * 15.5e9 / vgg16.forwardSecondsPerSample();
    double forwardPerSample = 2 * parameters * tokens / operationsPerSecond;
    return new ModelProfile(
        id,
        4 * parameters,
        batch,
        forwardPerSample,
        2 * forwardPerSample * batch,
        "derived: 4 bytes a parameter; 2 operations a parameter and token, %d tokens, at VGG-16's speed"
            .formatted(tokens));
  }

  /**
   * This table with profiles added, or replaced where the name is the same. One that says nothing
   * of layers keeps those of the profile it replaces: other times do not change what a model is.
   */
  public ModelTable with(Collection<ModelProfile> more) {
    Map<String, ModelProfile> merged = new LinkedHashMap<>();
    profiles.forEach(p -> merged.put(p.id(), p));
    for (ModelProfile profile : more) {
      ModelProfile old = merged.get(profile.id());
      merged.put(
          profile.id(),
          old != null && profile.layers().isEmpty() ? profile.layered(old.layers()) : profile);
    }
    return new ModelTable(merged.values());
  }

  public List<ModelProfile> profiles() {
    return profiles;
  }

  /** The index of a profile, or -1 if there is none of that name. */
  public int indexOf(String id) {
    Integer index = indexes.get(id);
    return index == null ? -1 : index;
  }

  /** The profile at an index; null for -1, a job that does not communicate. */
  public @Nullable ModelProfile profile(int index) {
    return index < 0 ? null : profiles.get(index);
  }
}
