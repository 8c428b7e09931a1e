package io.ringmaster.engine.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, the plain manifests that are made of it, and what they may do in a real cluster. */
class ManifestsTest {
  private static final Path PLAIN = Path.of("../deploy/kubernetes");
  private static final Pattern PARTS = Pattern.compile("(?m)^---\n");
  private static final String NAMESPACE =
      "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ringmaster\n---\n";

  /** -Dgolden.update=true writes them anew. */
  @ParameterizedTest
  @CsvSource({"server.yaml, false", "look.yaml, true"})
  void plainManifestsAreTheChartWithItsDefaults(String name, String readOnly) throws IOException {
    String rendered = NAMESPACE + new Chart(Map.of("readOnly", readOnly)).render(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PLAIN.resolve(name), rendered);
    }
    assertThat(PLAIN.resolve(name)).hasContent(rendered);
  }

  @Test
  void everyChoiceIsYaml() throws IOException {
    for (Map<String, String> set :
        List.of(
            Map.of(
                "existingSecret", "mine", "replicas", "2", "storage.accessMode", "ReadWriteMany"),
            Map.of("serviceMonitor", "true"),
            Map.of("readOnly", "true"))) {
      Chart chart = new Chart(set);
      for (String name : List.of("server.yaml", "look.yaml")) {
        for (String part : PARTS.split(chart.render(name), -1)) {
          if (!part.isBlank()) {
            Map<?, ?> object = Serialization.unmarshal(part, Map.class);
            assertThat(object.containsKey("kind")).as(part).isTrue();
          }
        }
      }
    }
    assertThat(new Chart(Map.of("readOnly", "true")).render("server.yaml")).isEmpty();
    assertThat(new Chart(Map.of()).render("look.yaml")).isEmpty();
  }

  @Test
  void rightsToBindPodsAreThoseOfTheExample() throws IOException {
    List<Map<?, ?>> example =
        objects(Files.readString(Path.of("../docs/examples/kubernetes-pods.yaml")));
    Map<String, String> all = Map.of("bindPods.any", "true");
    Map<String, String> one = Map.of("bindPods.any", "true", "bindPods.namespace", "team-a");
    for (Map<String, String> set : List.of(all, one)) {
      List<Map<?, ?>> chart = objects(new Chart(set).render("pods.yaml"));
      assertThat(chart.subList(0, 2)).isEqualTo(example.subList(0, 2));
      assertThat(chart).hasSize(4);
    }
    assertThat(objects(new Chart(all).render("pods.yaml")).getLast().get("kind"))
        .isEqualTo("ClusterRoleBinding");
    assertThat(new Chart(all).render("server.yaml")).contains("      bind-pods: all\n");
    Map<?, ?> binding = objects(new Chart(one).render("pods.yaml")).getLast();
    assertThat(binding.get("kind")).isEqualTo("RoleBinding");
    assertThat(binding.get("metadata"))
        .isEqualTo(Map.of("name", "ringmaster-pods", "namespace", "team-a"));
    assertThat(new Chart(one).render("server.yaml")).contains("      bind-pods: team-a\n");
    assertThat(new Chart(Map.of()).render("pods.yaml")).isEmpty();
  }

  private static List<Map<?, ?>> objects(String text) {
    List<Map<?, ?>> objects = new ArrayList<>();
    for (String part : PARTS.split(text, -1)) {
      objects.add(Serialization.unmarshal(part, Map.class));
    }
    return objects;
  }

  @Test
  void aRealServerTakesThemAndGivesNoMoreRightsThanAreNeeded() throws IOException {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    try (KubernetesTestbed testbed = KubernetesTestbed.up(Map.of("NODES", "0"))) {
      for (String name : List.of("server.yaml", "look.yaml")) {
        // The testbed's Kubernetes is older than this version of budgets, and than nothing else.
        testbed.apply(
            Files.readString(PLAIN.resolve(name)).replace("policy/v1\n", "policy/v1beta1\n"));
      }
      String look = rights(testbed, "ringmaster-look");
      assertThat(look).contains("[get list watch]");
      // Every account may ask what it may do: a creation of a review, which is not kept.
      for (String line : look.lines().filter(each -> !each.contains("reviews")).toList()) {
        assertThat(line.substring(line.lastIndexOf('[') + 1))
            .as(line)
            .doesNotContainPattern("create|update|patch|delete|\\*");
      }
      assertThat(rights(testbed, "ringmaster"))
          .containsPattern("(?m)^secrets +.*\\[get create delete]")
          .doesNotContainPattern("update|patch|\\[\\*]");
      assertThat(elsewhere(testbed, "list", "pods")).startsWith("yes");
      assertThat(elsewhere(testbed, "create", "pods")).startsWith("no");
      assertThat(elsewhere(testbed, "get", "secrets")).startsWith("no");
    }
  }

  private static String rights(KubernetesTestbed testbed, String account) {
    return testbed.kubectl("-n", "ringmaster", "auth", "can-i", "--list", "--as", account(account));
  }

  /** Its answer; kubectl's status says the same, and would be taken for a failure. */
  private static String elsewhere(KubernetesTestbed testbed, String verb, String what) {
    return testbed.cluster(
        "run",
        "sh",
        "-c",
        "kubectl -n default auth can-i %s %s --as %s || :"
            .formatted(verb, what, account("ringmaster")));
  }

  private static String account(String name) {
    return "system:serviceaccount:ringmaster:" + name;
  }
}
