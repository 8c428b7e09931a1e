package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.control.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A job of the server's in words. */
final class JobText {
  private JobText() {}

  static boolean hasEnded(Fields job) {
    try {
      return JobState.of(job.text("state")).isEnd();
    } catch (IllegalArgumentException e) {
      // A state of a newer server: not one of the ends, which do not change.
      return false;
    }
  }

  /** {@code job 17 (train)}. */
  static String named(Fields job) {
    return "job %d (%s)".formatted(job.whole("id"), job.text("name"));
  }

  /** {@code job 17 (train) failed with exit code 3: ...}. */
  static String ended(Fields job) {
    boolean failed = job.text("state").equals(JobState.FAILED.text()) && job.has("exit_code");
    return named(job)
        + " "
        + job.text("state")
        + (failed ? " with exit code " + job.text("exit_code") : "")
        + reason(job);
  }

  /** A line of the history of a job. */
  static String entry(long id, Fields entry) {
    String where = entry.text("allocation");
    return "%s  job %d %s%s%s"
        .formatted(
            Moments.second(entry.number("at_s")),
            id,
            entry.text("to"),
            where.isEmpty() ? "" : " on " + where,
            reason(entry));
  }

  static String table(List<Fields> jobs, double now, int columns) {
    Durations unit = Durations.ofColumn(jobs.stream().mapToDouble(job -> spent(job, now)));
    String time = "time, " + unit.label();
    Table table =
        new Table("id", "name", "user", "state", "GPUs", "where", time, "reason")
            .left("state", time)
            .words("name", "user", "where", "reason")
            .optional("where", "user");
    for (Fields job : jobs) {
      table.row(
          Long.toString(job.whole("id")),
          job.text("name"),
          job.text("user"),
          job.text("state"),
          gpus(job),
          where(job),
          "%s %s".formatted(ran(job) ? "ran" : "waited", number(unit, spent(job, now))),
          job.text("reason"));
    }
    return table.text(columns);
  }

  /** Workers it has, or asked for. */
  private static String gpus(Fields job) {
    long workers = job.whole("workers");
    return Long.toString(workers > 0 ? workers : job.whole("gpus"));
  }

  private static String where(Fields job) {
    return job.has("allocation") && !job.text("allocation").isEmpty()
        ? job.text("allocation")
        : "-";
  }

  private static boolean ran(Fields job) {
    return job.has("started_s");
  }

  /** How long it waited, runs or ran. */
  private static double spent(Fields job, double now) {
    if (ran(job) && job.has("ran_s")) {
      return job.number("ran_s");
    }
    double until = job.has("ended_s") ? job.number("ended_s") : now;
    return until - job.number(ran(job) ? "started_s" : "submitted_s");
  }

  private static String number(Durations unit, double seconds) {
    return Double.isNaN(seconds) ? "-" : unit.number(Math.max(0, seconds));
  }

  static String duration(double seconds) {
    return Double.isNaN(seconds) ? "-" : Durations.text(Math.max(0, seconds));
  }

