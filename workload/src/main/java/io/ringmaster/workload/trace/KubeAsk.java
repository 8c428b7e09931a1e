package io.ringmaster.workload.trace;

import io.ringmaster.workload.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * On which nodes a pod may be, by its own words: selector, required node affinity, tolerations.
 *
 * @param selector labels that its node has
 * @param terms any of which its node meets; empty: any node does
 * @param unknown what else it asks for that is not looked at, in a few words; may be empty
 */
public record KubeAsk(
    Map<String, String> selector,
    List<List<Rule>> terms,
    List<Toleration> tolerations,
    List<String> unknown) {

  /** A label, or a field, of a node and what it must be. */
  public record Rule(boolean isField, String key, String operator, List<String> values) {
    boolean holds(KubeNode node) {
      boolean isThere = isField || node.labels().containsKey(key);
      String value = isField ? node.name() : node.labels().getOrDefault(key, "");
      return switch (operator) {
        case "In" -> isThere && values.contains(value);
        case "NotIn" -> !isThere || !values.contains(value);
        case "Exists" -> isThere;
        case "DoesNotExist" -> !isThere;
        case "Gt" -> isThere && compare(value) > 0;
        case "Lt" -> isThere && compare(value) < 0;
        default -> false;
      };
    }

    /** Not a number is neither more nor less. */
    private double compare(String value) {
      double given = values.isEmpty() ? Double.NaN : Numbers.parse(values.getFirst());
      return Numbers.parse(value) - given;
    }
  }

  /** A taint that a pod does not mind. */
  public record Toleration(String key, String operator, String value, String effect) {
    boolean covers(KubeNode.Taint taint) {
      boolean isKey = key.isEmpty() ? operator.equals("Exists") : key.equals(taint.key());
      return isKey
          && (effect.isEmpty() || effect.equals(taint.effect()))
          && (operator.equals("Exists") || value.equals(taint.value()));
    }
  }

  /** Of a pod's {@code spec}, as the server tells it. */
  public static KubeAsk of(Map<?, ?> spec) {
    return of(JsonItems.of(spec));
  }

  static KubeAsk of(JsonItems spec) {
    Map<String, String> selector = new TreeMap<>();
    for (String label : spec.object("nodeSelector").members().keySet()) {
      selector.put(label, spec.text("nodeSelector", label));
    }
    List<List<Rule>> terms = new ArrayList<>();
    JsonItems required =
        spec.object("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
    for (JsonItems term : required.objects("nodeSelectorTerms")) {
      List<Rule> rules = new ArrayList<>();
      term.objects("matchExpressions").forEach(rule -> rules.add(rule(rule, false)));
      term.objects("matchFields").forEach(rule -> rules.add(rule(rule, true)));
      terms.add(rules);
    }
    List<Toleration> tolerations = new ArrayList<>();
    for (JsonItems each : spec.objects("tolerations")) {
      tolerations.add(
          new Toleration(
              each.text("key"), each.text("operator"), each.text("value"), each.text("effect")));
    }
    return new KubeAsk(selector, terms, tolerations, unknown(spec));
  }

  private static Rule rule(JsonItems rule, boolean isField) {
    return new Rule(isField, rule.text("key"), rule.text("operator"), rule.texts("values"));
  }

  private static List<String> unknown(JsonItems spec) {
    List<String> unknown = new ArrayList<>();
    if (!spec.objects("resourceClaims").isEmpty()) {
      unknown.add("resource claims");
    }
    if (!spec.object("affinity", "podAffinity").members().isEmpty()
        || !spec.object("affinity", "podAntiAffinity").members().isEmpty()) {
      unknown.add("affinity between pods");
    }
    if (!spec.objects("topologySpreadConstraints").isEmpty()) {
      unknown.add("spread over a topology");
    }
    return unknown;
  }

  boolean allows(KubeNode node) {
    return selects(node)
        && node.taints().stream()
            .filter(KubeNode.Taint::repels)
            .allMatch(taint -> tolerations.stream().anyMatch(each -> each.covers(taint)));
  }

  /** Whether a node is what it asks for, whatever keeps pods away from there. */
  public boolean selects(KubeNode node) {
    // A term without a rule holds nowhere, as for Kubernetes itself.
    return selector.entrySet().stream()
            .allMatch(each -> each.getValue().equals(node.labels().get(each.getKey())))
        && (terms.isEmpty()
            || terms.stream()
                .anyMatch(t -> !t.isEmpty() && t.stream().allMatch(rule -> rule.holds(node))));
  }

  /** Its own words, as in {@code gpu=h100}; empty if it would go anywhere. */
  public String words() {
    List<String> words = new ArrayList<>();
    selector.forEach((label, value) -> words.add(label + "=" + value));
    for (List<Rule> term : terms) {
      for (Rule rule : term) {
        words.add(
            "%s %s %s".formatted(rule.key(), rule.operator(), String.join(",", rule.values())));
      }
    }
    return String.join(", ", words);
  }
}
