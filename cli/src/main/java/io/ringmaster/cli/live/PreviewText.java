package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Table;
import java.util.List;

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
    out.append(table.text());
    List<Fields> jobs = preview.objects("jobs");
    if (!jobs.isEmpty()) {
      Table starts =
          new Table("job", "name", "GPUs", "would start", "present policy", "stops")
              .left("name", "would start", "present policy");
      for (Fields job : jobs) {
        starts.row(
            job.text("job"),
            job.text("name"),
            job.text("gpus"),
            start(job, "start_s", now),
            start(job, "present_start_s", now),
            job.text("stops"));
      }
      out.append('\n').append(starts.text());
    }
    if (preview.whole("left_off") > 0) {
      out.append("and %d more jobs\n".formatted(preview.whole("left_off")));
    }
    out.append("\nRests on %s.\n".formatted(preview.text("basis")));
    out.append("Nothing was changed. To switch: ringmaster policy %s".formatted(named(other)));
    settings.forEach(setting -> out.append(" --set ").append(JobText.command(List.of(setting))));
    return out.append('\n').toString();
  }

  private static String named(Fields policy) {
    return policy.text("policy");
  }

  private static void row(Table table, String title, String key, Fields present, Fields other) {
    table.row(title, time(present, key), time(other, key));
  }

  private static String time(Fields policy, String key) {
    return policy.has(key) ? Durations.text(policy.number(key)) : "not known";
  }

  /** A job that runs has started. */
  private static String start(Fields job, String key, double now) {
    if (job.has(key)) {
      return Moments.ahead(job.number(key), now);
    }
    return job.text("state").equals("queued") ? "not known" : job.text("state");
  }
}
