package io.ringmaster.control.api;

import io.ringmaster.control.plane.PlaneHealth;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a server can do its work, and whether it does. Asks nobody and waits for nobody, so that
 * it can be told while everything else hangs.
 */
final class Health {
  static final String ALIVE = "/healthz";
  static final String READY = "/readyz";

  private final Supplier<PlaneHealth> plane;
  private final Limits limits;

  Health(Supplier<PlaneHealth> plane, Limits limits) {
    this.plane = plane;
    this.limits = limits;
  }

  /** Whether the process can work at all: if not, it is to be started again. */
  Response alive() {
    return Double.isInfinite(plane.get().sinceStepSeconds())
        ? Response.json(503, new Shapes.Health("the plane has ended: start the server again"))
        : Response.json(200, new Shapes.Health("ok"));
  }

  /** Whether it leads, and all that it leads with answered lately. */
  Response ready() {
    PlaneHealth health = plane.get();
    Optional<String> reason = why(health);
    return Response.json(
        reason.isEmpty() ? 200 : 503,
        new Shapes.Role(
            health.leads() ? "leader" : "standby",
            reason,
            health.trouble().isEmpty() ? Optional.empty() : Optional.of(health.trouble())));
  }

  private Optional<String> why(PlaneHealth health) {
    if (Double.isInfinite(health.sinceStepSeconds())) {
      return Optional.of("the plane has ended: start the server again");
    }
    if (!health.leads()) {
      return Optional.of(
          health.standsByBecause().isEmpty() ? "another server leads" : health.standsByBecause());
    }
    return silent("the plane", health.sinceStepSeconds(), Limit.PLANE_SILENT_S)
        .or(() -> silent("the engine", health.sinceEngineSeconds(), Limit.ENGINE_SILENT_S))
        .or(() -> silent("the store", health.sinceStoreSeconds(), Limit.STORE_SILENT_S));
  }

  private Optional<String> silent(String who, double seconds, Limit limit) {
    return seconds <= limits.number(limit)
        ? Optional.empty()
        : Optional.of(
            Double.isFinite(seconds)
                ? "%s has not answered for %.0f s".formatted(who, seconds)
                : "%s has not answered yet".formatted(who));
  }
}
