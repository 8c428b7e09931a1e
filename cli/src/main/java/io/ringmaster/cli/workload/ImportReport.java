package io.ringmaster.cli.workload;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.Jobs;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.trace.Imported;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What {@code import} says of a trace: what became of its rows, and what its jobs are like. */
record ImportReport(String format, long seed, Imported imported) {
  private static final int[] SIZES = {1, 2, 4, 8};

  Map<String, Object> document() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("version", Version.text());
    out.put("format", format);
    out.put("seed", seed);
    out.put("rows", imported.rows());
    out.put("jobs", jobs().size());
    out.put("parts", counts(imported.parts()));
    out.put("dropped", counts(imported.drops()));
    out.put("models_drawn", imported.modelsDrawn());
    out.put("renamed", imported.renamed());
    out.put("gpu_shares", shares());
    out.put("span_s", span());
    double[] lengths = lengths();
    if (lengths.length > 0) {
      out.put("gpu_seconds", gpuSeconds());
      out.put("duration_mean_s", Arrays.stream(lengths).average().orElseThrow());
      out.put("duration_p50_s", lengths[lengths.length / 2]);
      out.put("duration_max_s", lengths[lengths.length - 1]);
    }
    out.put("users", jobs().userNames().size());
    out.put("groups", jobs().groupNames().size());
    out.put("servers", imported.serverGpus().size());
    imported
        .past()
        .ifPresent(past -> {
          Map<String, Object> happened = new LinkedHashMap<>();
          happened.put("jobs", past.jobs());
          happened.put("wait_mean_s", past.meanWaitSeconds());
          happened.put("wait_p50_s", past.medianWaitSeconds());
          happened.put("wait_p95_s", past.p95WaitSeconds());
          happened.put("jct_mean_s", past.meanCompletionSeconds());
          out.put("as_it_happened", happened);
        });
    out.put("notes", imported.notes());
    return out;
  }

  private Jobs jobs() {
    return imported.jobs();
  }

  private static List<Map<String, Object>> counts(List<Imported.Count> counts) {
    return counts.stream()
        .map(count -> {
          Map<String, Object> out = new LinkedHashMap<>();
          out.put("what", count.what());
          out.put("rows", count.rows());
          out.put("first", count.first());
          return out;
        })
        .toList();
  }

  String text(Path out) {
    Table rows = new Table("rows", "", "first");
    rows.row("read", whole(imported.rows()), "");
    rows.row("jobs", whole(jobs().size()), "");
    imported.parts().forEach(c -> rows.row("part: " + c.what(), whole(c.rows()), c.first()));
    imported.drops().forEach(c -> rows.row("dropped: " + c.what(), whole(c.rows()), c.first()));

    Table figures = new Table("jobs", "");
    shares()
        .forEach((size, share) ->
            figures.row(
                "of %s GPUs".formatted(size), String.format(Locale.ROOT, "%.1f %%", 100 * share)));
    figures.row("submitted over", Durations.text(span()));
    double[] lengths = lengths();
    if (lengths.length > 0) {
      figures.row("GPU time", Durations.text(gpuSeconds()));
      figures.row("mean length", Durations.text(Arrays.stream(lengths).average().orElseThrow()));
      figures.row("  median", Durations.text(lengths[lengths.length / 2]));
      figures.row("  longest", Durations.text(lengths[lengths.length - 1]));
    }
    figures.row("users", whole(jobs().userNames().size()));
    figures.row("groups", whole(jobs().groupNames().size()));
    figures.row("servers told of", whole(imported.serverGpus().size()));
    figures.row("models drawn", whole(imported.modelsDrawn()));
    figures.row("ids made unique", whole(imported.renamed()));
    imported
        .past()
        .ifPresent(past -> {
          figures.row("as it happened, mean wait", Durations.text(past.meanWaitSeconds()));
          figures.row("  median", Durations.text(past.medianWaitSeconds()));
          figures.row("  95th percentile", Durations.text(past.p95WaitSeconds()));
          figures.row("  mean JCT", Durations.text(past.meanCompletionSeconds()));
        });
    StringBuilder text = new StringBuilder();
    text.append(rows.text()).append('\n').append(figures.text()).append('\n');
    imported.notes().forEach(note -> text.append("Note: ").append(note).append('\n'));
    return text.append("%s: %s jobs in %s%n".formatted(format, whole(jobs().size()), out))
        .toString();
  }

  /** The share of jobs with so many GPUs: 1, 2, 4, 8, other numbers up to 8, and above. */
  private Map<String, Double> shares() {
    Map<String, Double> out = new LinkedHashMap<>();
    for (int size : SIZES) {
      out.put(Integer.toString(size), share(gpus -> gpus == size));
    }
    out.put("3, 5, 6, 7", share(gpus -> gpus < 8 && Integer.bitCount(gpus) != 1));
    out.put("over 8", share(gpus -> gpus > 8));
    return out;
  }

  private double share(IntPredicate wanted) {
    long those = all().map(jobs()::gpus).filter(wanted).count();
    return those / (double) jobs().size();
  }

  private IntStream all() {
    return IntStream.range(0, jobs().size());
  }

  private double span() {
    return jobs().submitSeconds(jobs().size() - 1) - jobs().submitSeconds(0);
  }

  /** Those that the trace tells in seconds, in order. */
  private double[] lengths() {
    return all().filter(jobs()::workIsDuration).mapToDouble(jobs()::work).sorted().toArray();
  }

  private double gpuSeconds() {
    return all()
        .filter(jobs()::workIsDuration)
        .mapToDouble(job -> jobs().work(job) * jobs().gpus(job))
        .sum();
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
