package io.ringmaster.engine.kubernetes.pods;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the supervisor of a pod says as its last act.
 *
 * @param began whether its workers were started
 * @param code 0 if all ended with 0; otherwise that of the first to fail
 * @param stopped whether they were asked to stop before that
 * @param progress as {@link Progress}
 * @param atSeconds when, in seconds since 1970 by the node's clock
 */
record Result(boolean began, int code, boolean stopped, Progress progress, long atSeconds) {
  private static final Pattern TEXT =
      Pattern.compile(
          "RM1 (true|false) ([0-9]{1,3}) (true|false) ([01]) (\\S{1,40}) ([0-9]{1,15})\\s*");

  /** What a container left; null: that was not its supervisor, or it had no time to. */
  static @Nullable Result of(String message) {
    Matcher text = TEXT.matcher(message);
    if (!text.matches()) {
      return null;
    }
    return new Result(
        Boolean.parseBoolean(text.group(1)),
        Integer.parseInt(text.group(2)),
        Boolean.parseBoolean(text.group(3)),
        Progress.of(text.group(4), text.group(5)),
        Long.parseLong(text.group(6)));
  }

  boolean hasFailed() {
    return began && code != 0 && !stopped;
  }

  /**
   * How far a pod's workers are.
   *
   * @param saved whether there is a checkpoint
   * @param doneShare as they said last; NaN: they did not
   */
  record Progress(boolean saved, double doneShare) {
    static final Progress NONE = new Progress(false, Double.NaN);

    private static final Pattern LINE = Pattern.compile("RM1 s ([01]) (\\S{1,40})\\s*");

    /** The last line of a pod's log; null: it is another one. */
    static @Nullable Progress of(String line) {
      Matcher text = LINE.matcher(line);
      return text.matches() ? of(text.group(1), text.group(2)) : null;
    }

    private static Progress of(String saved, String done) {
      double share = Double.NaN;
      try {
        double said = Double.parseDouble(done);
        share = said >= 0 && said <= 1 ? said : Double.NaN;
      } catch (NumberFormatException e) {
        // They said nothing, or nonsense.
      }
      return new Progress(saved.equals("1"), share);
    }

    /** With what was said later, as far as something was. */
    Progress updated(Progress later) {
      return new Progress(
          saved || later.saved, Double.isNaN(later.doneShare) ? doneShare : later.doneShare);
    }

    /** With what the pod of another node says. */
    Progress plus(Progress other) {
      return new Progress(
          saved || other.saved,
          Double.isNaN(doneShare)
              ? other.doneShare
              : Double.isNaN(other.doneShare) ? doneShare : Math.max(doneShare, other.doneShare));
    }
  }
}
