package io.ringmaster.cli.terminal;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.RunInputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How fits show numbers, in documents and in text. */
public final class FitFigures {
  public static final String UNKNOWN = "-";

  private FitFigures() {}

  public static void put(Map<String, Object> out, String name, @Nullable Estimate estimate) {
    if (estimate == null) {
      putNull(out, name);
      return;
    }
    Map<String, Object> values = new LinkedHashMap<>();
    put(values, "value", estimate.value());
    put(values, "standard_error", estimate.standardError());
    put(values, "ci95_low", estimate.low());
    put(values, "ci95_high", estimate.high());
    out.put(name, values);
  }

  public static void put(Map<String, Object> out, String name, double number) {
    if (Double.isFinite(number)) {
      out.put(name, number);
    } else {
      putNull(out, name);
    }
  }

  /** JSON has a null, {@code Map} as the other documents have it does not. */
  @SuppressWarnings("NullAway")
  private static void putNull(Map<String, Object> out, String name) {
    out.put(name, null);
  }

  public static String number(double value) {
    if (Double.isNaN(value)) {
      return UNKNOWN;
    }
    if (value == 0) {
      return "0";
    }
    return String.format(
        Locale.ROOT, Math.abs(value) >= 1e-3 && Math.abs(value) < 1e4 ? "%.4g" : "%.3e", value);
  }

  public static String percent(double share) {
    if (Double.isNaN(share)) {
      return UNKNOWN;
    }
    // Rounded first: a hair below 0 is 0, not -0.
    return String.format(Locale.ROOT, "%.1f %%", Math.round(1000 * share) / 10.0);
  }

  /** Refuses a file that is named twice. */
  public static void eachOnce(String command, List<Path> files) {
    if (files.stream().distinct().count() < files.size()) {
      throw new BadInput(command + ": each file once");
    }
  }

  /** Which files a fit is of. */
  public static List<Map<String, Object>> inputs(List<Path> files) {
    List<Map<String, Object>> inputs = new ArrayList<>();
    for (Path file : files) {
      Map<String, Object> input = new LinkedHashMap<>();
      input.put("file", String.valueOf(file.getFileName()));
      input.put("sha256", RunInputs.sha256(file));
      inputs.add(input);
    }
    return inputs;
  }
}
