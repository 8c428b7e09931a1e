package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ANYBODY;
import static io.ringmaster.control.api.Route.Access.USER;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What tells of the server itself. */
final class ServerRoutes {
  private final ApiDependencies dependencies;

  ServerRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/openapi.yaml", ANYBODY, List.of(), request -> openapi()),
        Route.read(
            "/healthz", ANYBODY, List.of(), request -> Response.json(200, new Shapes.Health("ok"))),
        Route.read("/readyz", ANYBODY, List.of(), request -> ready()),
        Route.read("/metrics", USER, List.of(), this::metrics));
  }

  private Response ready() {
    boolean leading = dependencies.leading().getAsBoolean();
    String trouble = dependencies.inbox().trouble();
    return Response.json(
        leading ? 200 : 503,
        new Shapes.Role(
            leading ? "leader" : "standby",
            trouble.isEmpty() ? Optional.empty() : Optional.of(trouble)));
  }

  private Response metrics(RoutedRequest request) {
    return dependencies
        .metrics()
        .page(
            request.raw().headers().getOrDefault("accept", ""),
            dependencies.store(),
            dependencies.leading().getAsBoolean());
  }

  private static Response openapi() {
    try (InputStream file = ServerRoutes.class.getResourceAsStream("/openapi.yaml")) {
      if (file == null) {
        throw new IllegalStateException("openapi.yaml is not in the jar");
      }
      return Response.bytes("application/yaml", file.readAllBytes(), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
