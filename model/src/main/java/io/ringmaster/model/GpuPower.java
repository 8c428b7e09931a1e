package io.ringmaster.model;

import java.util.Locale;
import java.util.Map;

/**
 * What a busy GPU draws, by its type: the greatest board power that its data sheet gives, for the
 * form that servers for training have.
 */
public final class GpuPower {
  /** For a type that is not in the table. */
  public static final double USUAL_WATTS = 300;

  private static final Map<String, Double> WATTS =
      Map.ofEntries(
          Map.entry("k80", 300.0),
          Map.entry("p100", 300.0),
          Map.entry("v100", 300.0),
          Map.entry("t4", 70.0),
          Map.entry("l4", 72.0),
          Map.entry("a10", 150.0),
          Map.entry("a40", 300.0),
          Map.entry("l40s", 350.0),
          Map.entry("a100", 400.0),
          Map.entry("h100", 700.0),
          Map.entry("h200", 700.0),
          Map.entry("b200", 1000.0));

  private GpuPower() {}

  public static double watts(String gpu) {
    return WATTS.getOrDefault(gpu.toLowerCase(Locale.ROOT), USUAL_WATTS);
  }
}