  static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
  }

  /** All that is known of a job, with its history. */
  static String whole(Fields job, double now) {
    Lines lines = new Lines();
    lines.add("state", job.text("state") + reason(job));
    lines.add("user", job.text("user"));
    lines.add("submitted as", job.text("arrival"));
    lines.add("command", command(job.object("spec").rawTexts("command")));
    lines.add("directory", job.object("spec").text("directory"));
    lines.add("GPUs", range(job));
    lines.add("where", job.text("allocation"));
    lines.add("model", job.object("spec").text("model"));
    lines.add("group", job.object("spec").text("group"));
    lines.add("priority", job.whole("priority") == 0 ? "" : job.text("priority"));
    lines.add("after", String.join(", ", job.object("spec").texts("after")));
    lines.add("expected", expected(job.object("spec")));
    lines.add(
        "time limit",
        job.object("spec").has("time_limit_s")
            ? Durations.text(job.object("spec").number("time_limit_s"))
            : "");
    lines.add("submitted", Moments.ago(job.number("submitted_s"), now));
    lines.add("started", since(job, "started_s", now));
    lines.add("ended", since(job, "ended_s", now));
    lines.add("ran", attempts(job, now));
    lines.add(
        "done",
        job.number("done") > 0
            ? String.format(Locale.ROOT, "%.1f %%", 100 * job.number("done"))
            : "");
    lines.add("speed", job.has("speed") ? speed(job.object("speed")) : "");
    lines.add("exit code", job.text("exit_code"));
    return named(job) + "\n" + lines.text() + "\n" + history(job.objects("history"));
  }

  private static String speed(Fields speed) {
    List<String> parts = new ArrayList<>();
    parts.add(
        String.format(
            Locale.ROOT,
            "%.3g %% of it a second with %s",
            100 * speed.number("done_per_s"),
            count(speed.whole("workers"), "worker", "workers")));
    if (speed.has("predicted_done_per_s")) {
      parts.add(
          String.format(
              Locale.ROOT, "%.3g %% were expected", 100 * speed.number("predicted_done_per_s")));
    }
    if (speed.has("step_s")) {
      parts.add(Durations.text(speed.number("step_s")) + " an iteration");
    }
    return String.join(", ", parts);
  }

  private static String reason(Fields job) {
    return job.text("reason").isEmpty() ? "" : ": " + job.text("reason");
  }

  private static String since(Fields job, String key, double now) {
    return job.has(key) ? Moments.ago(job.number(key), now) : "";
  }

  private static String expected(Fields spec) {
    List<String> parts = new ArrayList<>();
    if (spec.has("duration_s")) {
      parts.add(Durations.text(spec.number("duration_s")));
    }
    if (spec.has("iterations")) {
      parts.add(spec.text("iterations") + " iterations");
    }
    return String.join(", ", parts);
  }

  private static String range(Fields job) {
    String asked = job.text("gpus");
    boolean elastic =
        job.whole("min_gpus") != job.whole("gpus") || job.whole("max_gpus") != job.whole("gpus");
    return elastic
        ? "%s (%s to %s)".formatted(asked, job.text("min_gpus"), job.text("max_gpus"))
        : asked;
  }

  private static String attempts(Fields job, double now) {
    if (job.whole("attempt") == 0) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    parts.add(duration(spent(job, now)));
    parts.add(count(job.whole("attempt"), "attempt", "attempts"));
    for (String[] each :
        new String[][] {
          {"restarts", "restart", "restarts"},
          {"failures", "failure", "failures"},
          {"losses", "loss", "losses"}
        }) {
      if (job.whole(each[0]) > 0) {
        parts.add(count(job.whole(each[0]), each[1], each[2]));
      }
    }
    if (job.has("restart_s") && job.number("restart_s") > 0) {
      parts.add(duration(job.number("restart_s")) + " lost to restarts");
    }
    if (job.has("lost_s") && job.number("lost_s") > 0) {
      parts.add(
          "%s of work to do again (%s of GPU time)"
              .formatted(duration(job.number("lost_s")), duration(job.number("lost_gpu_s"))));
    }
    return String.join(", ", parts);
  }

  static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private static String history(List<Fields> entries) {
    Table table =
        new Table("time", "state", "attempt", "where", "reason")
            .left("state")
            .words("where", "reason");
    for (Fields entry : entries) {
      table.row(
          Moments.second(entry.number("at_s")),
          entry.text("to"),
          entry.whole("attempt") == 0 ? "-" : entry.text("attempt"),
          entry.text("allocation").isEmpty() ? "-" : entry.text("allocation"),
          entry.text("reason"));
    }
    return table.text();
  }

  /** As one could type it: words with blanks or signs of the shell are in quotes. */
  static String command(List<String> words) {
    List<String> shown = new ArrayList<>();
    for (String word : words) {
      boolean plain = word.matches("[A-Za-z0-9_./:=,@%+-]+");
      boolean oneLine = word.equals(word.strip()) && word.equals(Shown.line(word));
      shown.add(plain ? word : oneLine ? quoted(word) : "$" + escaped(word));
    }
    return String.join(" ", shown);
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** As bash reads it after a dollar sign, on one line. */
  private static String escaped(String word) {
    String escaped = word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n");
    return "'" + Shown.line(escaped.replace("\t", "\\t").replace("\r", "\\r")) + "'";
  }

  /** Names and values below each other. What is empty is left out. */
  static final class Lines {
    private static final Set<String> COPIED = Set.of("command", "directory");

    private final List<String[]> lines = new ArrayList<>();

    void add(String name, String value) {
      if (!value.isEmpty()) {
        lines.add(new String[] {name, value});
      }
    }

    String text() {
      int width = lines.stream().mapToInt(line -> line[0].length()).max().orElse(0);
      StringBuilder out = new StringBuilder();
      for (String[] line : lines) {
        String lead = "  " + line[0] + " ".repeat(width - line[0].length() + 2);
        // What may be copied is broken by the terminal alone.
        out.append(COPIED.contains(line[0]) ? lead + line[1] + "\n" : Prose.wrapped(lead, line[1]));
      }
      return out.toString();
    }
  }
}
