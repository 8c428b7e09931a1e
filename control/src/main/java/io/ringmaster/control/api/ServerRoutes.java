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
  private final Wiring wiring;

  ServerRoutes(Wiring wiring) {
    this.wiring = wiring;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/openapi.yaml", ANYBODY, List.of(), asked -> openapi()),
        Route.read(
            "/healthz", ANYBODY, List.of(), asked -> Reply.json(200, Map.of("status", "ok"))),
        Route.read("/readyz", ANYBODY, List.of(), asked -> ready()),
        Route.read("/metrics", USER, List.of(), this::metrics));
  }

  private Reply ready() {
    boolean leading = wiring.leading().getAsBoolean();
    return Reply.json(leading ? 200 : 503, Map.of("role", leading ? "leader" : "standby"));
  }

  private Reply metrics(Asked asked) {
    return wiring
        .metrics()
        .page(
            asked.call().headers().getOrDefault("accept", ""),
            wiring.store(),
            wiring.leading().getAsBoolean());
  }

  private static Reply openapi() {
    try (InputStream file = ServerRoutes.class.getResourceAsStream("/openapi.yaml")) {
      if (file == null) {
        throw new IllegalStateException("openapi.yaml is not in the jar");
      }
      return Reply.bytes("application/yaml", file.readAllBytes(), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
