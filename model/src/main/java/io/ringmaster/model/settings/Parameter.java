package io.ringmaster.model.settings;

import io.ringmaster.model.BadInput;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A setting that something declares: its name, its default, what values it takes.
 *
 * @param help one sentence for {@code ringmaster policies}
 * @param simulationOnly whether it makes no sense on a real cluster
 */
public record Parameter(
    String name, String defaultValue, Values values, String help, boolean simulationOnly) {

  public Parameter(String name, String defaultValue, Values values, String help) {
    this(name, defaultValue, values, help, false);
  }

  /** What a setting's value may be. */
  public sealed interface Values {
    /** A word for messages and listings, such as {@code true|false}. */
    String expected();

    boolean accepts(String value);
  }

  /** One of a few words. */
  public record Choice(List<String> words) implements Values {
    @Override
    public String expected() {
      return String.join("|", words);
    }

    @Override
    public boolean accepts(String value) {
      return words.contains(value);
    }
  }

  /** A number in a closed range. */
  public record Range(double least, double greatest, boolean whole) implements Values {
    @Override
    public String expected() {
      String kind = whole ? "a whole number" : "a number";
      String from = plain(least);
      boolean endless = greatest >= Double.MAX_VALUE || greatest == Integer.MAX_VALUE;
      return endless
          ? kind + " of at least " + from
          : kind + " from " + from + " to " + plain(greatest);
    }

    private static String plain(double value) {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? Long.toString((long) value)
          : Double.toString(value);
    }

    @Override
    public boolean accepts(String value) {
      try {
        double number = Double.parseDouble(value);
        return number >= least && number <= greatest && (!whole || number == Math.rint(number));
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  /** A text that a rule of its own checks. */
  public record Pattern(String expected, Predicate<String> rule) implements Values {
    @Override
    public boolean accepts(String value) {
      return rule.test(value);
    }
  }

  public static Parameter choice(String name, String defaultValue, String... others) {
    List<String> words = Stream.concat(Stream.of(defaultValue), Stream.of(others)).toList();
    return new Parameter(name, defaultValue, new Choice(words), "");
  }

  public static Parameter flag(String name, boolean defaultValue) {
    return choice(name, Boolean.toString(defaultValue), Boolean.toString(!defaultValue));
  }

  public static Parameter whole(String name, int defaultValue, int least, int greatest) {
    return new Parameter(
        name, Integer.toString(defaultValue), new Range(least, greatest, true), "");
  }

  public static Parameter number(String name, double defaultValue, double least, double greatest) {
    return new Parameter(
        name, Double.toString(defaultValue), new Range(least, greatest, false), "");
  }

  /** The same with its help. */
  public Parameter saying(String sentence) {
    return new Parameter(name, defaultValue, values, sentence, simulationOnly);
  }

  /** The same, for simulations only. */
  public Parameter ofSimulations() {
    return new Parameter(name, defaultValue, values, help, true);
  }

  /** Refuses a value that this setting does not take. */
  void check(String owner, String value) {
    if (!values.accepts(value)) {
      throw new BadInput(
          "%s: setting %s: '%s' is not allowed; expected %s"
              .formatted(owner, name, value, values.expected()));
    }
  }
}
