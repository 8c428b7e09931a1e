package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** What a policy would do with the present queue, for a person. */
final class PreviewText {
  private PreviewText() {}

  /**
   * Two tables, and what to do next.
   *
   * @param settings of the previewed policy, as they were given
   */
  static String of(Fields preview, List<String> settings, double now) {
    Fields present = preview.object("present");
    Fields other = preview.object("preview");
    StringBuilder out = new StringBuilder();
    Table table = new Table("from now on", present.text("policy") + " (present)", named(other));
    row(table, "mean wait", "wait_mean_s", present, other);
    row(table, "  95th percentile", "wait_p95_s", present, other);
    row(table, "mean time to the end", "end_mean_s", present, other);
    table.row("stops", present.text("stops"), other.text("stops"));
    row(table, "GPU time at risk", "at_risk_gpu_s", present, other);
    table.row("lengths", present.text("lengths"), other.text("lengths"));
    out.append(table.text());
    List<Fields> jobs = preview.objects("jobs");
    if (!jobs.isEmpty()) {
      out.append('\n').append(fates(jobs, now).text());
    }
    if (preview.whole("left_off") > 0) {
      out.append("and %d more jobs\n".formatted(preview.whole("left_off")));
    }
    out.append('\n')
        .append(
            Prose.wrapped(
                "At risk is what jobs that run now lose at their first stop, unless they save when"
                    + " they are asked to: all that they did if no checkpoint was seen, else what"
                    + " they did since their last report."))
        .append(Prose.wrapped("Rests on %s.".formatted(preview.text("basis"))))
        .append("Nothing was changed. To switch: ringmaster policy %s".formatted(named(other)));
    settings.forEach(setting -> out.append(" --set ").append(JobText.command(List.of(setting))));
    return out.append('\n').toString();
  }

  private static Table fates(List<Fields> jobs, double now) {
    Durations lost =
        Durations.ofColumn(
            jobs.stream().mapToDouble(PreviewText::atRisk).filter(seconds -> seconds > 0));
    Table fates =
        new Table(
                "job",
                "name",
                "GPUs",
                "would start",
                "under present",
                "stops",
                "at risk, GPU " + lost.label())
            .words("name", "would start", "under present");
    for (Fields job : jobs) {
      fates.row(
          job.text("job"),
          job.text("name"),
          job.text("gpus"),
          start(job, "start_s", now),
          start(job, "present_start_s", now),
          job.text("stops"),
          atRisk(job) > 0 ? lost.number(atRisk(job)) : "-");
    }
    return fates;
  }

  private static double atRisk(Fields job) {
    return job.has("at_risk_gpu_s") ? job.number("at_risk_gpu_s") : 0;
  }

  private static String named(Fields policy) {
    return policy.text("policy");
  }

  /** Both in one unit, so that they can be compared. */
  private static void row(Table table, String title, String key, Fields present, Fields other) {
    Durations unit =
        Durations.fitting(
            Stream.of(present, other)
                .filter(policy -> policy.has(key))
                .flatMapToDouble(policy -> DoubleStream.of(policy.number(key)))
                .max()
                .orElse(0));
    table.row(title, time(present, key, unit), time(other, key, unit));
  }

  private static String time(Fields policy, String key, Durations unit) {
    return policy.has(key) ? unit.with(policy.number(key)) : "not known";
  }

  /** A job that runs has started. */
  private static String start(Fields job, String key, double now) {
    if (job.has(key)) {
      return Moments.at(job.number(key), now);
    }
    return job.text("state").equals("queued") ? "not known" : job.text("state");
  }
}
