package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.cli.Main;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands with an account that may only look at a real Kubernetes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveKubernetesTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir static Path dir;
  private KubernetesTestbed kubernetes;
  private Path look;

  @BeforeAll
  void up() throws IOException {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    kubernetes = KubernetesTestbed.up(Map.of());
    kubernetes.kubectl(
        "apply",
        "-f",
        Path.of("../docs/examples/kubernetes-look.yaml").toAbsolutePath().toString());
    kubernetes.apply(
        pod("holds", "nodeName: n1", 3)
            + pod("elsewhere", "nodeSelector: {gpu: h100}", 1)
            + """
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: two-whole}
            spec:
              parallelism: 2
              completions: 2
              template:
                spec:
                  # Nobody starts them: they wait as long as the test wants.
                  schedulerName: nobody
                  restartPolicy: Never
                  containers:
                    - {name: main, image: 'testbed.local/busybox:1', command: [sleep, '600'],
                       resources: {limits: {nvidia.com/gpu: 4}}}
            """);
    kubernetes.kubectl("wait", "--for=condition=Ready", "pod/holds", "--timeout=60s");
    look = account("ringmaster", "look");
  }

  @AfterAll
  void down() {
    if (kubernetes != null) {
      kubernetes.close();
    }
  }

  private static String pod(String name, String spec, int gpus) {
    return """
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      %s
      restartPolicy: Never
      containers:
        - {name: main, image: 'testbed.local/busybox:1', command: [sleep, '600'],
           resources: {limits: {nvidia.com/gpu: %d}}}
    """
        .formatted(name, spec, gpus);
  }

  /** A kubeconfig of a service account. */
  private Path account(String namespace, String name) throws IOException {
    String secret =
        kubernetes.kubectl("-n", namespace, "get", "sa", name, "-o", "jsonpath={.secrets[0].name}");
    String token =
        kubernetes.kubectl(
            "-n", namespace, "get", "secret", secret, "-o", "jsonpath={.data.token}");
    String text =
        Files.readString(kubernetes.kubeconfig())
            .replaceFirst(
                "token: [0-9a-f]+",
                "token: "
                    + new String(
                        Base64.getDecoder().decode(token.strip()), StandardCharsets.UTF_8));
    return Files.writeString(dir.resolve(name + ".kubeconfig"), text);
  }

  private ProcessBuilder ringmaster(Path kubeconfig, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    return builder;
  }

  private String said(Path kubeconfig, int status, String... words) throws Exception {
    Path out = Files.createTempFile(dir, "advise", ".out");
    Process process = ringmaster(kubeconfig, words).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(out).replaceAll("\\s+", " ");
    assertThat(process.exitValue()).as(said).isEqualTo(status);
    return said;
  }

  @Test
  void whoMayLookIsToldWhenAndWhy() throws Exception {
    String jobs =
        said(look, 0, "advise", "--from", "kubernetes", "default/two-whole", "default/elsewhere");
    assertThat(jobs)
        .contains("Job default/two-whole of default")
        .contains("it needs 2 whole servers with 4 GPUs each; 5 are free, on 2 servers")
        .contains("1 of them with room for 4 GPUs of it")
        .contains("most likely when job default/holds (3 GPUs) ends")
        .contains("no node that takes pods is what it asks for (gpu=h100)")
        .containsPattern("This look cost the API server 3 lists, [0-9]+ objects, [0-9,]+ ms");
  }

  @Test
  void whoMayNotLookIsToldWhatIsMissing() throws Exception {
    Path other = account("default", "default");
    assertThat(said(other, 2, "advise", "--from", "kubernetes"))
        .startsWith("ringmaster: Kubernetes: nodes is forbidden")
        .contains("looking needs the right to list nodes and pods of all namespaces");
    assertThat(said(look, 2, "advise", "--from", "kubernetes", "--set", "context=other"))
        .contains("no context 'other' in the kubeconfig");
    Path spoilt = Files.writeString(dir.resolve("spoilt"), "clusters: [{");
    assertThat(said(spoilt, 2, "advise", "--from", "kubernetes"))
        .startsWith("ringmaster: the kubeconfig cannot be read: ");
  }

  @Test
  void aServerThatLooksIsToldOfChanges() throws Exception {
    Path out = Files.createTempFile(dir, "serve", ".out");
    Process server =
        ringmaster(
                look, "serve", "--engine", "kubernetes", "--read-only", "--listen", "127.0.0.1:0")
            .redirectOutput(out.toFile())
            .start();
    try {
      String address = awaited(out, Pattern.compile("(http://[^ :]+:[0-9]+)"));
      awaitQueue(address, "\"default/two-whole\"");
      kubernetes.apply(pod("late", "schedulerName: nobody", 2));
      String queue = awaitQueue(address, "\"default/late\"");
      // All watches break, and whatever is missed meanwhile is found by the next lists.
      kubernetes.cluster("kill", "kube-apiserver");
      kubernetes.cluster("start", "kube-apiserver");
      kubernetes.apply(pod("later", "schedulerName: nobody", 1));
      awaitQueue(address, "\"default/later\"");
      assertThat(queue)
          .contains("\"scheduler\":\"kubernetes\"")
          .contains("{\"id\":\"default/holds\",\"user\":\"default\",\"gpus\":3,")
          .contains("3 watches that told of");
    } finally {
      server.destroy();
      assertThat(server.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private static String awaited(Path file, Pattern pattern) throws Exception {
    for (long end = System.nanoTime() + LIMIT.toNanos(); System.nanoTime() < end; ) {
      Matcher matcher = pattern.matcher(Files.readString(file));
      if (matcher.find()) {
        return matcher.group(1);
      }
      Thread.sleep(200);
    }
    throw new AssertionError("no " + pattern + " in: " + Files.readString(file));
  }

  private static String awaitQueue(String address, String text) throws Exception {
    String last = "";
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/api/v1/queue")).build();
      for (long end = System.nanoTime() + LIMIT.toNanos(); System.nanoTime() < end; ) {
        last = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        if (last.contains(text)) {
          return last;
        }
        Thread.sleep(500);
      }
    }
    throw new AssertionError("no " + text + " in: " + last);
  }
}
