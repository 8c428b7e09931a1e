package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Objects as the API tells them, and what is made of them by hand. */
class KubernetesSiteTest {
  /** Ten o'clock on 2 November 2026, and a minute. */
  private static final double NOW = 1793613660;

  private static final String AT_TEN = "'2026-11-02T10:00:00Z'";

  private final List<Map<?, ?>> objects = new ArrayList<>();

  private void told(String yaml) {
    new Load(LoadSettings.builder().build())
        .loadAllFromString(yaml)
        .forEach(each -> objects.add((Map<?, ?>) each));
  }

  private void node(String name, int gpus, String spec, String ready, String labels) {
    told(
        """
        kind: Node
        metadata: {name: %s, uid: %s, labels: {%s}}
        spec: {%s}
        status:
          allocatable: {nvidia.com/gpu: '%d', cpu: '32', memory: 64Gi}
          conditions: [{type: Ready, status: '%s'}]
        """
            .formatted(name, name, labels, spec, gpus, ready));
  }

  private void nodes() {
    node("n1", 8, "", "True", "gpu: a100");
    node("n2", 8, "", "True", "gpu: h100");
  }

  private void pod(String name, String meta, String spec, int gpus, String status) {
    told(
        """
        kind: Pod
        metadata: {name: %s, uid: %s, namespace: vision, creationTimestamp: %s, %s}
        spec: {%s, containers: [{resources: {limits: {nvidia.com/gpu: '%d'}, requests: {cpu: 4}}}]}
        status: {%s}
        """
            .formatted(name, name, AT_TEN, meta, spec, gpus, status));
  }

  private static String owned(String kind, String name) {
    return "ownerReferences: [{kind: %s, name: %s, uid: uid-%s, controller: true}]"
        .formatted(kind, name, name);
  }

  private void job(String name, int parallel, int gpus, String more) {
    told(
        """
        kind: Job
        metadata: {name: %s, uid: uid-%s, namespace: vision, creationTimestamp: %s}
        spec: {%s, parallelism: %d, completions: %d,
          template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: '%d'}}}]}}}
        """
            .formatted(name, name, AT_TEN, more, parallel, parallel, gpus));
  }

  private KubernetesSite site() {
    return KubernetesSite.of(objects, NOW, Map.of());
  }

