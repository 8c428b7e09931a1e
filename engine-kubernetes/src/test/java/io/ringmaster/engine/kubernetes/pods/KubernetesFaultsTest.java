package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** What can go wrong in a real Kubernetes, with an account that has the rights of the example. */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesFaultsTest {
  private static final String NAMESPACE = "ringmaster";
  private static final String SECRET = "jsonpath={.secrets[0].name}";
  private static final String TOKEN = "jsonpath={.data.token}";
  private static final String WAIT = "trap 'exit 5' TERM; while :; do sleep 1; done";

  private PodStage stage;
  private @Nullable Engine engine;

  @BeforeAll
  void up() throws IOException {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    stage = new PodStage();
    stage.testbed.kubectl(
        "apply", "-f", Path.of("../docs/examples/kubernetes-run.yaml").toAbsolutePath().toString());
    stage.await("the account's token", () -> !kubectl("get", "sa", "run", "-o", SECRET).isBlank());
    String token =
        kubectl("get", "secret", kubectl("get", "sa", "run", "-o", SECRET), "-o", TOKEN).strip();
    String text =
        Files.readString(stage.testbed.kubeconfig())
            .replaceFirst(
                "token: [0-9a-f]+",
                "token: " + new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8));
    Path account = Files.writeString(stage.testbed.folder().resolve("run.kubeconfig"), text);
    System.setProperty("kubeconfig", account.toString());
  }

  private String kubectl(String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "-n";
    all[1] = NAMESPACE;
    System.arraycopy(words, 0, all, 2, words.length);
    return stage.testbed.kubectl(all);
  }

  @AfterAll
  void down() {
    if (stage != null) {
      stage.close();
    }
  }

  private Engine open(Map<String, String> more) throws IOException {
    Map<String, String> given = new HashMap<>(more);
    given.put("namespace", NAMESPACE);
    Engine opened = KubernetesEngine.KIND.open(stage.setup(stage.folder(), given));
    engine = opened;
    return opened;
  }

  /** Nothing is left behind, whatever happened. */
  @AfterEach
  void close() throws IOException {
    Engine present = engine;
    if (present != null) {
      long order = 1_000_000;
      for (Status status : present.observe().attempts()) {
        present.stop(status.attempt(), 0);
        end(present, status.attempt());
        present.forget(++order, status.attempt());
      }
      present.close();
      stage.await("no pods", () -> kubectl("get", "pods", "-o", "name").isBlank());
      assertThat(kubectl("get", "secrets", "-l", Manifests.SERVER, "-o", "name")).isBlank();
      engine = null;
    }
  }

  private static Launch launch(AttemptId attempt, String on, String script, String image) {
    Map<String, Object> job = new HashMap<>();
    Allocation allocation = Allocation.of(on);
    job.put("command", List.of("sh", "-c", script));
    job.put("gpus", allocation.workers());
    job.put("grace_s", 10);
    if (!image.isEmpty()) {
      job.put("env", Map.of("RINGMASTER_IMAGE", image));
    }
    return new Launch(attempt, "ada", JobSpecs.of(job), allocation, 1);
  }

  private static Status.Phase phase(Engine engine, AttemptId attempt) {
    try {
      return engine.observe().attempts().stream()
          .filter(status -> status.attempt().equals(attempt))
          .findAny()
          .orElseThrow()
          .phase();
    } catch (IOException e) {
      // Kubernetes is away.
      return new Status.Pending();
    }
  }

  private Status.Phase end(Engine of, AttemptId attempt) {
    stage.await("the end of " + attempt, () -> phase(of, attempt).isEnd());
    return phase(of, attempt);
  }

  private void awaitRunning(Engine of, AttemptId attempt) {
    stage.await(attempt + " runs", () -> phase(of, attempt).equals(new Status.Running()));
  }

  private boolean mayDo(String namespace, String... words) {
    String[] all = new String[words.length + 5];
    System.arraycopy(words, 0, all, 2, words.length);
    all[0] = "auth";
    all[1] = "can-i";
    all[words.length + 2] = "--as=system:serviceaccount:ringmaster:run";
    all[words.length + 3] = "-n";
    all[words.length + 4] = namespace;
    try {
      return stage.testbed.kubectl(all).strip().endsWith("yes");
    } catch (IllegalStateException e) {
      // It says no by its exit code too.
      return false;
    }
  }

  @Test
  void theAccountOfTheExampleMayDoThisAndNoMore() {
    assertThat(mayDo(NAMESPACE, "create", "pods")).isTrue();
    assertThat(mayDo("default", "list", "pods")).isTrue();
    assertThat(mayDo("default", "create", "pods")).isFalse();
    assertThat(mayDo("default", "delete", "pods")).isFalse();
    assertThat(mayDo("default", "get", "secrets")).isFalse();
    assertThat(mayDo(NAMESPACE, "list", "secrets")).isFalse();
    assertThat(mayDo(NAMESPACE, "patch", "pods")).isFalse();
    assertThat(mayDo("default", "patch", "nodes")).isFalse();
    assertThat(mayDo("default", "create", "pods/exec")).isFalse();
  }

  @Test
  void whoRemovesOnePodEndsTheAttempt() throws IOException {
    Engine engine = open(Map.of());
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n1:2,n2:1", WAIT, ""));
    awaitRunning(engine, attempt);
    String pod = kubectl("get", "pods", "-o", "name").lines().toList().getLast();
    kubectl("delete", "--wait=false", pod);
    assertThat(end(engine, attempt))
        .isIn(
            new Status.Exited(5, true, "its pod was asked to end by Kubernetes"),
            new Status.Gone("its pod was removed from Kubernetes"));
  }

  @Test
  void anImageThatCannotBeHadFailsItsJob() throws IOException {
    Engine engine = open(Map.of("image-patience-s", "0"));
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n1:1", "true", "127.0.0.1:1/image:1"));
    assertThat(end(engine, attempt))
        .isInstanceOfSatisfying(
            Status.Exited.class,
            exited -> {
              assertThat(exited.code()).isEqualTo(126);
              assertThat(exited.stopped()).isFalse();
              assertThat(exited.why()).contains("image cannot be had", "127.0.0.1:1/image:1");
            });
  }

  @Test
  void gpusOfOthersAreTheirsAndWhatGoesThereIsGivenBack() throws IOException {
    stage.testbed.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: theirs, namespace: default}
        spec:
          nodeName: n1
          terminationGracePeriodSeconds: 1
          containers:
            - {name: main, image: 'testbed.local/busybox:1', command: [sleep, '600'],
               resources: {limits: {nvidia.com/gpu: 3}}}
        """);
    try {
      stage.testbed.kubectl("wait", "--for=condition=Ready", "pod/theirs", "--timeout=60s");
      Engine engine = open(Map.of());
      assertThat(engine.observe().nodes())
          .extracting(node -> node.others().gpus())
          .containsExactly(3, 0);
      AttemptId attempt = new AttemptId(1, 1);
      engine.launch(1, launch(attempt, "n1:2,n2:1", "true", ""));
      assertThat(end(engine, attempt))
          .isInstanceOfSatisfying(
              Status.Gone.class, gone -> assertThat(gone.why()).contains("nvidia.com/gpu"));
    } finally {
      stage.testbed.kubectl("delete", "pod", "theirs", "--force", "--grace-period=0");
    }
  }

  @Test
  void whatEndsWhileTheApiServerIsAwayIsToldAsItWas() throws IOException {
    Engine engine = open(Map.of());
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n2:1", "sleep 3; exit 7", ""));
    awaitRunning(engine, attempt);
    stage.testbed.cluster("kill", "kube-apiserver");
    PodStage.pause(4000);
    stage.testbed.cluster("start", "kube-apiserver");
    assertThat(end(engine, attempt)).isEqualTo(new Status.Exited(7, false));
  }

  @Test
  void aKubeletThatDiesTakesNothingWithIt() throws IOException {
    Engine engine = open(Map.of());
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n1:1,n2:1", "sleep 5; exit $((RANK * 9))", ""));
    awaitRunning(engine, attempt);
    stage.testbed.cluster("kill", "n1");
    PodStage.pause(5000);
    stage.testbed.cluster("start", "n1");
    assertThat(end(engine, attempt)).isEqualTo(new Status.Exited(9, false));
  }

  @Test
  void whoTakesMoreMemoryThanItAskedForFailsAndIsToldWhy() throws IOException {
    Engine engine = open(Map.of());
    AttemptId attempt = new AttemptId(1, 1);
    Map<String, Object> job = new HashMap<>();
    // What tail keeps of a line that does not end is all of it.
    job.put("command", List.of("sh", "-c", "head -c 400000000 /dev/zero | tail -n 1 >/dev/null"));
    job.put("gpus", 1);
    job.put("memory_gb_per_gpu", 0.05);
    engine.launch(1, new Launch(attempt, "ada", JobSpecs.of(job), Allocation.of("n1:1"), 1));
    Status.Phase end = end(engine, attempt);
    assertThat(end).isInstanceOf(Status.Exited.class);
    assertThat(((Status.Exited) end).code()).as("%s", end).isEqualTo(137);
    assertThat(((Status.Exited) end).stopped()).isFalse();
  }

  @Test
  void whoDrainsANodeEndsItsAttemptsAndClosesIt() throws IOException {
    Engine engine = open(Map.of());
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n1:1,n2:1", WAIT, ""));
    awaitRunning(engine, attempt);
    stage.testbed.kubectl(
        "drain", "n2", "--force", "--ignore-daemonsets", "--delete-emptydir-data");
    try {
      assertThat(end(engine, attempt))
          .isIn(
              new Status.Exited(5, true, "its pod was asked to end by Kubernetes"),
              new Status.Gone("its pod was removed from Kubernetes"));
      assertThat(engine.observe().nodes().getLast().whyClosed()).contains("cordoned");
    } finally {
      stage.testbed.kubectl("uncordon", "n2");
    }
  }

  @Test
  void aNodeThatDiesIsToldAndGivenUpIfSomebodyWantsItSo() throws IOException {
    Engine engine = open(Map.of("lost-s", "1"));
    AttemptId attempt = new AttemptId(1, 1);
    engine.launch(1, launch(attempt, "n1:1,n2:1", WAIT, ""));
    awaitRunning(engine, attempt);
    stage.testbed.cluster("power-off", "n2");
    try {
      assertThat(end(engine, attempt)).isEqualTo(new Status.Gone("node n2 does not answer"));
      Node lost = engine.observe().nodes().getLast();
      assertThat(lost.up()).isFalse();
      assertThat(lost.whyClosed()).contains("not ready");
    } finally {
      stage.testbed.cluster("power-on", "n2");
    }
    stage.await(
        "n2 is back",
        () -> {
          try {
            return engine.observe().nodes().getLast().up();
          } catch (IOException e) {
            return false;
          }
        });
  }
}
