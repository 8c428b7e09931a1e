package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.engine.kubernetes.pods.Makers.Group;
import io.ringmaster.workload.trace.KubeOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Gangs of pods and what makes them, as the API tells of both, counted by hand. */
class MakersTest {
  private final Map<String, KubeOwner> owners = new HashMap<>();
  private final Map<String, Group> groups = new HashMap<>();
  private final Makers makers = new Makers(owners, groups);
  private final List<PodSight> pods = new ArrayList<>();

  private void owner(String kind, String name, String maker, String spec) {
    String owner =
        maker.isEmpty()
            ? ""
            : "ownerReferences: [{kind: %s, name: m, uid: u-%s, controller: true}]"
                .formatted(maker.substring(0, maker.indexOf(' ')), maker.replace(' ', '-'));
    GenericKubernetesResource read =
        Serialization.unmarshal(
            """
            apiVersion: any/v1
            kind: %1$s
            metadata: {name: %2$s, namespace: team-a, uid: u-%1$s-%2$s, %3$s}
            spec: {%4$s}
            """
                .formatted(kind, name, owner, spec),
            GenericKubernetesResource.class);
    KubeOwner seen = KubeOwner.of(PlainFields.of(read), Manifests.SCHEDULER);
    owners.put(seen.uid(), seen);
  }

  private void job(String name, String maker, int parallelism) {
    owner(
        "Job",
        name,
        maker,
        "parallelism: %d, template: {spec: {containers: [{name: main}]}}".formatted(parallelism));
  }

  private void group(String name, String spec) {
    GenericKubernetesResource read =
        Serialization.unmarshal(
            "kind: PodGroup\nmetadata: {name: %s}\nspec: {%s}\n".formatted(name, spec),
            GenericKubernetesResource.class);
    groups.put(Theirs.groupKey("team-a", name), Objects.requireNonNull(Group.of(read.get("spec"))));
  }

  /** Some pods of an owner, as in {@code Job train}; empty: nobody makes them. */
  private void pods(int count, String owner, String metadata, String spec) {
    for (int i = 0; i < count; i++) {
      String name = "pod-" + pods.size();
      String made =
          owner.isEmpty()
              ? ""
              : "ownerReferences: [{apiVersion: a/v1, kind: %s, name: %s, uid: u-%s,"
                      .formatted(
                          owner.split(" ", 2)[0], owner.split(" ", 2)[1], owner.replace(' ', '-'))
                  + " controller: true}],";
      pods.add(
          PodSight.of(
              Serialization.unmarshal(
                  """
                  apiVersion: v1
                  kind: Pod
                  metadata: {name: %1$s, namespace: team-a, uid: %1$s, %2$s %3$s
                    creationTimestamp: '2026-11-02T10:00:00Z'}
                  spec:
                    schedulerName: ringmaster
                    %4$s
                    containers:
                      - {name: main, resources: {requests: {nvidia.com/gpu: 1}}}
                  """
                      .formatted(name, made, metadata.isEmpty() ? "" : metadata + ",", spec),
                  Pod.class),
              "nvidia.com/gpu"));
    }
  }

  private Gang only() {
    List<Gang> gangs = makers.gangs(pods);
    assertThat(gangs).hasSize(1);
    return gangs.getFirst();
  }

  @Test
  void aPodAloneIsAGangOfOneAndThoseOfAJobAreOne() {
    pods(1, "", "", "");
    assertThat(only().size()).isEqualTo(1);
    pods.clear();
    job("train", "", 3);
    pods(2, "Job train", "", "");
    assertThat(only()).returns(3, Gang::size).returns("train", Gang::name);
  }

  @Test
  void podsThatAreSeenBeforeTheirOwnerWait() {
    pods(2, "Job train", "", "");
    assertThat(only().size()).isEqualTo(Gang.UNKNOWN);
  }