  private SeenJob job(String id) {
    return site().jobs().stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void aGangThatRunsInPartHoldsSomeAndWaitsForTheRest() {
    nodes();
    job("bert", 2, 8, "suspend: false");
    String running = "phase: Running, startTime: " + AT_TEN;
    pod("bert-a", owned("Job", "bert"), "nodeName: n1", 8, running);
    pod("bert-b", owned("Job", "bert"), "priority: 7", 8, "phase: Pending");
    SeenJob part = job("vision/bert");
    assertThat(part.state()).isEqualTo(SeenJob.State.RUNNING);
    assertThat(part.gpusByServer()).isEqualTo(Map.of("n1", 8));
    assertThat(part.lengthSeconds()).isEqualTo(60);
    SeenJob rest = job("vision/bert (its rest)");
    assertThat(rest.state()).isEqualTo(SeenJob.State.WAITING);
    assertThat(rest.gpus()).isEqualTo(8);
    assertThat(rest.heldBecause()).isEmpty();
    // Half a CPU of each GPU: what is requested, not what is allowed.
    assertThat(rest.demand().cpus()).isEqualTo(0.5);
    assertThat(rest.demand().where().perServer()).isEqualTo(8);
    assertThat(site().notes())
        .contains("gangs of which some pods run, and hold GPUs, while the others wait: 1");
    assertThat(site().nodes()).extracting(KubeNode::usedGpus).containsExactly(8, 0);
  }

  @Test
  void selectorsAffinityAndTaintsSayWhereAPodMayGo() {
    node("n1", 8, "", "True", "gpu: a100");
    node("n2", 8, "", "True", "gpu: h100");
    node("n3", 8, "taints: [{key: team, value: red, effect: NoSchedule}]", "True", "gpu: h100");
    pod("any", "labels: {}", "priority: 1", 1, "phase: Pending");
    pod("picky", "labels: {}", "nodeSelector: {gpu: h100}", 1, "phase: Pending");
    pod(
        "red",
        "labels: {}",
        "nodeSelector: {gpu: h100}, tolerations: [{key: team, operator: Exists}]",
        1,
        "phase: Pending");
    pod(
        "newer",
        "labels: {}",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: NotIn, values:"
            + " [a100]}]}]}}}",
        1,
        "phase: Pending");
    pod("none", "labels: {}", "nodeSelector: {gpu: b200}", 1, "phase: Pending");
    assertThat(serversOf("vision/any")).containsExactly("n1", "n2");
    assertThat(serversOf("vision/picky")).containsExactly("n2");
    assertThat(serversOf("vision/red")).containsExactly("n2", "n3");
    assertThat(serversOf("vision/newer")).containsExactly("n2");
    assertThat(job("vision/none").heldBecause())
        .isEqualTo("no node that takes pods is what it asks for (gpu=b200)");
  }

  private List<String> serversOf(String id) {
    KubernetesSite site = site();
    return site.cluster().servers().stream()
        .filter(job(id).demand().where()::allows)
        .map(Server::name)
        .toList();
  }

  @Test
  void whatMayNotStartSaysWhy() {
    nodes();
    job("later", 2, 4, "suspend: true");
    pod("gated", "labels: {}", "schedulingGates: [{name: example.com/ready}]", 1, "phase: Pending");
    pod(
        "claim",
        "labels: {}",
        "priority: 0",
        1,
        "phase: Pending, conditions: [{type: PodScheduled, status: 'False', message:"
            + " 'persistentvolumeclaim \"data\" not found'}]");
    assertThat(job("vision/later").heldBecause())
        .isEqualTo("it is suspended (spec.suspend of Job later)");
    assertThat(job("vision/later").gpus()).isEqualTo(8);
    assertThat(job("vision/gated").heldBecause())
        .isEqualTo("its scheduling gate example.com/ready is not lifted");
    assertThat(job("vision/claim").heldBecause())
        .isEqualTo("the scheduler says: persistentvolumeclaim \"data\" not found");
  }

  /** Kueue suspends what waits for its turn, and that is waiting like any other. */
  @Test
  void whatKueueKeepsWaitsWithItsPriority() {
    nodes();
    job("queued", 2, 8, "suspend: true");
    job("off", 1, 8, "suspend: true");
    told(
        """
        kind: Workload
        metadata: {name: w, namespace: vision, uid: w, ownerReferences: [{kind: Job, uid: uid-queued}]}
        spec: {priority: 5, active: true}
        ---
        kind: Workload
        metadata: {name: v, namespace: vision, uid: v, ownerReferences: [{kind: Job, uid: uid-off}]}
        spec: {active: false}
        """);
    SeenJob queued = job("vision/queued");
    assertThat(queued.heldBecause()).isEmpty();
    assertThat(queued.priority()).isEqualTo(5);
    assertThat(queued.gpus()).isEqualTo(16);
    assertThat(queued.demand().where().perServer()).isEqualTo(8);
    assertThat(job("vision/off").heldBecause()).isEqualTo("it is not active in Kueue");
  }

  /** One that may borrow has no quota that it could be above for ever. */
  @Test
  void whatIsAboveAQuotaOfKueueIsHeld() {
    nodes();
    for (String name : List.of("fits", "large", "borrows", "stopped")) {
      job(name, name.equals("fits") ? 1 : 2, 8, "suspend: true");
      told(
          """
          kind: Workload
          metadata: {name: %1$s, namespace: vision, uid: w-%1$s,
            ownerReferences: [{kind: Job, uid: uid-%1$s}]}
          spec: {queueName: %2$s}
          """
              .formatted(name, name.equals("fits") || name.equals("large") ? "small" : name));
    }
    for (String name : List.of("small", "borrows", "stopped")) {
      told(
          """
          kind: LocalQueue
          metadata: {name: %1$s, namespace: vision}
          spec: {clusterQueue: cq-%1$s}
          ---
          kind: ClusterQueue
          metadata: {name: cq-%1$s}
          spec: {cohort: '%2$s', stopPolicy: %3$s, resourceGroups: [{flavors: [
            {resources: [{name: cpu, nominalQuota: 9}, {name: nvidia.com/gpu, nominalQuota: 8}]}]}]}
          """
              .formatted(
                  name,
                  name.equals("borrows") ? "all" : "",
                  name.equals("stopped") ? "Hold" : "None"));
    }
    assertThat(job("vision/fits").heldBecause()).isEmpty();
    assertThat(job("vision/large").heldBecause())
        .isEqualTo("it asks for 16 GPUs, and Kueue's cluster queue cq-small has a quota of 8");
    assertThat(job("vision/borrows").heldBecause()).isEmpty();
    assertThat(job("vision/stopped").heldBecause())
        .isEqualTo("Kueue's cluster queue cq-stopped is stopped");
  }

  @Test
  void aSetOfJobsIsOneGang() {
    nodes();
    told(
        """
        kind: JobSet
        metadata: {name: llm, uid: uid-llm, namespace: vision, creationTimestamp: %s}
        spec:
          replicatedJobs:
            - {name: leader, replicas: 1, template: {spec: {parallelism: 1, template: {spec:
                {containers: [{resources: {limits: {cpu: 1}}}]}}}}}
            - {name: workers, replicas: 2, template: {spec: {parallelism: 2, template: {spec:
                {containers: [{resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}
        ---
        kind: Job
        metadata: {name: llm-workers-0, uid: uid-0, namespace: vision, creationTimestamp: %s,
          labels: {jobset.sigs.k8s.io/jobset-name: llm}}
        spec: {parallelism: 2, template: {spec:
          {containers: [{resources: {limits: {nvidia.com/gpu: 4}}}]}}}
        """
            .formatted(AT_TEN, AT_TEN));
    pod(
        "llm-workers-0-a",
        "labels: {jobset.sigs.k8s.io/jobset-name: llm}",
        "priority: 0",
        4,
        "phase: Pending");
    assertThat(site().jobs()).hasSize(1);
    assertThat(job("vision/llm").gpus()).isEqualTo(16);
    // Two pods may share a node, so nothing is said of how many GPUs are on each.
    assertThat(job("vision/llm").demand().where().perServer()).isZero();
  }

  @Test
  void whatServesStaysAndNodesOutOfServiceAreTold() {
    nodes();
    node("n3", 8, "unschedulable: true", "True", "");
    node("n4", 8, "", "Unknown", "");
    String running = "phase: Running, startTime: " + AT_TEN;
    pod("chat-1", owned("ReplicaSet", "chat"), "nodeName: n1", 3, running);
    pod("logs", owned("DaemonSet", "logs"), "nodeName: n2", 0, running);
    KubernetesSite site = site();
    assertThat(site.jobs()).isEmpty();
    assertThat(site.cluster().servers()).extracting(Server::gpus).containsExactly(5, 8);
    assertThat(site.cluster().servers()).extracting(Server::cpus).containsExactly(28.0, 28.0);
    assertThat(site.notes())
        .contains("2 nodes with 16 GPUs take no pods: n3 (cordoned), n4 (not ready)")
        .contains("3 GPUs are held by services, which are taken to stay");
  }

  @Test
  void withoutGpusThereIsNothingToTell() {
    node("n1", 0, "", "True", "");
    assertThatThrownBy(this::site)
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("none of the 1 nodes tells of a GPU");
  }
}
