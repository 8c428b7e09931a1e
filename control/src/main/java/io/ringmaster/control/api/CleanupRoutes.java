package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ADMIN;

import io.ringmaster.control.retention.Cleanup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removing what is kept of jobs that ended long ago. */
final class CleanupRoutes {
  private final ApiDependencies dependencies;

  CleanupRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(Route.write("POST", "/api/v1/gc", ADMIN, this::clean));
  }

  private CompletableFuture<Response> clean(RoutedRequest request) {
    Object dry = request.fields(List.of("dry_run")).get("dry_run");
    if (dry != null && !(dry instanceof Boolean)) {
      throw RoutedRequest.wrong("dry_run", dry, "true or false");
    }
    Cleanup cleanup = dependencies.cleanup();
    return CompletableFuture.supplyAsync(
        () -> Response.json(200, Shapes.Cleaned.of(cleanup.run(Boolean.TRUE.equals(dry)))),
        dependencies.executor());
  }
}
