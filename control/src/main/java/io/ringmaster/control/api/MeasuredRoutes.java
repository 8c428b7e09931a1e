package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.MeasuredSummary;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Measured.Kind;
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
    List<Measured> own = own(request.caller(), measured);
    return Response.json(
        200,
        new Shapes.Measured(
            cost(Kind.RESTART, measured, own, expected.restartSeconds()),
            cost(Kind.START, measured, own, expected.startSeconds())));
  }

  /** What was measured of jobs that the caller may see. */
  private List<Measured> own(Caller caller, List<Measured> measured) {
    if (caller.isAdmin()) {
      return measured;
    }
    Map<Long, String> owners =
        dependencies.store().owners(measured.stream().map(Measured::job).distinct().toList());
    return measured.stream().filter(one -> caller.user().equals(owners.get(one.job()))).toList();
  }

  /**
   * Of all jobs together; groups are names that users gave, so they are told of the caller's only.
   */
  private static Shapes.Cost cost(
      Kind kind, List<Measured> measured, List<Measured> own, double expected) {
    return new Shapes.Cost(
        Shapes.number(expected),
        Shapes.CostFigures.of(MeasuredSummary.of(kind, measured)),
        named(MeasuredSummary.by(Measured::model, kind, measured)),
        named(MeasuredSummary.by(Measured::group, kind, own)));
  }

  private static List<Shapes.NamedCost> named(List<MeasuredSummary> summaries) {
    return summaries.stream().map(Shapes.NamedCost::of).toList();
  }
}
