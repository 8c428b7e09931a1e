package io.ringmaster.policy.maestro;

import io.ringmaster.model.collect.Grow;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why each job stands as it does. Kept as numbers; the words are made when somebody asks. */
final class Reasons {

  /** What was decided on a job. */
  enum Kind {
    NONE,
    NEAR("the servers that it wants had room"),
    ANYWHERE("GPUs were free, and it loses little wherever they are"),
    SCATTERED("waiting for better servers would take about %s, being scattered costs it about %s"),
    MOVED_OTHERS("it moved %d that could go on elsewhere: it would have waited about %s"),
    MOVED("it went on elsewhere, since a job needed the whole of its server"),
    EVICTED_OTHERS("it stopped %d with more left to do: it would have waited about %s"),
    ELDER("it had waited for so long that it goes before all that came later"),
    EVICTED("a job with less left to do took its servers"),
    EVICTED_BY_ELDER("a job that had waited for very long took its servers"),
    RESERVES("it waits for the servers that clear first, in about %s, which are kept for it"),
    WAITS("jobs with less left to do are ahead of it, and none that runs may be stopped for it"),
    GROWS("it has %d workers: more would help others more"),
    PLANNED("its turn came in a plan that was tried on the model");

    private final String words;

    Kind() {
      this("");
    }

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private Kind[] kinds = new Kind[0];
  private double[] first = new double[0];
  private double[] second = new double[0];

  void put(int job, Kind kind) {
    put(job, kind, 0, 0);
  }

  void put(int job, Kind kind, double a, double b) {
    if (job >= kinds.length) {
      first = Grow.ensure(first, job + 1);
      second = Grow.ensure(second, job + 1);
      int known = kinds.length;
      kinds = Arrays.copyOf(kinds, first.length);
      Arrays.fill(kinds, known, kinds.length, Kind.NONE);
    }
    kinds[job] = kind;
    first[job] = a;
    second[job] = b;
  }

  /** In words, or null if nothing was decided on a job. */
  @Nullable String text(int job) {
    Kind kind = job < kinds.length ? kinds[job] : Kind.NONE;
    return switch (kind) {
      case NONE -> null;
      case SCATTERED -> kind.words.formatted(duration(first[job]), duration(second[job]));
      case EVICTED_OTHERS, MOVED_OTHERS ->
          kind.words.formatted((int) first[job], duration(second[job]));
      case RESERVES -> kind.words.formatted(duration(first[job]));
      case GROWS -> kind.words.formatted((int) first[job]);
      default -> kind.words;
    };
  }

  private static String duration(double seconds) {
    if (seconds < 120) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    return seconds < 7200
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }
}
