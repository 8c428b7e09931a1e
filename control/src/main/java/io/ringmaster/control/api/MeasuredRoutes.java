package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.MeasuredSummary;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Measured.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What jobs were measured to cost. */
final class MeasuredRoutes {
  private final ApiDependencies dependencies;

  MeasuredRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(Route.read("/api/v1/measured", USER, List.of(), this::measured));
  }

  private Response measured(RoutedRequest request) {
    List<Measured> measured = dependencies.store().measured();
    Explainer.Expected expected = dependencies.explainer().expected();
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("restart", cost(Kind.RESTART, measured, expected.restartSeconds()));
    reply.put("start", cost(Kind.START, measured, expected.startSeconds()));
    return Response.json(200, reply);
  }

  private static Map<String, Object> cost(Kind kind, List<Measured> measured, double expected) {
    Map<String, Object> map = new LinkedHashMap<>();
    Shapes.put(map, "expected_s", Shapes.number(expected));
    map.putAll(shape(MeasuredSummary.of(kind, measured)));
    map.put("models", named(MeasuredSummary.by(Measured::model, kind, measured)));
    map.put("groups", named(MeasuredSummary.by(Measured::group, kind, measured)));
    return map;
  }

  private static List<Map<String, Object>> named(List<MeasuredSummary> summaries) {
    return summaries.stream()
        .map(summary -> {
          Map<String, Object> map = new LinkedHashMap<>();
          map.put("name", summary.name());
          map.putAll(shape(summary));
          return map;
        })
        .toList();
  }

  private static Map<String, Object> shape(MeasuredSummary summary) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("count", summary.count());
    Shapes.put(map, "mean_s", Shapes.number(summary.meanSeconds()));
    Shapes.put(map, "median_s", Shapes.number(summary.medianSeconds()));
    Shapes.put(map, "deviation_s", Shapes.number(summary.deviationSeconds()));
    return map;
  }
}
