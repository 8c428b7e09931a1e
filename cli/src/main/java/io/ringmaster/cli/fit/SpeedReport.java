package io.ringmaster.cli.fit;

import static io.ringmaster.cli.terminal.FitFigures.put;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.experiments.Plot;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.SpeedParameter;
import io.ringmaster.predictor.speed.StepTime;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Fits of speed as a document, as a picture and as model profiles. */
record SpeedReport(
    SpeedForm form, AllReduce allReduce, SpeedResult.Split split, List<SpeedResult> results) {
  /** As many models as a picture can tell apart. */
  private static final int MOST_SERIES = 8;

  /** What {@code --json} prints and fit.json holds. */
  Map<String, Object> document(List<Map<String, Object>> inputs) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("form", name(form));
    out.put("all_reduce", allReduce.text());
    out.put("models", results.stream().map(SpeedReport::model).toList());
    Map<String, Object> held = new LinkedHashMap<>();
    if (split.share() > 0) {
      held.put("share", split.share());
      held.put("seed", split.seed());
      held.putAll(errors(heldOut()));
    }
    out.put("hold_out", held);
    out.put("version", Version.text());
    out.put("inputs", inputs);
    return out;
  }

  private static Map<String, Object> model(SpeedResult result) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("model", result.model());
    out.put("times", result.times().size());
    out.put("points", result.fit().points().size());
    Map<String, Object> parameters = new LinkedHashMap<>();
    result
        .fit()
        .parameters()
        .forEach((parameter, estimate) -> put(parameters, parameter.text(), estimate));
    out.put("parameters", parameters);
    out.put(
        "undetermined", result.fit().undetermined().stream().map(SpeedParameter::text).toList());
    out.put("errors", errors(result.errors()));
    out.put("batch", result.batch());
    List<Map<String, Object>> predicted = new ArrayList<>();
    for (SpeedResult.Predicted each : result.predicted()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("workers", each.workers());
      row.put("servers", each.servers());
      put(row, "seconds", each.seconds());
      row.put("speedup", each.speedup());
      predicted.add(row);
    }
    out.put("predicted", predicted);
    Map<String, Object> held = new LinkedHashMap<>();
    HoldOut holdOut = result.holdOut();
    if (holdOut != null) {
      held.put("places", holdOut.places());
      held.put("held_out", holdOut.heldOut());
      held.putAll(errors(holdOut.errors()));
    }
    out.put("hold_out", held);
    out.put("warnings", result.warnings());
    return out;
  }

  private static Map<String, Object> errors(Map<HoldOut.Method, RelativeErrors> methods) {
    Map<String, Object> out = new LinkedHashMap<>();
    methods.forEach((method, errors) -> out.put(name(method), errors(errors)));
    return out;
  }

  private static Map<String, Object> errors(RelativeErrors errors) {
    Map<String, Object> out = new LinkedHashMap<>();
    put(out, "median", errors.median());
    put(out, "mean", errors.mean());
    put(out, "p90", errors.p90());
    return out;
  }

  static String name(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  /** The errors of each method over all models with places held out. */
  Map<HoldOut.Method, RelativeErrors> heldOut() {
    Map<HoldOut.Method, RelativeErrors> all = new EnumMap<>(HoldOut.Method.class);
    List<HoldOut> parts =
        results.stream().flatMap(result -> Stream.ofNullable(result.holdOut())).toList();
    if (parts.isEmpty()) {
      return all;
    }
    for (HoldOut.Method method : HoldOut.Method.values()) {
      all.put(
          method,
          RelativeErrors.together(
              parts.stream()
                  .map(part -> Objects.requireNonNull(part.errors().get(method)))
                  .toList()));
    }
    return all;
  }

  List<ModelProfile> profiles() {
    return results.stream().map(SpeedResult::profile).toList();
  }

  /** Measured against fitted times; by place for one model, by model for several. */
  String plot() {
    Chart chart = new Chart("Measured and fitted time of an iteration", "fitted, s", "measured, s");
    if (results.size() == 1) {
      SpeedResult one = results.getFirst();
      add(chart, "one worker", one, p -> p.workers() == 1);
      add(chart, "on one server", one, p -> p.workers() > 1 && !p.crossesServers());
      add(chart, "across servers", one, StepTime::crossesServers);
    } else {
      results.stream().limit(MOST_SERIES).forEach(r -> add(chart, r.model(), r, _ -> true));
    }
    double[] all =
        results.stream()
            .limit(MOST_SERIES)
            .flatMapToDouble(r ->
                r.fit().points().stream()
                    .flatMapToDouble(p -> DoubleStream.of(p.seconds(), r.fit().seconds(p))))
            .sorted()
            .toArray();
    double most = all[all.length - 1];
    List<Plot.Point> equal =
        List.of(new Plot.Point(all[0], all[0], 0), new Plot.Point(most, most, 0));
    return chart.curve("equal", equal).logHorizontal().logVertical().svg();
  }

  private static void add(Chart chart, String name, SpeedResult result, Predicate<StepTime> which) {
    List<Plot.Point> points =
        result.fit().points().stream()
            .filter(which)
            .map(p -> new Plot.Point(result.fit().seconds(p), p.seconds(), 0))
            .toList();
    if (!points.isEmpty()) {
      chart.scatter(name, points);
    }
  }
}
