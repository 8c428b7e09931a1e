package io.ringmaster.cli.fit;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.FitFigures.Interval;
import io.ringmaster.experiments.Plot;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.SpeedParameter;
import io.ringmaster.predictor.speed.StepTime;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.RecordFields.Inline;
import io.ringmaster.workload.json.RecordFields.Named;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fits of speed as a document, as a picture and as model profiles. */
record SpeedReport(
    SpeedForm form, AllReduce allReduce, SpeedResult.Split split, List<SpeedResult> results) {
  /** As many models as a picture can tell apart. */
  private static final int MOST_SERIES = 8;

  /** What {@code --json} prints and fit.json holds. */
  private record Document(
      String form,
      String allReduce,
      List<ModelDocument> models,
      HeldOut holdOut,
      String version,
      List<FitFigures.InputFile> inputs) {}

  private record ModelDocument(
      String model,
      int times,
      int points,
      Map<String, @Nullable Interval> parameters,
      List<String> undetermined,
      Errors errors,
      double batch,
      List<Predicted> predicted,
      HeldOut holdOut,
      List<String> warnings) {}

  private record Predicted(int workers, int servers, @Nullable Interval seconds, double speedup) {}

  /** Errors of all methods where places were held out; empty if none were. */
  private record HeldOut(
      Optional<Double> share,
      Optional<Long> seed,
      Optional<Integer> places,
      @Named("held_out") Optional<Integer> times,
      @Inline Map<String, Errors> methods) {}

  private record Errors(double median, double mean, double p90) {
    static Errors of(RelativeErrors errors) {
      return new Errors(errors.median(), errors.mean(), errors.p90());
    }
  }

  Record document(List<FitFigures.InputFile> inputs) {
    boolean held = split.share() > 0;
    return new Document(
        name(form),
        allReduce.text(),
        results.stream().map(SpeedReport::model).toList(),
        new HeldOut(
            held ? Optional.of(split.share()) : Optional.empty(),
            held ? Optional.of(split.seed()) : Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            held ? errors(heldOut()) : Map.of()),
        Version.text(),
        inputs);
  }

  private static ModelDocument model(SpeedResult result) {
    Map<String, @Nullable Interval> parameters = new LinkedHashMap<>();
    result
        .fit()
        .parameters()
        .forEach((parameter, estimate) -> parameters.put(parameter.text(), Interval.of(estimate)));
    Optional<HoldOut> held = Optional.ofNullable(result.holdOut());
    return new ModelDocument(
        result.model(),
        result.times().size(),
        result.fit().points().size(),
        parameters,
        result.fit().undetermined().stream().map(SpeedParameter::text).toList(),
        Errors.of(result.errors()),
        result.batch(),
        result.predicted().stream()
            .map(
                p -> new Predicted(p.workers(), p.servers(), Interval.of(p.seconds()), p.speedup()))
            .toList(),
        new HeldOut(
            Optional.empty(),
            Optional.empty(),
            held.map(HoldOut::places),
            held.map(HoldOut::heldOut),
            held.map(h -> errors(h.errors())).orElse(Map.of())),
        result.warnings());
  }

  private static Map<String, Errors> errors(Map<HoldOut.Method, RelativeErrors> methods) {
    Map<String, Errors> errors = new LinkedHashMap<>();
    methods.forEach((method, of) -> errors.put(name(method), Errors.of(of)));
    return errors;
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
