package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Manifests as their projects' own examples have them, counted by hand. */
class KubeOwnerTest {
  private static KubeOwner owner(String yaml) {
    Object read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return KubeOwner.of((Map<?, ?>) read, "ringmaster");
  }

  private static String template(String scheduler, int gpus) {
    return "template: {spec: {%s containers: [{name: main, resources: {limits: {%s}}}]}}"
        .formatted(
            scheduler.isEmpty() ? "" : "schedulerName: " + scheduler + ",",
            gpus == 0 ? "cpu: 1" : "nvidia.com/gpu: " + gpus);
  }

  private static String ours(int gpus) {
    return template("ringmaster", gpus);
  }

  private static KubeOwner job(String spec, String status) {
    return owner(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, namespace: team-a, uid: u1}
        spec: {%s, %s}
        status: {%s}
        """
            .formatted(spec, ours(4), status));
  }

  @Test
  void aJobHasItsParallelismOrWhatIsLeft() {
    assertThat(job("parallelism: 4, completions: 4", "").pods()).isEqualTo(4);
    assertThat(job("parallelism: 4, completions: 10", "").pods()).isEqualTo(4);
    assertThat(job("parallelism: 4, completions: 10", "succeeded: 7").pods()).isEqualTo(3);
    assertThat(job("parallelism: 4, completions: 2", "").pods()).isEqualTo(2);
    assertThat(job("parallelism: 3", "").pods()).isEqualTo(3);
    assertThat(job("completions: 1", "").pods()).isEqualTo(1);
    assertThat(job("suspend: true", "").isSuspended()).isTrue();
    KubeOwner failed = job("parallelism: 1", "conditions: [{type: Failed, status: 'True'}]");
    assertThat(failed.hasEnded()).isTrue();
    assertThat(failed.hasSucceeded()).isFalse();
  }

  private static KubeOwner jobSet(String more, String leader, String workers, String dependsOn) {
    return owner(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: set, namespace: team-a, uid: u2}
        spec:
          network: {enableDNSHostnames: true}
          %s
          replicatedJobs:
            - name: leader
              replicas: 1
              template: {spec: {parallelism: 1, completions: 1, %s}}
            - name: workers
              replicas: 3
              %s
              template: {spec: {parallelism: 2, completions: 2, %s}}
        """
            .formatted(more, leader, dependsOn, workers));
  }

  @Test
  void aJobSetHasThePodsOfAllItsJobs() {
    KubeOwner all = jobSet("", ours(0), ours(4), "");
    assertThat(all.pods()).isEqualTo(7);
    assertThat(all.makesGpusLater()).isFalse();
  }

  @Test
  void podsThatAnotherSchedulerBindsAreNotWaitedFor() {
    assertThat(jobSet("", template("", 0), ours(4), "").pods()).isEqualTo(6);
    assertThat(jobSet("", template("default-scheduler", 0), ours(4), "").pods()).isEqualTo(6);
    assertThat(jobSet("", template("", 0), template("", 4), "").pods()).isEqualTo(7);
  }

  @Test
  void jobsOfASetThatComeLaterAreNotWaitedForAndToldIfTheyHaveGpus() {
    String inOrder = "startupPolicy: {startupPolicyOrder: InOrder}";
    assertThat(jobSet(inOrder, ours(4), ours(0), ""))
        .returns(1, KubeOwner::pods)
        .returns(false, KubeOwner::makesGpusLater);
    assertThat(jobSet(inOrder, ours(4), ours(4), ""))
        .returns(1, KubeOwner::pods)
        .returns(true, KubeOwner::makesGpusLater);
    String after = "dependsOn: [{name: leader, status: Complete}]";
    assertThat(jobSet("", ours(0), ours(4), after))
        .returns(1, KubeOwner::pods)
        .returns(true, KubeOwner::makesGpusLater);
    // The first is somebody else's: ours come together.
    assertThat(jobSet("", template("", 0), ours(4), after))
        .returns(6, KubeOwner::pods)
        .returns(false, KubeOwner::makesGpusLater);
  }

  @Test
  void aPyTorchJobHasAllReplicas() {
    KubeOwner torch =
        owner(
            """
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata: {name: mnist, namespace: team-a, uid: u3}
            spec:
              runPolicy: {suspend: true}
              pytorchReplicaSpecs:
                Master: {restartPolicy: OnFailure, %1$s}
                Worker: {replicas: 3, restartPolicy: OnFailure, %1$s}
            """
                .formatted(ours(1)));
    assertThat(torch.pods()).isEqualTo(4);
    assertThat(torch.isSuspended()).isTrue();
  }

  private static KubeOwner mpi(String policy) {
    return owner(
        """
        apiVersion: kubeflow.org/v2beta1
        kind: MPIJob
        metadata: {name: pi, namespace: team-a, uid: u4}
        spec:
          slotsPerWorker: 1
          %s
          mpiReplicaSpecs:
            Launcher: {replicas: 1, %s}
            Worker: {replicas: 2, %s}
        """
            .formatted(policy, ours(0), ours(1)));
  }

  @Test
  void anMpiJobsLauncherIsWaitedForUnlessItComesLate() {
    assertThat(mpi("").pods()).isEqualTo(3);
    assertThat(mpi("launcherCreationPolicy: AtStartup").pods()).isEqualTo(3);
    assertThat(mpi("launcherCreationPolicy: WaitForWorkersReady"))
        .returns(2, KubeOwner::pods)
        .returns(false, KubeOwner::makesGpusLater);
  }

  @Test
  void aTrainJobLeavesItToItsJobSet() {
    KubeOwner train =
        owner(
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: llm, namespace: team-a, uid: u5}
            spec:
              runtimeRef: {name: torch-distributed}
              trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}
            """);
    assertThat(train.pods()).isZero();
    KubeOwner set =
        owner(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: llm
              namespace: team-a
              uid: u6
              ownerReferences:
                - {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: llm, uid: u5,
                   controller: true, blockOwnerDeletion: true}
            spec:
              replicatedJobs:
                - {name: dataset-initializer, replicas: 1, template: {spec: {%s}}}
                - name: node
                  replicas: 1
                  dependsOn: [{name: dataset-initializer, status: Complete}]
                  template: {spec: {parallelism: 2, completions: 2, %s}}
            """
                .formatted(template("", 0), ours(4)));
    assertThat(set.maker()).isEqualTo("u5");
    assertThat(set.pods()).isEqualTo(2);
    assertThat(set.makesGpusLater()).isFalse();
  }

  @Test
  void aJobOfVolcanoNamesTheSchedulerOnce() {
    KubeOwner volcano =
        owner(
            """
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: tf, namespace: team-a, uid: u7}
            spec:
              minAvailable: 2
              schedulerName: ringmaster
              tasks:
                - {replicas: 1, name: ps, %1$s}
                - {replicas: 2, name: worker, %1$s}
                - {replicas: 1, name: report, dependsOn: {name: [worker]}, %1$s}
            """
                .formatted(template("", 0)));
    assertThat(volcano.pods()).isEqualTo(3);
    assertThat(volcano.makesGpusLater()).isFalse();
  }

  @Test
  void whatAJobIsMadeByCountsOnlyIfThatMakesGangsToo() {
    String job =
        """
        kind: Job
        metadata:
          name: nightly-1
          namespace: team-a
          uid: u8
          ownerReferences: [{kind: CronJob, name: nightly, uid: u9, controller: true}]
        spec: {template: {spec: {containers: [{name: main}]}}}
        """;
    assertThat(owner(job).maker()).isEmpty();
    assertThat(owner(job.replace("kind: CronJob", "kind: JobSet")).maker()).isEqualTo("u9");
  }

  @Test
  void whatMakesNoPodsIsRefused() {
    assertThatThrownBy(() -> owner("{kind: ConfigMap, metadata: {name: a, uid: b}}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an owner of pods is neither a pod nor a job");
  }
}
