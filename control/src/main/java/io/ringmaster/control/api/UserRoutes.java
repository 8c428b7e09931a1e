package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Sample;
import io.ringmaster.control.store.Store;
import java.util.List;
import java.util.Map;

/** What a user has, had and may have. */
final class UserRoutes {
  private static final long DAY_SECONDS = 86_400;
  private static final long WEEK_SECONDS = 7 * DAY_SECONDS;

  private final ApiDependencies dependencies;

  UserRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(Route.read("/api/v1/users/{user}", USER, List.of(), this::show));
  }

  private Response show(RoutedRequest request) {
    String user = request.variable("user");
    if (!request.caller().sees(user)) {
      throw new Problem(404, "there is no user %s that you may see".formatted(user));
    }
    Store store = dependencies.store();
    long hour =
        (long) dependencies.nowSeconds().getAsDouble()
            / Sample.USAGE_STEP_SECONDS
            * Sample.USAGE_STEP_SECONDS;
    Map<JobState, Long> counts = store.counts(user);
    int held =
        store.holders().stream()
            .filter(holder -> holder.user().equals(user))
            .mapToInt(holder -> holder.held().workers())
            .sum();
    return Response.json(
        200,
        new Shapes.User(
            user,
            dependencies.site().config().quotaGpus().get(user),
            held,
            store.usedGpuSeconds(user, hour - DAY_SECONDS),
            store.usedGpuSeconds(user, hour - WEEK_SECONDS),
            store.usedGpuSeconds("", hour - WEEK_SECONDS),
            Shapes.counts(counts)));
  }
}
