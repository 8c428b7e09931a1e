package io.ringmaster.workload.trace;

import java.util.List;
import java.util.Map;

/**
 * What the containers of a pod hold together.
 *
 * <p>What a container requests counts, as it does for schedulers, and its limits if it requests
 * nothing. GPUs are {@code nvidia.com/gpu}, {@code amd.com/gpu} and whatever else ends in {@code
 * /gpu}, and {@code gpu.intel.com/i915} and {@code /xe}. Slices of a GPU are none.
 */
record KubeResources(long gpus, double cpus, double memoryBytes) {
  static final KubeResources NOTHING = new KubeResources(0, 0, 0);

  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("m", 1e-3),
          Map.entry("k", 1e3),
          Map.entry("M", 1e6),
          Map.entry("G", 1e9),
          Map.entry("T", 1e12),
          Map.entry("P", 1e15),
          Map.entry("Ki", 0x1p10),
          Map.entry("Mi", 0x1p20),
          Map.entry("Gi", 0x1p30),
          Map.entry("Ti", 0x1p40),
          Map.entry("Pi", 0x1p50));

  /** Of a pod's {@code spec}; containers that only prepare run before the others. */
  static KubeResources ofPod(JsonItems spec) {
    KubeResources together = NOTHING;
    for (JsonItems container : spec.objects("containers")) {
      together = together.plus(ofContainer(container));
    }
    for (JsonItems container : spec.objects("initContainers")) {
      KubeResources alone = ofContainer(container);
      together =
          new KubeResources(
              Math.max(together.gpus, alone.gpus),
              Math.max(together.cpus, alone.cpus),
              Math.max(together.memoryBytes, alone.memoryBytes));
    }
    return together;
  }

  KubeResources plus(KubeResources other) {
    return new KubeResources(gpus + other.gpus, cpus + other.cpus, memoryBytes + other.memoryBytes);
  }

  KubeResources times(long count) {
    return new KubeResources(gpus * count, cpus * count, memoryBytes * count);
  }

  private static KubeResources ofContainer(JsonItems container) {
    return of(container.object("resources"));
  }

  /** Of {@code limits} and {@code requests}. */
  static KubeResources of(JsonItems resources) {
    return new KubeResources(
        gpus(resources.object("limits")), amount(resources, "cpu"), amount(resources, "memory"));
  }

  /** Of amounts by their names. */
  static long gpus(JsonItems amounts) {
    long gpus = 0;
    for (String name : amounts.members().keySet()) {
      if (isGpu(name)) {
        gpus += (long) Math.ceil(Math.min(quantity(amounts.text(name)), Integer.MAX_VALUE));
      }
    }
    return gpus;
  }

  private static double amount(JsonItems resources, String name) {
    for (String kind : List.of("requests", "limits")) {
      String text = resources.text(kind, name);
      if (!text.isEmpty()) {
        return quantity(text);
      }
    }
    return 0;
  }

  static boolean isGpu(String name) {
    return name.endsWith("/gpu")
        || name.equals("gpu.intel.com/i915")
        || name.equals("gpu.intel.com/xe");
  }

  /** A quantity such as {@code 4}, {@code 500m}, {@code 64Gi} or {@code 1e3}. */
  static double quantity(String text) {
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    Double unit = UNITS.get(text.substring(end));
    try {
      double number = unit == null ? Double.NaN : Double.parseDouble(text.substring(0, end)) * unit;
      if (number >= 0 && number < 1e30) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new Unusable("has an amount that is none such as 4, 500m or 64Gi");
  }
}
