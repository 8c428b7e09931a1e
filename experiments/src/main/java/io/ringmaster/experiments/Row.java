package io.ringmaster.experiments;

import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A figure of an experiment.
 *
 * @param setting what was varied, in the order to be shown; values are texts or numbers
 * @param lengths what the policy knew of lengths; null of what is no policy, such as a bound
 * @param metric its name in the documents, with the unit
 * @param figure mean and interval over the draws
 * @param paper what the paper reports; null where it reports nothing
 */
public record Row(
    Map<String, Object> setting,
    String policy,
    @Nullable KnownLengths lengths,
    String metric,
    Statistics figure,
    @Nullable Double paper) {

  /** Of which the paper reports nothing. */
  public Row(
      Map<String, Object> setting,
      String policy,
      @Nullable KnownLengths lengths,
      String metric,
      Statistics figure) {
    this(setting, policy, lengths, metric, figure, null);
  }

  /** What it knew, as tables have it; empty of what is no policy. */
  public String lengthsWord() {
    return lengths == null ? "" : lengths.word();
  }

  /** What was varied, as a text; it must have been. */
  public String text(String name) {
    return Objects.requireNonNull(setting.get(name)).toString();
  }

  public double number(String name) {
    return Double.parseDouble(text(name));
  }
}
