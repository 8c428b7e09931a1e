package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server and a real API server with many nodes and many gangs that wait: how long it takes from
 * when a gang's last pod is seen to have ended until another is seen to be bound on its node, what
 * memory the server takes, and what it asks of the API server. See script/bench kubernetes.
 */
final class ScaleRun {
  private static final String NAMESPACE = "team-a";

  /** Two pods fill a node, so that each end makes room for one gang. */
  private static final int GPUS = 8;

  private static final int PODS = 2;
  private static final int HANDS = 16;
  private static final long PATIENCE_MILLIS = 3_600_000;
  private static final String SERVER = "system:serviceaccount:ringmaster:run";

  private final KubernetesTestbed testbed;
  private final Kubernetes kubernetes;
  private final int nodes;
  private final int gangs;
  private final int ends;
  private final Random random;

  /** Pods by the node that they run on. */
  private final Map<String, Map<String, Pod>> running = new ConcurrentHashMap<>();

  private final Map<String, Long> freeSince = new ConcurrentHashMap<>();
  private final List<Double> delays = new ArrayList<>();
  private final AtomicInteger bound = new AtomicInteger();

  private ScaleRun(KubernetesTestbed testbed, Kubernetes kubernetes, String[] arguments) {
    this.testbed = testbed;
    this.kubernetes = kubernetes;
    nodes = Integer.parseInt(RoundsRun.option(arguments, "--nodes", "1000"));
    gangs = Integer.parseInt(RoundsRun.option(arguments, "--gangs", "10000"));
    ends = Integer.parseInt(RoundsRun.option(arguments, "--ends", "500"));
    random = new Random(1);
  }

  public static void main(String[] arguments) throws Exception {
    if (!KubernetesTestbed.canRun()) {
      System.err.println(KubernetesTestbed.MISSING);
      System.exit(69);
    }
    Path policy = Files.createTempFile("audit", ".yaml");
    Path calls = Files.createTempFile("audit", ".log");
    Files.writeString(
        policy,
        """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules: [{level: Metadata, users: ['%s']}, {level: None}]
        """
            .formatted(SERVER));
    Map<String, String> settings =
        Map.of(
            "NODES",
            "0",
            // Nobody is to take a node for dead whose lease this machine was too slow to renew.
            "GRACE",
            "3600s",
            "API_OPTIONS",
            "--audit-policy-file=%s --audit-log-path=%s".formatted(policy, calls));
    try (KubernetesTestbed testbed = KubernetesTestbed.up(settings)) {
      System.setProperty("kubeconfig", testbed.kubeconfig().toString());
      try (Kubernetes kubernetes = Kubernetes.connect("")) {
        new ScaleRun(testbed, kubernetes, arguments).run(calls);
      }
    } finally {
      Files.delete(policy);
      Files.delete(calls);
    }
    System.exit(0);
  }

  private void run(Path calls) throws Exception {
    Path account = account();
    try (PlayedNodes played = new PlayedNodes(kubernetes.client(), nodes, GPUS, 400)) {
      played.listen(this::look);
      say("%,d nodes".formatted(nodes));
      each(nodes + gangs, this::gang);
      say("%,d gangs of %d pods, of %d GPUs each".formatted(nodes + gangs, PODS, GPUS / PODS));
      Process server = serve(account);
      try {
        long start = System.nanoTime();
        await("all nodes are taken", () -> bound.get() >= nodes * PODS);
        say("bound %,d pods in %.0f s".formatted(nodes * PODS, (System.nanoTime() - start) * 1e-9));
        Thread.sleep(30_000);
        long first = Files.size(calls);
        int before = bound.get();
        long begin = System.nanoTime();
        for (int i = 0; i < ends; i++) {
          end(played);
          Thread.sleep(50 + random.nextInt(100));
        }
        await("all that was free is taken", freeSince::isEmpty);
        double seconds = (System.nanoTime() - begin) * 1e-9;
        report(server, calls, first, bound.get() - before, seconds);
      } finally {
        server.destroy();
        server.waitFor();
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  /** The kubeconfig of the account of the examples. */
  private Path account() throws IOException {
    testbed.kubectl("create", "namespace", NAMESPACE);
    for (String file : List.of("kubernetes-run.yaml", "kubernetes-pods.yaml")) {
      testbed.kubectl("apply", "-f", Path.of("../docs/examples", file).toAbsolutePath().toString());
    }
    String[] secret = {"-n", "ringmaster", "get", "sa", "run", "-o", "jsonpath={.secrets[0].name}"};
    await("a token", () -> !testbed.kubectl(secret).isBlank());
    String token =
        testbed
            .kubectl(
                "-n",
                "ringmaster",
                "get",
                "secret",
                testbed.kubectl(secret).strip(),
                "-o",
                "jsonpath={.data.token}")
            .strip();
    await(
        "the namespace's account",
        () -> testbed.kubectl("-n", NAMESPACE, "get", "sa", "-o", "name").contains("default"));
    return Files.writeString(
        testbed.folder().resolve("run.kubeconfig"),
        Files.readString(testbed.kubeconfig())
            .replaceFirst(
                "token: [0-9a-f]+",
                "token: " + new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8)));
  }

  private static void await(String what, BooleanSupplier condition) {
    long until = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > until) {
        throw new IllegalStateException("still waiting until " + what);
      }
      PlayedNodes.pause(100);
    }
  }

