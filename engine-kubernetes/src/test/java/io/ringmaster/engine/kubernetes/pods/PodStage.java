package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.fail;

import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** A Kubernetes of two nodes in which tests run jobs. */
final class PodStage implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 180_000;
  private static final String KUBECONFIG = "kubeconfig";
  private static final String NAMESPACE = "default";

  final KubernetesTestbed testbed;
  private final Kubernetes kubernetes;

  PodStage() {
    testbed = KubernetesTestbed.up(Map.of());
    System.setProperty(KUBECONFIG, testbed.kubeconfig().toString());
    kubernetes = Kubernetes.connect("");
  }

  Kubernetes kubernetes() {
    return kubernetes;
  }

  KubernetesClient client() {
    return kubernetes.client();
  }

  /** A new data folder, in a place whose name a careless script would trip over. */
  Path folder() throws IOException {
    return Files.createTempDirectory(testbed.folder(), "data of 'some' server");
  }

  EngineSetup setup(Path folder, Map<String, String> more) {
    Map<String, String> given = new HashMap<>();
    given.put("image", "testbed.local/busybox:1");
    // All nodes see this machine's files.
    given.put("volume", "host:" + testbed.folder().resolve("shared"));
    given.put("poll-s", "0.2");
    given.putAll(more);
    return new EngineSetup(folder, KubernetesEngine.KIND.settings(given), null);
  }

  /** The nodes as kubectl has them. */
  List<Node> nodes() {
    return Serialization.unmarshal(testbed.kubectl("get", "nodes", "-o", "json"), NodeList.class)
        .getItems()
        .stream()
        .map(node ->
            new Node(
                node.getMetadata().getName(),
                4,
                "Testbed",
                amount(node.getStatus().getAllocatable(), "cpu"),
                amount(node.getStatus().getAllocatable(), "memory"),
                Double.NaN,
                List.of("z1"),
                node.getMetadata().getLabels(),
                Node.Held.NOTHING,
                true))
        .toList();
  }

  private static double amount(Map<String, Quantity> has, String name) {
    return Objects.requireNonNull(has.get(name)).getNumericalAmount().doubleValue();
  }

  /** Has each node say that it has four of each of these. */
  void addGpus(Collection<String> resources) {
    for (String node : List.of("n1", "n2")) {
      client()
          .nodes()
          .withName(node)
          .editStatus(found -> {
            resources.forEach(each -> found.getStatus().getCapacity().put(each, new Quantity("4")));
            return found;
          });
    }
    await(
        "GPUs",
        () ->
            client().nodes().list().getItems().stream()
                .allMatch(
                    node -> node.getStatus().getAllocatable().keySet().containsAll(resources)));
  }

  /** Removes all that was made for a data folder, and waits until nothing of it is there. */
  void clear(Path folder) throws IOException {
    String server = Files.readString(folder.resolve("kubernetes/id")).strip();
    client().secrets().inNamespace(NAMESPACE).withLabel(Manifests.SERVER, server).delete();
    var pods = client().pods().inNamespace(NAMESPACE).withLabel(Manifests.SERVER, server);
    pods.withGracePeriod(0).delete();
    await("no pods", () -> pods.list().getItems().isEmpty());
  }

  void await(String what, BooleanSupplier condition) {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        fail(
            "still waiting for "
                + what
                + "\n"
                + testbed.kubectl("get", "pods", "-A", "-o", "yaml"));
      }
      pause(50);
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    System.clearProperty(KUBECONFIG);
    kubernetes.close();
    testbed.close();
  }
}
