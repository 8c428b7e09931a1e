package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubectlTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/pods.json");

  @TempDir Path dir;

  private RecordedTrace read(String... items) {
    return RecordedTrace.of(Kubectl.FORMAT, Map.of(), dir, list(items));
  }

  private static String list(String... items) {
    return "{\"apiVersion\": \"v1\", \"items\": [%s], \"kind\": \"List\", \"metadata\": {}}"
        .formatted(String.join(",\n", items));
  }

  /** A moment so many seconds after ten o'clock. */
  private static String at(int seconds) {
    return "2026-11-02T10:%02d:%02dZ".formatted(seconds / 60, seconds % 60);
  }

  /** Seconds since 1970 of ten o'clock on 2 November 2026. */
  private static final double TEN = 1793613600;

  private static String pod(String name, String more, int created, int start, int end, int gpus) {
    return """
    {"kind": "Pod", "metadata": {"name": "%s", "uid": "uid-%s", "namespace": "vision",
       "creationTimestamp": "%s"%s},
     "spec": {"nodeName": "node-1", "containers": [
       {"name": "main", "resources": {"limits": {"nvidia.com/gpu": "%d", "cpu": "4", "memory": "8Gi"}}},
       {"name": "logs", "resources": {"requests": {"cpu": "500m"}}}]},
     "status": {"phase": "Succeeded", "startTime": "%s", "containerStatuses": [
       {"state": {"terminated": {"startedAt": "%s", "finishedAt": "%s"}}}]}}
    """
        .formatted(name, name, at(created), more, gpus, at(start), at(start + 1), at(end));
  }

  private static String owned(String kind, String name) {
    return ", \"ownerReferences\": [{\"kind\": \"%s\", \"name\": \"%s\", \"uid\": \"uid-%s\","
            .formatted(kind, name, name)
        + " \"controller\": true}]";
  }

  private static String labelled(String label, String value) {
    return ", \"labels\": {\"%s\": \"%s\"}".formatted(label, value);
  }

  private static String batchJob(String name, int created, int start, int end) {
    return """
    {"kind": "Job", "metadata": {"name": "%s", "uid": "uid-%s", "namespace": "vision",
       "creationTimestamp": "%s"},
     "spec": {"parallelism": 2, "completions": 3, "template": {"spec": {"containers": [
       {"resources": {"limits": {"amd.com/gpu": 4}}}]}}},
     "status": {"startTime": "%s", "completionTime": "%s",
       "conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": "%s"}]}}
    """
        .formatted(name, name, at(created), at(start), at(end), at(end));
  }

  @Test
  void aPodOnItsOwn() {
    RecordedTrace trace = read(pod("train-17", "", 0, 60, 660, 2));
    assertThat(trace.jobs)
        .containsExactly(
            TraceJob.of("vision/train-17", TEN, 2, 600)
                .waited(60)
                .by("vision", "train-")
                .taking(2.25, 4.0 * (1 << 30)));
    assertThat(trace.servers).isEqualTo(Map.of("node-1", 2));
  }

  @Test
  void podsOfOneJobAreOneGang() {
    String own = owned("Job", "bert-3");
    RecordedTrace trace =
        read(
            pod("a", own, 30, 60, 600, 4),
            pod("b", own, 30, 70, 610, 4),
            // It helps, and holds no GPU.
            pod("c", own, 0, 0, 900, 0),
            batchJob("bert-3", 10, 20, 611));
    // Submitted with the job at 10; from 60 to 610.
    assertThat(trace.jobs)
        .containsExactly(
            TraceJob.of("vision/bert-3", TEN + 10, 8, 550)
                .waited(50)
                .by("vision", "bert-")
                .taking(1.125, 2.0 * (1 << 30)));
    assertThat(trace.parts)
        .isEqualTo(Map.of("a job that its pods tell of", 1, "a pod of a job", 2));
  }

  @Test
  void aPodThatTookThePlaceOfAnotherDoesNotCountBesideIt() {
    String own = owned("Job", "retry");
    TraceJob job =
        read(
                pod("a", own, 0, 10, 100, 4).replace("Succeeded", "Failed"),
                pod("b", own, 100, 110, 200, 4),
                pod("c", own, 0, 10, 200, 4))
            .job("vision/retry");
    assertThat(job.gpus()).isEqualTo(8);
    assertThat(job.durationSeconds()).isEqualTo(190);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "training.kubeflow.org/job-name",
        "jobset.sigs.k8s.io/jobset-name",
        "volcano.sh/job-name",
        "batch.kubernetes.io/job-name",
        "job-name"
      })
  void labelsJoinPodsToo(String label) {
    String labels = labelled(label, "gpt");
    RecordedTrace trace = read(pod("a", labels, 0, 1, 9, 1), pod("b", labels, 0, 1, 9, 1));
    assertThat(trace.job("vision/gpt").gpus()).isEqualTo(2);
  }

  @Test
  void podsOfServicesAreOnTheirOwn() {
    String own = owned("ReplicaSet", "web");
    RecordedTrace trace = read(pod("a", own, 0, 1, 9, 1), pod("b", own, 0, 1, 9, 1));
    assertThat(trace.jobs).hasSize(2);
  }

  @Test
  void aJobWithoutPodsCountsAsWhatItAskedFor() {
    RecordedTrace trace = read(batchJob("alone", 0, 30, 90));
    // Two at a time of 4 GPUs each.
    assertThat(trace.jobs.getFirst().gpus()).isEqualTo(8);
    assertThat(trace.jobs.getFirst().durationSeconds()).isEqualTo(60);
    assertThat(trace.servers).isEmpty();
  }

  @Test
  void jobsOfTheTrainingOperator() {
    String job =
        """
        {"kind": "PyTorchJob", "metadata": {"name": "llm", "uid": "u9", "namespace": "text",
           "creationTimestamp": "2026-11-02T10:00:00Z"},
         "spec": {"pytorchReplicaSpecs": {
           "Master": {"replicas": 1, "template": {"spec": {"containers": [
             {"resources": {"limits": {"nvidia.com/gpu": 8}}}]}}},
           "Worker": {"replicas": 3, "template": {"spec": {"containers": [
             {"resources": {"limits": {"nvidia.com/gpu": 8}}}]}}}}},
         "status": {"startTime": "2026-11-02T10:05:00Z", "conditions": [
           {"type": "Created", "status": "True", "lastTransitionTime": "2026-11-02T10:00:00Z"},
           {"type": "Failed", "status": "True", "lastTransitionTime": "2026-11-02T11:05:00Z"}]}}
        """;
    assertThat(read(job).jobs)
        .containsExactly(TraceJob.of("text/llm", TEN, 32, 3600).waited(300).by("text", "llm"));
    assertThat(
            RecordedTrace.of(Kubectl.FORMAT, Map.of("only", "completed"), dir, list(job)).dropped)
        .isEqualTo(Map.of("did not complete", 1));
  }

  @Test
  void whatHasNotEndedIsDropped() {
    String runs =
        pod("r", "", 0, 1, 9, 3)
            .replace("Succeeded", "Running")
            .replace("\"finishedAt\"", "\"other\"");
    String waits =
        pod("w", "", 0, 1, 9, 1).replace("Succeeded", "Pending").replace("start", "other");
    String never = pod("n", "", 0, 1, 9, 1).replace("start", "other");
    RecordedTrace trace =
        read(runs, waits, never, pod("c", "", 0, 1, 9, 0), "{\"kind\": \"Service\"}", "{}");
    assertThat(trace.dropped)
        .isEqualTo(
            Map.of(
                "is still running", 1,
                "is still waiting", 1,
                "never started", 1,
                "asks for no GPU", 1,
                "is neither a pod nor a job", 2));
    assertThat(trace.servers).isEqualTo(Map.of("node-1", 3));
  }

  @Test
  void laterFilesTellMore() throws IOException {
    Path first = dir.resolve("monday.json");
    Path second = dir.resolve("tuesday.json");
    String ended = pod("a", "", 0, 10, 100, 2);
    String cleared = owned("Job", "b");
    String runs = pod("b-1", cleared, 0, 20, 99, 2).replace("Succeeded", "Running");
    Files.writeString(first, list(ended.replace("Succeeded", "Running"), runs));
    Files.writeString(second, list(ended, batchJob("b", 0, 20, 50)));
    for (List<Path> order : List.of(List.of(first, second), List.of(second, first))) {
      RecordedTrace trace = RecordedTrace.of(Kubectl.FORMAT, Map.of(), order.get(0), order.get(1));
      assertThat(trace.job("vision/a").durationSeconds()).isEqualTo(90);
      // Its pod was cleared away when the job ended.
      assertThat(trace.job("vision/b").durationSeconds()).isEqualTo(30);
      assertThat(trace.job("vision/b").gpus()).isEqualTo(2);
      assertThat(trace.parts).isEqualTo(Map.of("seen again", 1, "a job that its pods tell of", 1));
    }
  }

  @Test
  void evictedPodsEndWithTheirLastChange() {
    String evicted =
        """
        {"metadata": {"name": "e", "uid": "e", "namespace": "n",
           "creationTimestamp": "2026-11-02T10:00:00Z", "generateName": "sweep-"},
         "spec": {"containers": [{"resources": {"limits": {"gpu.intel.com/i915": "1"}}}],
           "initContainers": [{"resources": {"limits": {"gpu.intel.com/i915": "2"}}}]},
         "status": {"phase": "Failed", "reason": "Evicted", "startTime": "2026-11-02T10:01:00Z",
           "conditions": [{"type": "Ready", "lastTransitionTime": "2026-11-02T10:03:00Z"}]}}
        """;
    assertThat(read(evicted).jobs)
        .containsExactly(TraceJob.of("n/e", TEN, 2, 120).waited(60).by("n", "sweep-"));
  }

  @Test
  void onlySomeNamespaces() {
    String pods = list(pod("a", "", 0, 1, 9, 1));
    assertThat(RecordedTrace.of(Kubectl.FORMAT, Map.of("namespace", "x,x,vision"), dir, pods).jobs)
        .hasSize(1);
    assertThat(RecordedTrace.of(Kubectl.FORMAT, Map.of("namespace", "x"), dir, pods).dropped)
        .isEqualTo(Map.of("is in another namespace", 1));
  }

  @ParameterizedTest
  @CsvSource({"4,4", "500m,0.5", "2k,2000", "1Ki,1024", "1.5Gi,1610612736", "1e3,1000", "0,0"})
  void quantities(String text, double amount) {
    assertThat(KubeResources.quantity(text)).isEqualTo(amount);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "-1", "4Zi", "1e99", "NaN", "Infinity"})
  void noQuantities(String text) {
    assertThatThrownBy(() -> KubeResources.quantity(text)).isInstanceOf(Unusable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu,true",
    "amd.com/gpu,true",
    "example.org/gpu,true",
    "gpu.intel.com/i915,true",
    "nvidia.com/mig-1g.5gb,false",
    "cpu,false",
    "gpu.intel.com/millicores,false"
  })
  void namesOfGpus(String name, boolean gpu) {
    assertThat(KubeResources.isGpu(name)).isEqualTo(gpu);
  }

  @Test
  void wrongFilesAreNamed() {
    assertThatThrownBy(() -> RecordedTrace.of(Kubectl.FORMAT, Map.of(), dir, "{\"kind\": \"Pod\"}"))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("expected a JSON object with an array \"items\"");
    assertThatThrownBy(() -> RecordedTrace.of(Kubectl.FORMAT, Map.of(), dir, "NAME  READY"))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(":1: not JSON: ");
  }

  @Test
  void damagedFilesAreReadOrRefused() {
    String own = owned("Job", "b");
    String whole =
        list(pod("a", own, 0, 1, 9, 1), pod("b", own, 0, 2, 9, 4), batchJob("b", 0, 1, 9));
    List<String> bits = List.of("{}", "[]", "\"", ",", "null", "-1", "1e99", "x", "9", "\"uid\"");
    Seeds.each(
        150,
        (random, _) -> {
          StringBuilder text = new StringBuilder(whole);
          for (int i = random.nextInt(3); i >= 0; i--) {
            int at = 1 + random.nextInt(text.length() - 1);
            int to = Math.min(text.length(), at + random.nextInt(8));
            text.replace(at, to, bits.get(random.nextInt(bits.size())));
          }
          try {
            RecordedTrace.of(Kubectl.FORMAT, Map.of(), dir, text.toString());
          } catch (BadInput e) {
            assertThat(e).message().doesNotContain("\n");
          }
        });
  }

  /** The example of docs/my-cluster.md. */
  @Test
  void theExampleIsRead() {
    RecordedTrace trace = RecordedTrace.of(Kubectl.FORMAT, Map.of(), EXAMPLE);
    assertThat(trace.jobs.stream().map(TraceJob::id))
        .containsExactly("vision/resnet-7", "text/bert-large-2", "vision/notebook-0");
    assertThat(trace.job("text/bert-large-2").gpus()).isEqualTo(8);
    assertThat(trace.servers).isEqualTo(Map.of("gpu-a", 8, "gpu-b", 4));
  }
}