  private static void each(int count, IntConsumer task) throws Exception {
    try (ExecutorService hands = Executors.newFixedThreadPool(HANDS)) {
      for (var done :
          Stream.iterate(0, i -> i < count, i -> i + 1)
              .map(i -> hands.submit(() -> task.accept(i)))
              .toList()) {
        done.get();
      }
    }
  }

  private void gang(int number) {
    for (int i = 0; i < PODS; i++) {
      kubernetes
          .client()
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName("g%05d-%d".formatted(number, i))
                  .withNamespace(NAMESPACE)
                  .addToAnnotations("ringmaster.io/gang", "g%05d".formatted(number))
                  .addToAnnotations("ringmaster.io/gang-size", Integer.toString(PODS))
                  .endMetadata()
                  .withNewSpec()
                  .withSchedulerName(Manifests.SCHEDULER)
                  .withAutomountServiceAccountToken(false)
                  .addNewContainer()
                  .withName("main")
                  .withImage("played")
                  .withNewResources()
                  .withLimits(Map.of(PlayedNodes.GPU, new Quantity(Integer.toString(GPUS / PODS))))
                  .endResources()
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
  }

  private Process serve(Path account) throws IOException {
    Path config =
        Files.writeString(
            testbed.folder().resolve("server.yaml"),
            """
            engine:
              name: kubernetes
              namespace: ringmaster
              bind-pods: %s
              gpu-resource: %s
              nodes: %s=yes
            """
                .formatted(NAMESPACE, PlayedNodes.GPU, PlayedNodes.LABEL));
    ProcessBuilder builder =
        new ProcessBuilder(
                "../ringmaster",
                "serve",
                "--config",
                config.toString(),
                "--data",
                testbed.folder().resolve("data").toString(),
                "--listen",
                "127.0.0.1:0")
            .inheritIO();
    builder.environment().put("KUBECONFIG", account.toString());
    return builder.start();
  }

  private synchronized void look(Pod pod) {
    String node = pod.getSpec().getNodeName();
    if (node == null) {
      return;
    }
    String name = pod.getMetadata().getName();
    String phase = pod.getStatus().getPhase();
    Map<String, Pod> here = running.computeIfAbsent(node, _ -> new ConcurrentHashMap<>());
    if (phase.equals("Succeeded")) {
      if (here.remove(name) != null && here.isEmpty()) {
        freeSince.put(node, System.nanoTime());
      }
    } else if (here.put(name, pod) == null) {
      bound.incrementAndGet();
      Long since = freeSince.remove(node);
      if (since != null) {
        delays.add((System.nanoTime() - since) * 1e-9);
      }
    }
  }

  /** Both pods of some node end. */
  private void end(PlayedNodes played) {
    List<String> full =
        running.entrySet().stream()
            .filter(each -> each.getValue().size() == PODS)
            .filter(each ->
                each.getValue().values().stream()
                    .allMatch(pod -> pod.getStatus().getPhase().equals("Running")))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (!full.isEmpty()) {
      String node = full.get(random.nextInt(full.size()));
      running.getOrDefault(node, Map.of()).values().forEach(pod -> played.end(pod, 0));
    }
  }

  /** A text of a line of JSON that has no member of this name but one. */
  private static String field(String line, String name) {
    Matcher found = Pattern.compile("\"%s\":\"([^\"]*)\"".formatted(name)).matcher(line);
    return found.find() ? found.group(1) : "";
  }

  private void report(Process server, Path calls, long from, int pods, double seconds)
      throws IOException {
    List<Double> sorted = delays.stream().sorted().toList();
    say(
        ("%,d ends in %.0f s; from an end to the next binding on its node: half within %.2f s, 99"
             + " %% within %.2f s, all within %.2f s")
            .formatted(
                sorted.size(),
                seconds,
                sorted.get(sorted.size() / 2),
                sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1),
                sorted.getLast()));
    for (String line : Files.readAllLines(Path.of("/proc/%d/status".formatted(server.pid())))) {
      if (line.startsWith("VmHWM") || line.startsWith("VmRSS")) {
        say("server's %s".formatted(line.replaceAll("\\s+", " ")));
      }
    }
    Map<String, Integer> counts = new TreeMap<>();
    int all = 0;
    byte[] text = Files.readAllBytes(calls);
    String since = new String(text, (int) from, text.length - (int) from, StandardCharsets.UTF_8);
    for (String line : since.lines().toList()) {
      String what = field(line, "verb") + " " + field(line, "resource");
      String part = field(line, "subresource");
      counts.merge(part.isEmpty() ? what : what + "/" + part, 1, Integer::sum);
      all++;
    }
    say("%,d calls for %,d bound pods: %.2f each".formatted(all, pods, (double) all / pods));
    counts.forEach((what, count) -> say("  %,7d %s".formatted(count, what)));
  }
}
