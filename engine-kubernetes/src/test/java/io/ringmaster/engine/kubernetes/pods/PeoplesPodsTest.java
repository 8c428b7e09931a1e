package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** Pods that people make themselves, in a real Kubernetes, with the rights of the examples. */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PeoplesPodsTest {
  private static final String NAMESPACE = "team-a";
  private static final String SECRET = "jsonpath={.secrets[0].name}";
  private static final String WAIT = "trap 'exit 5' TERM; while :; do sleep 1; done";

  private PodStage stage;
  private Path folder;
  private @Nullable Engine engine;
  private int number;
  private long order;

  @BeforeAll
  void up() throws IOException {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    stage = new PodStage();
    stage.testbed.kubectl("create", "namespace", NAMESPACE);
    for (String file : List.of("kubernetes-run.yaml", "kubernetes-pods.yaml")) {
      stage.testbed.kubectl(
          "apply", "-f", Path.of("../docs/examples", file).toAbsolutePath().toString());
    }
    // A kind of jobs whose pods nobody makes here but the test.
    stage.testbed.apply(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: mpijobs.kubeflow.org}
        spec:
          group: kubeflow.org
          scope: Namespaced
          names: {kind: MPIJob, plural: mpijobs, singular: mpijob}
          versions:
            - name: v2beta1
              served: true
              storage: true
              schema:
                openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """);
    stage.testbed.kubectl(
        "wait", "--for=condition=Established", "crd/mpijobs.kubeflow.org", "--timeout=120s");
    stage.await("a token", () -> !account("get", "sa", "run", "-o", SECRET).isBlank());
    String token =
        account(
                "get",
                "secret",
                account("get", "sa", "run", "-o", SECRET),
                "-o",
                "jsonpath={.data.token}")
            .strip();
    String text =
        Files.readString(stage.testbed.kubeconfig())
            .replaceFirst(
                "token: [0-9a-f]+",
                "token: " + new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8));
    Path file = Files.writeString(stage.testbed.folder().resolve("run.kubeconfig"), text);
    System.setProperty("kubeconfig", file.toString());
    stage.await(
        "the namespace's account", () -> kubectl("get", "sa", "-o", "name").contains("default"));
  }

  private String account(String... words) {
    return in("ringmaster", words);
  }

  private String kubectl(String... words) {
    return in(NAMESPACE, words);
  }

  private String in(String namespace, String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "-n";
    all[1] = namespace;
    System.arraycopy(words, 0, all, 2, words.length);
    return stage.testbed.kubectl(all);
  }

  @AfterAll
  void down() {
    if (stage != null) {
      stage.close();
    }
  }

  @BeforeEach
  void open() throws IOException {
    folder = stage.folder();
    reopen();
  }

  private Engine reopen() throws IOException {
    close();
    Engine opened =
        KubernetesEngine.KIND.open(
            stage.setup(folder, Map.of("bind-pods", NAMESPACE, "namespace", "ringmaster")));
    engine = opened;
    return opened;
  }

  @AfterEach
  void clear() {
    kubectl("delete", "jobs,poddisruptionbudgets", "--all", "--wait=false");
    kubectl("delete", "pods", "--all", "--force", "--grace-period=0");
    stage.await("no pods", () -> kubectl("get", "pods", "-o", "name").isBlank());
    close();
  }

  private void close() {
    Engine present = engine;
    if (present != null) {
      present.close();
      engine = null;
    }
  }

  private Engine engine() {
    Engine present = engine;
    if (present == null) {
      throw new IllegalStateException("no engine");
    }
    return present;
  }

  private void job(String name, int pods, int gpus, String script, String annotations) {
    stage.testbed.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %1$s, namespace: team-a}
        spec:
          parallelism: %2$d
          completions: %2$d
          backoffLimit: 0
          template:
            metadata: {labels: {gang: %1$s}, annotations: {%5$s}}
            spec:
              schedulerName: ringmaster
              restartPolicy: Never
              terminationGracePeriodSeconds: 5
              containers:
                - name: main
                  image: 'testbed.local/busybox:1'
                  command: [sh, -c, "%4$s"]
                  resources: {limits: {nvidia.com/gpu: %3$d}}
        """
            .formatted(name, pods, gpus, script, annotations));
  }

  private Snapshot observed() {
    try {
      return engine().observe();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable Arrival told(String name) {
    return observed().arrivals().stream()
        .filter(each -> each.spec().name().equals(name))
        .findAny()
        .orElse(null);
  }

  private Arrival ready(String name) {
    stage.await(
        name + " is there",
        () -> {
          Arrival told = told(name);
          return told != null && told.state() == Arrival.State.READY;
        });
    Arrival told = told(name);
    if (told == null) {
      throw new AssertionError(name + " is gone again");
    }
    return told;
  }

  private AttemptId launch(Arrival arrival, String on) throws IOException {
    AttemptId attempt = new AttemptId(1, ++number);
    engine()
        .launch(
            ++order,
            new Launch(
                attempt, arrival.user(), arrival.spec(), Allocation.of(on), arrival.id(), 1));
    return attempt;
  }

  private Status.Phase phase(AttemptId attempt) {
    return phase(engine(), attempt);
  }

  private static Status.Phase phase(Engine of, AttemptId attempt) {
    try {
      return of.observe().attempts().stream()
          .filter(status -> status.attempt().equals(attempt))
          .findAny()
          .orElseThrow()
          .phase();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Status.Phase end(AttemptId attempt) {
    stage.await("the end of " + attempt, () -> phase(attempt).isEnd());
    return phase(attempt);
  }

  private void awaitRunning(AttemptId attempt) {
    stage.await(
        attempt + " runs",
        () -> {
          Status.Phase now = phase(attempt);
          assertThat(now.isEnd()).as("%s is %s", attempt, now).isFalse();
          return now.equals(new Status.Running());
        });
  }

  private String nodes(String gang) {
    return kubectl(
        "get",
        "pods",
        "-l",
        "gang=" + gang,
        "--field-selector=status.phase!=Failed",
        "-o",
        "jsonpath={.items[*].spec.nodeName}");
  }

  @Test
  void aJobIsOneGangThatIsBoundAtOnceAndDoneOnce() throws IOException {
    job("twins", 2, 3, "sleep 1", "ringmaster.io/duration: 2m");
    Arrival arrival = ready("twins");
    assertThat(arrival.user()).isEqualTo(NAMESPACE);
    assertThat(arrival.spec().gpus()).isEqualTo(6);
    assertThat(arrival.spec().pieceGpus()).isEqualTo(3);
    assertThat(arrival.spec().durationSeconds()).isEqualTo(120);
    assertThat(arrival.spec().resumable()).isFalse();
    AttemptId attempt = launch(arrival, "n1:3,n2:3");
    assertThat(end(attempt)).isEqualTo(new Status.Exited(0, false));
    assertThat(nodes("twins").split(" ")).containsExactlyInAnyOrder("n1", "n2");
    engine().forget(++order, attempt);
    stage.await("it is told no more", () -> told("twins") == null);
  }

  @Test
  void whatIsStoppedIsEvictedAndItsNextPodsAreTheNextAttempt() throws IOException {
    job("again", 2, 1, WAIT, "ringmaster.io/resumable: 'true', ringmaster.io/gpus-min: '1'");
    Arrival arrival = ready("again");
    assertThat(arrival.spec().resumable()).isTrue();
    assertThat(arrival.spec().minGpus()).isEqualTo(1);
    AttemptId first = launch(arrival, "n1:2");
    awaitRunning(first);
    assertThat(observed().nodes()).extracting(node -> node.others().gpus()).containsOnly(0);
    reopen();
    assertThat(phase(first)).isEqualTo(new Status.Running());
    engine().stop(first, 5);
    assertThat(end(first)).isInstanceOf(Status.Exited.class);
    Arrival same = ready("again");
    assertThat(same.id()).isEqualTo(arrival.id());
    AttemptId second = launch(same, "n2:2");
    awaitRunning(second);
    stage.await("the first pods are gone", () -> nodes("again").equals("n2 n2"));
  }

  @Test
  void aBudgetIsRespectedUntilItAllows() throws IOException {
    stage.testbed.apply(
        """
        apiVersion: policy/v1beta1
        kind: PodDisruptionBudget
        metadata: {name: keep, namespace: team-a}
        spec: {minAvailable: 1, selector: {matchLabels: {gang: kept}}}
        """);
    job("kept", 1, 1, WAIT, "ringmaster.io/resumable: 'true'");
    AttemptId attempt = launch(ready("kept"), "n1:1");
    awaitRunning(attempt);
    stage.await(
        "the budget knows it",
        () -> kubectl("get", "pdb", "keep", "-o", "jsonpath={.status.currentHealthy}").equals("1"));
    engine().stop(attempt, 1);
    PodStage.pause(3000);
    assertThat(phase(attempt)).isEqualTo(new Status.Running());
    kubectl("delete", "pdb", "keep");
    assertThat(end(attempt)).isInstanceOf(Status.Exited.class);
  }

  @Test
  void onePodThatFailsEndsTheGangAndItsOwnerSaysWhatThatMeans() throws IOException {
    job("fails", 2, 1, "case $HOSTNAME in *) sleep 2; exit 7;; esac", "");
    AttemptId attempt = launch(ready("fails"), "n1:1,n2:1");
    assertThat(end(attempt))
        .isInstanceOfSatisfying(
            Status.Exited.class,
            exited -> {
              assertThat(exited.code()).as("%s", exited).isEqualTo(7);
              assertThat(exited.stopped()).isFalse();
              assertThat(exited.why()).contains("ended with code 7");
            });
  }

  @Test
  void whatSomebodyBindsFirstIsNotTakenAndNothingOfTheGangStays() throws IOException {
    job("raced", 2, 1, WAIT, "");
    Arrival arrival = ready("raced");
    List<String> pods =
        kubectl("get", "pods", "-l", "gang=raced", "-o", "name").lines().sorted().toList();
    String taken = pods.getLast().replace("pod/", "");
    new Api(stage.kubernetes(), NAMESPACE, "nvidia.com/gpu").bind(taken, "n2");
    AttemptId attempt = launch(arrival, "n1:2");
    assertThat(end(attempt))
        .isInstanceOfSatisfying(
            Status.Exited.class, exited -> assertThat(exited.stopped()).isTrue());
    assertThat(nodes("raced")).doesNotContain("n1");
  }

  @Test
  void whereAPodMayGoIsAMarkOfNodesAndWhatIsNotKnownIsLeftAlone() throws IOException {
    stage.testbed.kubectl("label", "node", "n2", "pool=b", "--overwrite");
    stage.testbed.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: picky, namespace: team-a, labels: {gang: picky}}
        spec:
          schedulerName: ringmaster
          nodeSelector: {pool: b}
          containers:
            - {name: main, image: 'testbed.local/busybox:1', command: ['true'],
               resources: {limits: {nvidia.com/gpu: 1}}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: tied, namespace: team-a}
        spec:
          schedulerName: ringmaster
          volumes: [{name: data, persistentVolumeClaim: {claimName: nowhere}}]
          containers:
            - {name: main, image: 'testbed.local/busybox:1', command: ['true'],
               resources: {limits: {nvidia.com/gpu: 1}}}
        """);
    Arrival picky = ready("picky");
    String mark = Node.MARK + picky.spec().nodesMarked();
    stage.await(
        "marks",
        () -> observed().nodes().stream().anyMatch(node -> node.labels().containsKey(mark)));
    assertThat(observed().nodes().stream().filter(node -> node.labels().containsKey(mark)))
        .extracting(Node::name)
        .containsExactly("n2");
    stage.await("tied is seen", () -> told("tied") != null);
    Arrival tied = Objects.requireNonNull(told("tied"));
    assertThat(tied.state()).isEqualTo(Arrival.State.WAITS);
    assertThat(tied.why()).contains("leaves it alone", "nowhere is not bound");
    engine().explain(picky.id(), "job 7: too few GPUs are free", 4e9);
    stage.await(
        "describe answers",
        () ->
            kubectl("describe", "pod", "picky")
                .contains(
                    "job 7: too few GPUs are free; it is expected to start about 2096-10-02"));
    engine().withdraw(picky.id());
    stage.await("it is gone", () -> told("picky") == null);
  }

  @Test
  void twoOfOursWithoutOneAnotherLeaveNoPartOfAGang() throws IOException {
    job("twice", 2, 1, WAIT, "ringmaster.io/resumable: 'true'");
    Arrival arrival = ready("twice");
    Path other = stage.folder();
    try (Engine second =
        KubernetesEngine.KIND.open(
            stage.setup(other, Map.of("bind-pods", NAMESPACE, "namespace", "ringmaster")))) {
      AttemptId theirs = new AttemptId(7, 1);
      stage.await(
          "the other is told",
          () -> {
            try {
              return second.observe().arrivals().stream()
                  .anyMatch(a -> a.id().equals(arrival.id()));
            } catch (IOException e) {
              return false;
            }
          });
      Thread racer =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  second.launch(
                      1,
                      new Launch(
                          theirs,
                          arrival.user(),
                          arrival.spec(),
                          Allocation.of("n2:2"),
                          arrival.id(),
                          1));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      AttemptId ours = launch(arrival, "n1:2");
      racer.join();
      stage.await(
          "at most one of them has it, and whole",
          () -> {
            String on = nodes("twice");
            boolean isOurs = phase(ours).equals(new Status.Running());
            boolean isTheirs = phase(second, theirs).equals(new Status.Running());
            boolean isSettled = isOurs || phase(ours).isEnd();
            boolean areSettled = isTheirs || phase(second, theirs).isEnd();
            return isSettled
                && areSettled
                && (isOurs
                    ? !isTheirs && on.equals("n1 n1")
                    : isTheirs ? on.equals("n2 n2") : on.isBlank());
          });
      second.stop(theirs, 1);
      engine().stop(ours, 1);
      stage.await("both have ended", () -> phase(second, theirs).isEnd() && phase(ours).isEnd());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void mpiPod(String name, String uid, int gpus, String script) {
    stage.testbed.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s
          namespace: team-a
          labels: {gang: pi, training.kubeflow.org/job-name: pi}
          ownerReferences:
            - {apiVersion: kubeflow.org/v2beta1, kind: MPIJob, name: pi, uid: %2$s,
               controller: true}
        spec:
          schedulerName: ringmaster
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers:
            - name: main
              image: 'testbed.local/busybox:1'
              command: [sh, -c, "%4$s"]
              resources: {limits: {nvidia.com/gpu: %3$d}}
        """
            .formatted(name, uid, gpus, script));
  }

  @Test
  void aLauncherThatComesLateGoesBesideItsWorkersAndEndsWithThem() throws IOException {
    stage.testbed.apply(
        """
        apiVersion: kubeflow.org/v2beta1
        kind: MPIJob
        metadata: {name: pi, namespace: team-a}
        spec:
          launcherCreationPolicy: WaitForWorkersReady
          mpiReplicaSpecs:
            Launcher: {replicas: 1, template: {spec: {schedulerName: ringmaster}}}
            Worker: {replicas: 2, template: {spec: {schedulerName: ringmaster}}}
        """);
    try {
      String uid = kubectl("get", "mpijob", "pi", "-o", "jsonpath={.metadata.uid}").strip();
      mpiPod("pi-worker-0", uid, 1, WAIT);
      assertThat(told("pi")).isNull();
      mpiPod("pi-worker-1", uid, 1, WAIT);
      AttemptId attempt = launch(ready("pi"), "n1:1,n2:1");
      awaitRunning(attempt);
      mpiPod("pi-launcher", uid, 0, "sleep 1");
      stage.await(
          "the launcher is done",
          () -> {
            // The plane looks again when pods change; what it sees is tended.
            assertThat(phase(attempt)).isEqualTo(new Status.Running());
            return kubectl("get", "pod", "pi-launcher", "-o", "jsonpath={.status.phase}")
                .equals("Succeeded");
          });
      kubectl("delete", "mpijob", "pi", "--wait=false");
      assertThat(end(attempt).isEnd()).isTrue();
      stage.await("all are gone", () -> nodes("pi").isBlank());
    } finally {
      kubectl("delete", "mpijobs", "--all", "--wait=false");
    }
  }

  /** A few of those that can be run by the hundred: what one finds, its seed finds again. */
  @Test
  void noPartOfAGangStaysWhateverAForeignSchedulerDoes() throws IOException, InterruptedException {
    long seed = 1;
    stage.testbed.kubectl("create", "namespace", GangRounds.NAMESPACE);
    close();
    // With all rights: clients read the file anew now and then, so those there are have them not.
    System.setProperty("kubeconfig", stage.testbed.kubeconfig().toString());
    try (Kubernetes all = Kubernetes.connect("");
        PlayedNodes nodes = new PlayedNodes(all.client(), 8, 4, 40)) {
      Engine opened =
          KubernetesEngine.KIND.open(stage.setup(stage.folder(), GangRounds.settings()));
      engine = opened;
      GangRounds rounds = new GangRounds(all, opened, nodes, seed);
      for (int round = 1; round <= 3 || rounds.whole == 0 || rounds.undone == 0; round++) {
        assertThat(round).as("both ends were seen").isLessThan(50);
        assertThat(rounds.round()).as("round %d of seed %d", round, seed).isEmpty();
      }
    } finally {
      System.setProperty("kubeconfig", stage.testbed.folder().resolve("run.kubeconfig").toString());
    }
  }
}
