package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ADMIN;
import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.json.Json;
import io.ringmaster.control.plane.ChosenPolicy;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.Policies;
import io.ringmaster.policy.PolicySpec;
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

  private final Wiring wiring;

  ClusterRoutes(Wiring wiring) {
    this.wiring = wiring;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/nodes", USER, List.of(), this::nodes),
        Route.write("POST", "/api/v1/nodes/{name}/drain", ADMIN, this::drain),
        Route.write("POST", "/api/v1/nodes/{name}/resume", ADMIN, this::resume),
        Route.read("/api/v1/policies", USER, List.of(), _ -> policies()),
        Route.read("/api/v1/policy", USER, List.of(), asked -> policy(wiring.store().settings())),
        Route.write("PUT", "/api/v1/policy", ADMIN, this::setPolicy));
  }

  private Reply nodes(Asked asked) {
    Occupation occupation = Occupation.of(wiring.store());
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (NodeRow row : rows()) {
      nodes.add(node(row, occupation, asked.caller()));
    }
    return Reply.json(200, Map.of("nodes", nodes));
  }

  /** Those of the configuration in its order, then what else the store knows. */
  private List<NodeRow> rows() {
    Map<String, NodeRow> known = new LinkedHashMap<>();
    for (NodeRow row : wiring.store().nodes()) {
      known.put(row.name(), row);
    }
    List<NodeRow> rows = new ArrayList<>();
    for (Node node : wiring.site().nodes()) {
      NodeRow row = known.remove(node.name());
      rows.add(row == null ? new NodeRow(node.name(), node.gpus(), false, false, "") : row);
    }
    rows.addAll(known.values());
    return rows;
  }

  private static Map<String, Object> node(NodeRow row, Occupation occupation, Caller caller) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", row.name());
    map.put("gpus", row.gpus());
    map.put("free_gpus", Math.max(0, row.gpus() - occupation.held(row.name())));
    map.put("up", row.up());
    map.put("drained", row.drained());
    map.put("reason", row.reason());
    map.put("jobs", occupation.jobs(row.name(), caller));
    return map;
  }

  private CompletableFuture<Reply> drain(Asked asked) {
    Object reason = asked.fields(List.of("reason")).get("reason");
    if (reason != null && !(reason instanceof String text && text.length() <= LONGEST_REASON)) {
      throw Asked.wrong(
          "reason", reason, "a text of at most %d characters".formatted(LONGEST_REASON));
    }
    return drain(asked, true, reason == null ? "" : (String) reason);
  }

  private CompletableFuture<Reply> resume(Asked asked) {
    asked.fields(List.of());
    return drain(asked, false, "");
  }

  private CompletableFuture<Reply> drain(Asked asked, boolean drained, String reason) {
    CompletableFuture<NodeRow> reply = new CompletableFuture<>();
    wiring
        .inbox()
        .post(
            new Message.Drain(
                asked.variable("name"), drained, reason, asked.caller().user(), reply));
    return wiring.then(
        reply, row -> Reply.json(200, node(row, Occupation.of(wiring.store()), asked.caller())));
  }

  /** All there are, with what can be set. */
  private static Reply policies() {
    List<Map<String, Object>> policies = new ArrayList<>();
    for (PolicySpec spec : Policies.all()) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", spec.name());
      map.put("summary", spec.summary());
      map.put("source", spec.source());
      map.put("parameters", spec.parameters().stream().map(ClusterRoutes::parameter).toList());
      policies.add(map);
    }
    return Reply.json(200, Map.of("policies", policies));
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
  private Reply policy(Map<String, String> stored) {
    String error = stored.getOrDefault(ChosenPolicy.ERROR, "");
    String name = stored.get(ChosenPolicy.POLICY);
    if (name == null) {
      return policy(wiring.site().policy(), wiring.site().settings(), error);
    }
    Map<String, String> settings = new TreeMap<>();
    if (Json.parse(stored.getOrDefault(ChosenPolicy.SETTINGS, "{}")) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), String.valueOf(value)));
    }
    return policy(name, settings, error);
  }

  private static Reply policy(String name, Map<String, String> settings, String error) {
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("policy", name);
    reply.put("settings", new TreeMap<>(settings));
    Shapes.put(reply, "error", error.isEmpty() ? null : error);
    return Reply.json(200, reply);
  }

  private CompletableFuture<Reply> setPolicy(Asked asked) {
    Map<?, ?> fields = asked.fields(List.of("policy", "settings"));
    if (!(fields.get("policy") instanceof String name) || name.isEmpty()) {
      throw Asked.wrong("policy", fields.get("policy"), "the name of a policy");
    }
    Map<String, String> settings = new TreeMap<>();
    Object given = fields.get("settings");
    if (given instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), scalar(key, value)));
    } else if (given != null) {
      throw Asked.wrong("settings", given, "a mapping of names to texts, numbers or flags");
    }
    CompletableFuture<Map<String, String>> reply = new CompletableFuture<>();
    wiring.inbox().post(new Message.SetPolicy(name, settings, asked.caller().user(), reply));
    return wiring.then(reply, this::policy);
  }

  private static String scalar(Object key, @Nullable Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    throw Asked.wrong("settings." + key, String.valueOf(value), "a text, a number or a flag");
  }
}
