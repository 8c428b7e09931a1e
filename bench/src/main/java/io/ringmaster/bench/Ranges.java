package io.ringmaster.bench;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The greatest values that measures may have, from a file. */
record Ranges(List<Range> all) {
  private static final Set<String> KEYS = Set.of("measure", "jobs", "policy", "at_most");

  /**
   * One line of the file.
   *
   * @param jobs null: however many
   * @param policy null: every one
   */
  record Range(String measure, @Nullable Integer jobs, @Nullable String policy, double atMost) {

    boolean covers(Measure measured) {
      return measure.equals(measured.name())
          && (jobs == null || jobs == measured.jobs())
          && (policy == null || policy.equals(measured.policy()));
    }

    @Override
    public String toString() {
      return "%s, %s, %s: at most %s"
          .formatted(
              measure,
              jobs == null ? "any number of jobs" : String.format(Locale.ROOT, "%,d jobs", jobs),
              policy == null ? "every policy" : policy,
              plain(atMost));
    }
  }

  static Ranges read(Path file) {
    Object document;
    try {
      document = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (YamlEngineException e) {
      throw new BadInput(file + ": " + e.getMessage());
    }
    if (!(document instanceof List<?> lines)) {
      throw new BadInput(file + ": expected a list of ranges");
    }
    return new Ranges(lines.stream().map(line -> range(file, line)).toList());
  }

  private static Range range(Path file, @Nullable Object line) {
    if (line instanceof Map<?, ?> map
        && KEYS.containsAll(map.keySet())
        && map.get("measure") instanceof String measure
        && map.get("at_most") instanceof Number atMost) {
      Object jobs = map.get("jobs");
      Object policy = map.get("policy");
      if ((jobs == null || jobs instanceof Integer)
          && (policy == null || policy instanceof String)) {
        return new Range(measure, (Integer) jobs, (String) policy, atMost.doubleValue());
      }
    }
    throw new BadInput(
        ("%s: '%s' is no range; expected {measure: TEXT, jobs: WHOLE NUMBER, policy: NAME,"
                + " at_most: NUMBER}, without jobs or policy where any will do")
            .formatted(file, line));
  }

  /**
   * A line for each value that is certainly above its range.
   *
   * @param times how many times its limit a value may be
   */
  List<String> broken(List<Measure> measures, double times) {
    // Written so that what is not a number breaks it.
    return above(measures, times, (spread, most) -> !(spread.low() <= most));
  }

  /** A line for each value above its range that another measurement may find within. */
  List<String> doubtful(List<Measure> measures, double times) {
    return above(measures, times, (s, most) -> s.low() <= most && s.middle() > most);
  }

  private interface Above {
    boolean test(Spread spread, double most);
  }

  private List<String> above(List<Measure> measures, double times, Above above) {
    List<String> lines = new ArrayList<>();
    for (Measure measured : measures) {
      for (Range range : all) {
        Spread spread = measured.spread();
        if (range.covers(measured) && above.test(spread, times * range.atMost)) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%s, %,d jobs, %s: %s (%s to %s), at most %s allowed",
                  measured.name(),
                  measured.jobs(),
                  measured.policy(),
                  plain(spread.middle()),
                  plain(spread.low()),
                  plain(spread.high()),
                  plain(times * range.atMost)));
        }
      }
    }
    return lines;
  }

  /** Those that no value was measured for. */
  List<Range> unmeasured(List<Measure> measures) {
    return all.stream().filter(range -> measures.stream().noneMatch(range::covers)).toList();
  }

  private static String plain(double value) {
    return value >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
