package io.ringmaster.cli.fit;

import static io.ringmaster.cli.terminal.FitFigures.put;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.experiments.Plot;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.Degradation;
import io.ringmaster.predictor.contention.LackOfFit;
import io.ringmaster.predictor.contention.Residuals;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A fit of contention as a document and as a picture. */
record ContentionReport(List<AllReduceTime> times, ContentionFit fit) {

  /** What {@code --json} prints and fit.json holds. */
  Map<String, Object> document(List<Map<String, Object>> inputs) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("model", "T = a + k b M + (k - 1) eta M");
    out.putAll(line(fit.line()));
    out.put("fits", fit.subsets().stream().map(ContentionReport::subset).toList());
    out.put("degradation", fit.degradation().stream().map(ContentionReport::degradation).toList());
    Map<String, Object> residuals = new LinkedHashMap<>();
    residuals.put("by_jobs", fit.byJobs().stream().map(r -> residual("jobs", r)).toList());
    residuals.put("by_bytes", fit.byBytes().stream().map(r -> residual("bytes", r)).toList());
    out.put("residuals", residuals);
    out.put("lack_of_fit", fit.lackOfFit().stream().map(ContentionReport::lackOfFit).toList());
    out.put("warnings", fit.warnings());
    out.put("version", Version.text());
    out.put("inputs", inputs);
    return out;
  }

  private static Map<String, Object> line(ContentionLine line) {
    Map<String, Object> out = new LinkedHashMap<>();
    put(out, "a_s", line.a());
    put(out, "b_s_per_byte", line.b());
    put(out, "eta_s_per_byte", line.eta());
    put(out, "alpha", line.alpha());
    put(out, "adadual_threshold", line.threshold());
    put(out, "r_squared", line.rSquared());
    put(out, "relative_rmse", line.relativeRmse());
    out.put("points", line.points());
    out.put("pairs", line.pairs());
    out.put("intervals", name(line.intervals()));
    return out;
  }

  private static Map<String, Object> subset(ContentionFit.Subset subset) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("subset", name(subset.kind()));
    put(out, "bytes", subset.bytes());
    out.putAll(line(subset.line()));
    return out;
  }

  private static Map<String, Object> degradation(Degradation degradation) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("jobs", degradation.jobs());
    put(out, "measured", degradation.measured());
    put(out, "fitted", degradation.fitted());
    put(out, "linear", degradation.linear());
    put(out, "alpha", degradation.alphaHere());
    List<Map<String, Object>> bySize = new ArrayList<>();
    for (Degradation.SizeRatio ratio : degradation.bySize()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("bytes", ratio.bytes());
      each.put("measured", ratio.ratio());
      bySize.add(each);
    }
    out.put("by_bytes", bySize);
    return out;
  }

  private static Map<String, Object> residual(String key, Residuals residuals) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put(key, residuals.of());
    out.put("points", residuals.points());
    put(out, "mean_relative", residuals.mean());
    put(out, "p_value", residuals.pValue());
    out.put("significant", residuals.significant());
    return out;
  }

  private static Map<String, Object> lackOfFit(LackOfFit test) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("against", name(test.against()));
    put(out, "f", test.f());
    out.put("freedom_above", test.freedomAbove());
    out.put("freedom_below", test.freedomBelow());
    out.put("p_value", test.pValue());
    return out;
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
