package io.ringmaster.cli.terminal;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.workload.json.RecordFields.Named;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How fits show numbers, in documents and in text. */
public final class FitFigures {
  public static final String UNKNOWN = "-";

  private FitFigures() {}

  public record Interval(double value, double standardError, double ci95Low, double ci95High) {

    public static @Nullable Interval of(@Nullable Estimate estimate) {
      return estimate == null
          ? null
          : new Interval(
              estimate.value(), estimate.standardError(), estimate.low(), estimate.high());
    }
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

  /** What speaks against a fit, for a person. */
  public static String warnings(List<String> warnings, String fitted) {
    return warnings.isEmpty()
        ? "Nothing says that the " + fitted + " is wrong.\n"
        : warnings.stream()
            .map(warning -> Prose.wrapped("- ", warning))
            .collect(Collectors.joining("", "Mind:\n", ""));
  }

  /** Refuses a file that is named twice. */
  public static void eachOnce(String command, List<Path> files) {
    if (files.stream().distinct().count() < files.size()) {
      throw new BadInput(command + ": each file once");
    }
  }

  public record InputFile(String file, @Named("sha256") String hash) {}

  public static List<InputFile> inputs(List<Path> files) {
    return files.stream()
        .map(file -> new InputFile(String.valueOf(file.getFileName()), RunInputs.sha256(file)))
        .toList();
  }
}
