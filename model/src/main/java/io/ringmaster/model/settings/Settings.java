package io.ringmaster.model.settings;

import io.ringmaster.model.BadInput;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Values for all that something declares: what the user gave, the defaults for the rest. */
public final class Settings {
  private final Map<String, String> values;

  private Settings(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Checks given values against the declared parameters.
   *
   * @param owner who declares them, for messages: {@code policy fifo}
   * @throws BadInput for an unknown name, with the nearest known one, or a value out of range
   */
  public static Settings of(String owner, List<Parameter> declared, Map<String, String> given) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Parameter parameter : declared) {
      values.put(parameter.name(), parameter.defaultValue());
    }
    given.forEach((name, value) -> {
      Parameter parameter =
          declared.stream()
              .filter(p -> p.name().equals(name))
              .findFirst()
              .orElseThrow(() -> unknown(owner, name, declared));
      parameter.check(owner, value);
      values.put(name, value);
    });
    return new Settings(values);
  }

  private static BadInput unknown(String owner, String name, List<Parameter> declared) {
    List<String> names = declared.stream().map(Parameter::name).toList();
    return new BadInput(
        names.isEmpty()
            ? "%s has no settings, so '%s' cannot be set".formatted(owner, name)
            : "%s has no setting '%s'; %s".formatted(owner, name, Nearest.hint(name, names)));
  }

  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("setting " + name + " was never declared");
    }
    return value;
  }

  public boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  public double number(String name) {
    return Double.parseDouble(text(name));
  }

  public int whole(String name) {
    return (int) Double.parseDouble(text(name));
  }

  public Map<String, String> asMap() {
    return Map.copyOf(values);
  }

  /** Which of some names a misspelt one may have meant. */
  public static final class Nearest {
    private Nearest() {}

    /** {@code did you mean 'x'?} if one is near, and the whole list otherwise. */
    public static String hint(String given, Collection<String> names) {
      return to(given, names)
          .map(near -> "did you mean '" + near + "'?")
          .orElseGet(() -> "expected one of " + String.join(", ", names));
    }

    /** The one that is most like it, if it is much like it. */
    public static Optional<String> to(String given, Collection<String> names) {
      String best = "";
      int least = Integer.MAX_VALUE;
      for (String name : names) {
        int distance = distance(given, name);
        if (distance < least) {
          least = distance;
          best = name;
        }
      }
      return least <= Math.max(1, given.length() / 3) ? Optional.of(best) : Optional.empty();
    }

    /**
     * The one of a name.
     *
     * @param unknown what is said of a name that none has, before the hint
     */
    public static <T> T named(String given, List<T> all, Function<T, String> name, String unknown) {
      for (T each : all) {
        if (name.apply(each).equals(given)) {
          return each;
        }
      }
      throw new BadInput(
          unknown.formatted(given) + "; " + hint(given, all.stream().map(name).toList()));
    }

    /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
    private static int distance(String a, String b) {
      int[][] d = new int[a.length() + 1][b.length() + 1];
      for (int i = 0; i <= a.length(); i++) {
        for (int j = 0; j <= b.length(); j++) {
          if (i == 0 || j == 0) {
            d[i][j] = i + j;
            continue;
          }
          boolean same = a.charAt(i - 1) == b.charAt(j - 1);
          d[i][j] =
              Math.min(d[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(d[i - 1][j], d[i][j - 1]));
          if (i > 1
              && j > 1
              && a.charAt(i - 1) == b.charAt(j - 2)
              && a.charAt(i - 2) == b.charAt(j - 1)) {
            d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
          }
        }
      }
      return d[a.length()][b.length()];
    }
  }
}