  @Test
  void theOutermostOwnerCountsAndIsWaitedFor() {
    String label = "labels: {jobset.sigs.k8s.io/jobset-name: set}";
    job("set-workers-0", "JobSet set", 2);
    pods(2, "Job set-workers-0", label, "");
    assertThat(only().size()).isEqualTo(Gang.UNKNOWN);
    owner(
        "JobSet",
        "set",
        "",
        """
        replicatedJobs: [{name: workers, replicas: 2,
          template: {spec: {parallelism: 2, template: {spec: {containers: [{name: main}]}}}}}]\
        """);
    assertThat(only()).returns(4, Gang::size).returns("set", Gang::name);
    assertThat(only().owners()).extracting(KubeOwner::kind).containsExactly("JobSet");
  }

  @Test
  void aTrainJobIsTheOwnerAndItsJobSetCounts() {
    String label = "labels: {jobset.sigs.k8s.io/jobset-name: llm}";
    owner("TrainJob", "llm", "", "trainer: {numNodes: 9}");
    owner(
        "JobSet",
        "llm",
        "TrainJob llm",
        """
        replicatedJobs: [{name: node, replicas: 1,
          template: {spec: {parallelism: 2, template: {spec: {containers: [{name: main}]}}}}}]\
        """);
    job("llm-node-0", "JobSet llm", 2);
    pods(2, "Job llm-node-0", label, "");
    assertThat(only().size()).isEqualTo(2);
    assertThat(only().owners()).extracting(KubeOwner::kind).containsExactly("TrainJob");
  }

  @Test
  void aGroupHoldsPodsOfSeveralJobsTogether() {
    String group = "annotations: {scheduling.k8s.io/group-name: both}";
    job("left", "", 2);
    job("right", "", 1);
    group("both", "minMember: 3");
    pods(2, "Job left", group, "");
    // The other job's pods are still to come.
    assertThat(only().size()).isEqualTo(3);
    pods(1, "Job right", group, "");
    assertThat(only()).returns(3, Gang::size).returns("both", Gang::name);
    assertThat(only().owners()).extracting(KubeOwner::name).containsExactly("left", "right");
  }

  @Test
  void aGroupThatCouldStartWithFewerWaitsForAllAndSaysSo() {
    job("tf", "", 4);
    group("podgroup-tf", "minMember: 2");
    pods(
        4,
        "Job tf",
        "annotations: {scheduling.k8s.io/group-name: podgroup-tf, ringmaster.io/resumable: 'true'}",
        "");
    assertThat(only()).returns(4, Gang::size).returns(2, Gang::least);
    assertThat(only().spec("").minGpus()).isEqualTo(2);
    assertThat(only().spec("").gpus()).isEqualTo(4);
  }

  @Test
  void ofAnOwnerWithSeveralGroupsEachGroupCountsItself() {
    job("split", "", 5);
    group("a", "minMember: 2");
    group("b", "minMember: 3");
    pods(2, "Job split", "labels: {scheduling.x-k8s.io/pod-group: a}", "");
    pods(3, "Job split", "labels: {scheduling.x-k8s.io/pod-group: b}", "");
    assertThat(makers.gangs(pods)).extracting(Gang::size).containsExactly(2, 3);
  }

  @Test
  void groupsOfKubernetesItselfAreKnown() {
    group("ranks", "schedulingPolicy: {gang: {minCount: 2}}");
    pods(2, "", "", "schedulingGroup: {podGroupName: ranks}");
    assertThat(only()).returns(2, Gang::size).returns("ranks", Gang::name);
    groups.clear();
    assertThat(only().size()).isEqualTo(Gang.UNKNOWN);
    group("ranks", "schedulingPolicy: {basic: {}}");
    assertThat(makers.gangs(pods)).extracting(Gang::size).containsExactly(1, 1);
    assertThat(Group.of(Map.of("something", "newer"))).isNull();
  }

  @Test
  void whatPodsSayThemselvesComesFirst() {
    job("train", "", 3);
    pods(
        2,
        "Job train",
        "annotations: {ringmaster.io/gang: mine, ringmaster.io/gang-size: '2',"
            + " scheduling.k8s.io/group-name: other}",
        "");
    assertThat(only()).returns(2, Gang::size).returns("mine", Gang::name);
    pods.clear();
    pods(2, "Job train", "annotations: {ringmaster.io/gang: mine}", "");
    assertThat(only().size()).isEqualTo(Gang.UNKNOWN);
  }
}
