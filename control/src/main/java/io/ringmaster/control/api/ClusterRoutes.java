package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ADMIN;
import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.json.Json;
import io.ringmaster.control.plane.ChosenPolicy;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Nodes and the policy. */
final class ClusterRoutes {
  private static final int LONGEST_REASON = 1000;

  private final ApiDependencies dependencies;

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
        Route.write("PUT", "/api/v1/policy", ADMIN, this::setPolicy));
  }

  private Response nodes(RoutedRequest request) {
    HeldGpus held = HeldGpus.of(dependencies.store());
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (NodeRow row : rows()) {
      nodes.add(node(row, held, request.caller()));
    }
    return Response.json(200, Map.of("nodes", nodes));
  }

  /** Those of the configuration in its order, then what else the store knows. */
  private List<NodeRow> rows() {
    Map<String, NodeRow> known = new LinkedHashMap<>();
    for (NodeRow row : dependencies.store().nodes()) {
      known.put(row.name(), row);
    }
    List<NodeRow> rows = new ArrayList<>();
    for (Node node : dependencies.site().nodes()) {
      NodeRow row = known.remove(node.name());
      rows.add(row == null ? new NodeRow(node.up(false)) : row);
    }
    rows.addAll(known.values());
    return rows;
  }

  private static Map<String, Object> node(NodeRow row, HeldGpus held, Caller caller) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", row.name());
    map.put("gpus", row.gpus());
    map.put("free_gpus", Math.max(0, row.gpus() - held.held(row.name())));
    map.put("up", row.up());
    map.put("drained", row.drained());
    map.put("reason", row.reason());
    map.put("jobs", held.jobs(row.name(), caller));
    return map;
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
        row -> Response.json(200, node(row, HeldGpus.of(dependencies.store()), request.caller())));
  }

  /** All there are, with what can be set. */
  private static Response policies() {
    List<Map<String, Object>> policies = new ArrayList<>();
    for (PolicySpec spec : Policies.all()) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", spec.name());
      map.put("summary", spec.summary());
      map.put("source", spec.source());
      map.put("parameters", spec.parameters().stream().map(ClusterRoutes::parameter).toList());
      policies.add(map);
    }
    return Response.json(200, Map.of("policies", policies));
  }

  private static Map<String, Object> parameter(Parameter parameter) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", parameter.name());
    map.put("default", parameter.defaultValue());
    map.put("expected", parameter.values().expected());
    map.put(
        "choices",
        parameter.values() instanceof Parameter.Choice choice ? choice.words() : List.of());
    map.put("help", parameter.help());
    return map;
  }

  /** What the settings of a store say; the plane answers a choice in the same words. */
  private Response policy(Map<String, String> stored) {
    String error = stored.getOrDefault(ChosenPolicy.ERROR, "");
    String name = stored.get(ChosenPolicy.POLICY);
    if (name == null) {
      return policy(dependencies.site().policy(), dependencies.site().settings(), error);
    }
    Map<String, String> settings = new TreeMap<>();
    if (Json.parse(stored.getOrDefault(ChosenPolicy.SETTINGS, "{}")) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), String.valueOf(value)));
    }
    return policy(name, settings, error);
  }

  private static Response policy(String name, Map<String, String> settings, String error) {
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("policy", name);
    reply.put("settings", new TreeMap<>(settings));
    Shapes.put(reply, "error", error.isEmpty() ? null : error);
    return Response.json(200, reply);
  }

  private CompletableFuture<Response> setPolicy(RoutedRequest request) {
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
    CompletableFuture<Map<String, String>> reply = new CompletableFuture<>();
    dependencies
        .inbox()
        .post(new Message.SetPolicy(name, settings, request.caller().user(), reply));
    return dependencies.then(reply, this::policy);
  }

  private static String scalar(Object key, @Nullable Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    throw RoutedRequest.wrong(
        "settings." + key, String.valueOf(value), "a text, a number or a flag");
  }
}
