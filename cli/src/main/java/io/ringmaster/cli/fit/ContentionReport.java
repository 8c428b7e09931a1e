package io.ringmaster.cli.fit;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.FitFigures.Interval;
import io.ringmaster.experiments.Plot;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.Degradation;
import io.ringmaster.predictor.contention.Residuals;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.RecordFields.Inline;
import io.ringmaster.workload.json.RecordFields.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A fit of contention as a document and as a picture. */
record ContentionReport(List<AllReduceTime> times, ContentionFit fit) {

  /** What {@code --json} prints and fit.json holds. */
  private record Document(
      String model,
      @Inline Line line,
      List<Subset> fits,
      List<DegradationOf> degradation,
      AllResiduals residuals,
      List<LackOfFitOf> lackOfFit,
      List<String> warnings,
      String version,
      List<FitFigures.InputFile> inputs) {}

  private record Line(
      @Named("a_s") @Nullable Interval a,
      @Named("b_s_per_byte") @Nullable Interval b,
      @Named("eta_s_per_byte") @Nullable Interval eta,
      @Nullable Interval alpha,
      @Named("adadual_threshold") @Nullable Interval threshold,
      double rSquared,
      double relativeRmse,
      int points,
      int pairs,
      String intervals) {}

  private record Subset(String subset, double bytes, @Inline Line line) {}

  private record DegradationOf(
      int jobs,
      @Nullable Interval measured,
      double fitted,
      double linear,
      double alpha,
      List<RatioOf> byBytes) {}

  private record RatioOf(double bytes, double measured) {}

  private record AllResiduals(List<JobsResiduals> byJobs, List<BytesResiduals> byBytes) {}

  private record JobsResiduals(double jobs, @Inline ResidualsOf residuals) {}

  private record BytesResiduals(double bytes, @Inline ResidualsOf residuals) {}

  private record ResidualsOf(
      int points, @Nullable Interval meanRelative, double pValue, boolean significant) {

    static ResidualsOf of(Residuals residuals) {
      return new ResidualsOf(
          residuals.points(),
          Interval.of(residuals.mean()),
          residuals.pValue(),
          residuals.significant());
    }
  }

  private record LackOfFitOf(
      String against, double f, int freedomAbove, int freedomBelow, double pValue) {}

  Record document(List<FitFigures.InputFile> inputs) {
    return new Document(
        "T = a + k b M + (k - 1) eta M",
        line(fit.line()),
        fit.subsets().stream()
            .map(s -> new Subset(name(s.kind()), s.bytes(), line(s.line())))
            .toList(),
        fit.degradation().stream().map(ContentionReport::degradation).toList(),
        new AllResiduals(
            fit.byJobs().stream().map(r -> new JobsResiduals(r.of(), ResidualsOf.of(r))).toList(),
            fit.byBytes().stream()
                .map(r -> new BytesResiduals(r.of(), ResidualsOf.of(r)))
                .toList()),
        fit.lackOfFit().stream()
            .map(t ->
                new LackOfFitOf(
                    name(t.against()), t.f(), t.freedomAbove(), t.freedomBelow(), t.pValue()))
            .toList(),
        fit.warnings(),
        Version.text(),
        inputs);
  }

  private static Line line(ContentionLine line) {
    return new Line(
        Interval.of(line.a()),
        Interval.of(line.b()),
        Interval.of(line.eta()),
        Interval.of(line.alpha()),
        Interval.of(line.threshold()),
        line.rSquared(),
        line.relativeRmse(),
        line.points(),
        line.pairs(),
        name(line.intervals()));
  }

  private static DegradationOf degradation(Degradation degradation) {
    return new DegradationOf(
        degradation.jobs(),
        Interval.of(degradation.measured()),
        degradation.fitted(),
        degradation.linear(),
        degradation.alphaHere(),
        degradation.bySize().stream().map(r -> new RatioOf(r.bytes(), r.ratio())).toList());
  }

  private static String name(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** f(k) measured and fitted; or, without an eta, time against size. */
  String plot() {
    return fit.line().eta() == null ? timePlot() : factorPlot();
  }

  private String factorPlot() {
    List<Plot.Point> measured = new ArrayList<>();
    List<Plot.Point> fitted = new ArrayList<>();
    for (Degradation each : fit.degradation()) {
      Estimate mean = each.measured();
      double half = mean.hasInterval() ? mean.high() - mean.value() : 0;
      measured.add(new Plot.Point(each.jobs(), mean.value(), half));
      fitted.add(new Plot.Point(each.jobs(), each.fitted(), 0));
    }
    if (measured.isEmpty()) {
      // Nothing was measured with one job: there is the line alone.
      fit.byJobs()
          .forEach(r -> fitted.add(new Plot.Point(r.of(), fit.line().degradation(r.of()), 0)));
    }
    double most = fit.byJobs().getLast().of();
    List<Plot.Point> turns = List.of(new Plot.Point(1, 1, 0), new Plot.Point(most, most, 0));
    return new Chart(
            "How many times longer an all-reduce takes beside others",
            "jobs that share the link, k",
            "T(k) / T(1)")
        .scatter("measured: mean over sizes, 95 % interval", measured)
        .curve("fitted", fitted)
        .dashed("taking turns: k", turns)
        .fromZero()
        .svg();
  }

  private String timePlot() {
    Map<Double, List<Double>> bySize = new TreeMap<>();
    for (AllReduceTime time : times) {
      bySize.computeIfAbsent(time.bytes(), _ -> new ArrayList<>()).add(time.seconds());
    }
    List<Plot.Point> measured = new ArrayList<>();
    List<Plot.Point> fitted = new ArrayList<>();
    bySize.forEach((bytes, seconds) -> {
      double sum = seconds.stream().sorted().reduce(0.0, Double::sum);
      measured.add(new Plot.Point(bytes / 1e6, sum / seconds.size(), 0));
      fitted.add(new Plot.Point(bytes / 1e6, fit.line().seconds(1, bytes), 0));
    });
    return new Chart("How long an all-reduce takes alone", "message, MB", "seconds")
        .scatter("measured", measured)
        .curve("fitted: a + b M", fitted)
        .fromZero()
        .svg();
  }
}
