package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ANYBODY;
import static io.ringmaster.control.api.Route.Access.USER;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** What tells of the server itself. */
final class ServerRoutes {
  private final ApiDependencies dependencies;
  private final Health health;

  ServerRoutes(ApiDependencies dependencies, Health health) {
    this.dependencies = dependencies;
    this.health = health;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/openapi.yaml", ANYBODY, List.of(), request -> openapi()),
        Route.read(Health.ALIVE, ANYBODY, List.of(), _ -> health.alive()),
        Route.read(Health.READY, ANYBODY, List.of(), _ -> health.ready()),
        Route.read("/metrics", USER, List.of(), this::metrics));
  }

  private Response metrics(RoutedRequest request) {
    return dependencies
        .metrics()
        .page(
            request.raw().headers().getOrDefault("accept", ""),
            dependencies.store(),
            dependencies.inbox().health());
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
