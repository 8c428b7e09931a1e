package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import java.util.List;
import java.util.Set;

/** The queue of another scheduler, on a server that looks at one. */
final class WatchRoutes {
  private static final String QUEUE = "/api/v1/queue";

  /** What a server answers that only looks. */
  static final Set<String> KEPT =
      Set.of(
          QUEUE,
          "/api/v1/me",
          "/api/v1/openapi.yaml",
          Health.ALIVE,
          Health.READY,
          "/metrics",
          "/",
          "/dashboard.js",
          "/dashboard.css");

  private final ApiDependencies dependencies;

  WatchRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(Route.read(QUEUE, USER, List.of(), _ -> queue()));
  }

  private Response queue() {
    return dependencies
        .watched()
        .map(watched -> Response.json(200, watched.get()))
        .orElseGet(() -> Response.empty(204));
  }
}
