package io.ringmaster.cli.workload;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Past;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.RecordFields.Named;
import io.ringmaster.workload.trace.Imported;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What {@code import} says of a trace: what became of its rows, and what its jobs are like. */
record ImportReport(String format, long seed, Imported imported) {
  private static final int[] SIZES = {1, 2, 4, 8};

  /** What {@code --json} tells of an import. */
  private record Document(
      String version,
      String format,
      long seed,
      long rows,
      int jobs,
      List<Imported.Count> parts,
      List<Imported.Count> dropped,
      int modelsDrawn,
      int renamed,
      Map<String, Double> gpuShares,
      double spanSeconds,
      @Named("gpu_seconds") Optional<Double> gpuSeconds,
      Optional<Double> durationMeanSeconds,
      Optional<Double> durationP50Seconds,
      Optional<Double> durationMaxSeconds,
      int users,
      int groups,
      int servers,
      Optional<Past> asItHappened,
      List<String> notes) {}

  Record document() {
    double[] lengths = lengths();
    Optional<double[]> any = lengths.length > 0 ? Optional.of(lengths) : Optional.empty();
    return new Document(
        Version.text(),
        format,
        seed,
        imported.rows(),
        jobs().size(),
        imported.parts(),
        imported.drops(),
        imported.modelsDrawn(),
        imported.renamed(),
        shares(),
        span(),
        any.map(_ -> gpuSeconds()),
        any.map(l -> Arrays.stream(l).average().orElseThrow()),
        any.map(l -> l[l.length / 2]),
        any.map(l -> l[l.length - 1]),
        jobs().userNames().size(),
        jobs().groupNames().size(),
        imported.serverGpus().size(),
        Past.of(jobs()),
        imported.notes());
  }

  private Jobs jobs() {
    return imported.jobs();
  }

  String text(int columns) {
    Table rows = new Table("rows", "", "first").words("rows", "first").optional("first");
    rows.row("read", whole(imported.rows()), "");
    rows.row("jobs", whole(jobs().size()), "");
    imported.parts().forEach(c -> rows.row("part: " + c.what(), whole(c.rows()), c.first()));
    imported.drops().forEach(c -> rows.row("dropped: " + c.what(), whole(c.rows()), c.first()));
    StringBuilder text = new StringBuilder();
    text.append(rows.text(columns)).append('\n').append(figures().text(columns)).append('\n');
    if (imported.modelsDrawn() > 0) {
      text.append(
          Prose.wrapped(
              "Note: ",
              "the models of %s jobs are drawn. Another --seed draws others: only what holds for several is to be trusted of the network; whatif gives the range."
                  .formatted(whole(imported.modelsDrawn()))));
    }
    imported.notes().forEach(note -> text.append(Prose.wrapped("Note: ", note)));
    return text.toString();
  }

  private Table figures() {
    Table figures = new Table("jobs", "");
    shares()
        .forEach((size, share) ->
            figures.row(
                "of %s GPUs".formatted(size), String.format(Locale.ROOT, "%.1f %%", 100 * share)));
    figures.row("submitted over", Durations.text(span()));
    double[] lengths = lengths();
    // One unit for all that people compare: how long jobs took, and how long they waited.
    double mean = Arrays.stream(lengths).average().orElse(Double.NaN);
    Durations unit =
        Durations.fitting(
            Double.isNaN(mean) ? Past.of(jobs()).map(Past::jctMeanSeconds).orElse(0.0) : mean);
    if (lengths.length > 0) {
      figures.row("GPU time", Durations.text(gpuSeconds()));
      figures.row("mean length", unit.with(mean));
      figures.row("  median", unit.with(lengths[lengths.length / 2]));
      figures.row("  longest", unit.with(lengths[lengths.length - 1]));
    }
    figures.row("users", whole(jobs().userNames().size()));
    figures.row("groups", whole(jobs().groupNames().size()));
    figures.row("servers told of", whole(imported.serverGpus().size()));
    figures.row("models drawn", whole(imported.modelsDrawn()));
    figures.row("ids made unique", whole(imported.renamed()));
    Past.of(jobs())
        .ifPresent(past -> {
          figures.row("as it happened, mean wait", unit.with(past.waitMeanSeconds()));
          figures.row("  median", unit.with(past.waitP50Seconds()));
          figures.row("  95th percentile", unit.with(past.waitP95Seconds()));
          figures.row("  mean JCT", unit.with(past.jctMeanSeconds()));
        });
    return figures;
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
