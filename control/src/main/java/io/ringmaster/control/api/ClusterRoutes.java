package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ADMIN;
import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.plane.ChosenPolicy;
import io.ringmaster.control.plane.Inventory;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.Preview;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.policy.registry.Policies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Nodes and the policy. */
final class ClusterRoutes {
  private static final int LONGEST_REASON = 1000;

  /** Previews that are made or waited for at a time: each takes a second or more. */
  private static final int MOST_PREVIEWS = 4;

  private final ApiDependencies dependencies;
  private final Turns previews = new Turns(MOST_PREVIEWS, 1);

  ClusterRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/nodes", USER, List.of(), this::nodes),
        Route.write("POST", "/api/v1/nodes/{name}/drain", ADMIN, this::drain),
        Route.write("POST", "/api/v1/nodes/{name}/resume", ADMIN, this::resume),
        Route.read("/api/v1/policies", USER, List.of(), _ -> policies()),
        Route.read(
            "/api/v1/policy", USER, List.of(), request -> policy(dependencies.store().settings())),
        Route.write("PUT", "/api/v1/policy", ADMIN, this::setPolicy),
        Route.write("POST", "/api/v1/policy/preview", ADMIN, this::preview));
  }

  private Response nodes(RoutedRequest request) {
    Inventory inventory = inventory();
    HeldGpus held = HeldGpus.of(dependencies.store());
    return Response.json(
        200,
        new Shapes.Nodes(
            inventory.rows().stream()
                .map(row -> Shapes.Node.of(row, inventory, held, request.caller()))
                .toList()));
  }

  private PlaneConfig config() {
    return dependencies.site().config();
  }

  private Inventory inventory() {
    return new Inventory(config(), dependencies.store().nodes());
  }

  private CompletableFuture<Response> drain(RoutedRequest request) {
    Object reason = request.fields(List.of("reason")).get("reason");
    if (reason != null && !(reason instanceof String text && text.length() <= LONGEST_REASON)) {
      throw RoutedRequest.wrong(
          "reason", reason, "a text of at most %d characters".formatted(LONGEST_REASON));
    }
    return drain(request, true, reason == null ? "" : (String) reason);
  }

  private CompletableFuture<Response> resume(RoutedRequest request) {
    request.fields(List.of());
    return drain(request, false, "");
  }

  private CompletableFuture<Response> drain(RoutedRequest request, boolean drained, String reason) {
    CompletableFuture<NodeRow> reply = new CompletableFuture<>();
    dependencies
        .inbox()
        .post(
            new Message.Drain(
                request.variable("name"), drained, reason, request.caller().user(), reply));
    return dependencies.then(
        reply,
        row ->
            Response.json(
                200,
                Shapes.Node.of(
                    row, inventory(), HeldGpus.of(dependencies.store()), request.caller())));
  }

  /** All there are, with what can be set. */
  private static Response policies() {
    return Response.json(
        200, new Shapes.Policies(Policies.all().stream().map(Shapes.KnownPolicy::of).toList()));
  }

  /** What the settings of a store say; the plane answers a choice in the same words. */
  private Response policy(Map<String, String> stored) {
    String error = stored.getOrDefault(ChosenPolicy.ERROR, "");
    ChosenPolicy chosen = ChosenPolicy.of(stored, config());
    return Response.json(
        200,
        new Shapes.Policy(
            chosen.name(),
            new TreeMap<>(chosen.settings()),
            chosen.lengths().word(),
            error.isEmpty() ? null : error));
  }

  private CompletableFuture<Response> setPolicy(RoutedRequest request) {
    Choice choice = choice(request);
    CompletableFuture<Map<String, String>> reply = new CompletableFuture<>();
    dependencies
        .inbox()
        .post(
            new Message.SetPolicy(
                choice.policy(), choice.settings(), request.caller().user(), reply));
    return dependencies.then(reply, this::policy);
  }

  private CompletableFuture<Response> preview(RoutedRequest request) {
    Choice choice = choice(request);
    String user = request.caller().user();
    try {
      if (!previews.begin(user, dependencies.limits().number(Limit.ANSWER_S))) {
        throw new Problem(503, "too many ask for previews already; try again later")
            .with("Retry-After", "5");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(503, "the server is going down");
    }
    CompletableFuture<Preview> made;
    try {
      made = dependencies.explainer().preview(choice.policy(), choice.settings());
    } catch (RuntimeException e) {
      previews.end(user);
      throw e;
    }
    return dependencies.then(
        made.whenComplete((_, _) -> previews.end(user)),
        preview -> Response.json(200, Shapes.Preview.of(preview)));
  }

  /** A policy, and what is set of it. */
  private record Choice(String policy, Map<String, String> settings) {}

  private static Choice choice(RoutedRequest request) {
    Map<?, ?> fields = request.fields(List.of("policy", "settings"));
    if (!(fields.get("policy") instanceof String name) || name.isEmpty()) {
      throw RoutedRequest.wrong("policy", fields.get("policy"), "the name of a policy");
    }
    Map<String, String> settings = new TreeMap<>();
    Object given = fields.get("settings");
    if (given instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), scalar(key, value)));
    } else if (given != null) {
      throw RoutedRequest.wrong("settings", given, "a mapping of names to texts, numbers or flags");
    }
    return new Choice(name, settings);
  }

  private static String scalar(Object key, @Nullable Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    throw RoutedRequest.wrong(
        "settings." + key, String.valueOf(value), "a text, a number or a flag");
  }
}
