package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.MeasuredSummary;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Measured.Kind;
import java.util.List;

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
    return Response.json(
        200,
        new Shapes.Measured(
            cost(Kind.RESTART, measured, expected.restartSeconds()),
            cost(Kind.START, measured, expected.startSeconds())));
  }

  private static Shapes.Cost cost(Kind kind, List<Measured> measured, double expected) {
    return new Shapes.Cost(
        Shapes.number(expected),
        Shapes.CostFigures.of(MeasuredSummary.of(kind, measured)),
        named(MeasuredSummary.by(Measured::model, kind, measured)),
        named(MeasuredSummary.by(Measured::group, kind, measured)));
  }

  private static List<Shapes.NamedCost> named(List<MeasuredSummary> summaries) {
    return summaries.stream().map(Shapes.NamedCost::of).toList();
  }
}
