package io.ringmaster.workload.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A pod, or a job that makes pods. Times are in seconds since 1970, or {@link SlurmTime#UNKNOWN}.
 *
 * @param gang what the pods of one job have in common
 * @param gangName the name of the job; of a pod on its own the pod's
 * @param stem a name that recurring jobs have in common, but for digits at its end
 * @param succeeded whether it ended well
 */
record KubeItem(
    Path file,
    long line,
    boolean pod,
    String uid,
    String namespace,
    String gang,
    String gangName,
    String stem,
    long createdSeconds,
    long startSeconds,
    long endSeconds,
    boolean ended,
    boolean succeeded,
    KubeResources resources,
    String node) {

  /** Jobs of these make pods that belong together, but own some through another object. */
  private static final List<String> LABELS =
      List.of(
          "training.kubeflow.org/job-name",
          "jobset.sigs.k8s.io/jobset-name",
          "volcano.sh/job-name");

  private static final List<String> BATCH_LABELS =
      List.of("batch.kubernetes.io/job-name", "job-name");

  /** Owners whose pods are not a gang: each serves, or keeps a node, on its own. */
  private static final Set<String> SERVICES =
      Set.of("ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Node", "Workflow");

  private static final Set<String> ENDS = Set.of("Complete", "Completed", "Succeeded", "Failed");

  static KubeItem of(JsonItems item, Path file, long line) {
    String kind = item.text("kind");
    // The items of a PodList name no kind.
    boolean pod = kind.isEmpty() && !item.objects("spec", "containers").isEmpty();
    if (kind.equals("Pod") || pod) {
      return pod(item, file, line);
    }
    if (isJob(kind)) {
      return job(item, file, line);
    }
    throw new Unusable("is neither a pod nor a job");
  }

  /** Whether what is of this kind makes pods that belong together. */
  static boolean isJob(String kind) {
    return kind.equals("JobSet") || (kind.endsWith("Job") && !kind.equals("CronJob"));
  }

  /** What the pods of a job of this name are known by, if not by the job's uid. */
  static String byName(String namespace, String name) {
    return namespace + '/' + name;
  }

  private static KubeItem pod(JsonItems pod, Path file, long line) {
    String namespace = pod.text("metadata", "namespace");
    String name = pod.text("metadata", "name");
    String uid = required(pod, "uid");
    String phase = pod.text("status", "phase");
    boolean ended = phase.equals("Succeeded") || phase.equals("Failed");
    String gang = uid;
    String gangName = name;
    String generated = pod.text("metadata", "generateName");
    String stem = generated.isEmpty() ? name : generated;
    String label = label(pod, LABELS);
    JsonItems owner = owner(pod);
    if (!label.isEmpty()) {
      gang = byName(namespace, label);
      gangName = label;
      stem = label;
    } else if (!owner.text("uid").isEmpty()) {
      gang = owner.text("uid");
      gangName = owner.text("name");
      stem = gangName;
    } else if (!label(pod, BATCH_LABELS).isEmpty()) {
      gangName = label(pod, BATCH_LABELS);
      gang = byName(namespace, gangName);
      stem = gangName;
    }
    return new KubeItem(
        file,
        line,
        true,
        uid,
        namespace,
        gang,
        gangName,
        stem,
        time(pod, "metadata", "creationTimestamp"),
        podStart(pod),
        ended ? podEnd(pod) : SlurmTime.UNKNOWN,
        ended,
        phase.equals("Succeeded"),
        KubeResources.ofPod(pod.object("spec")),
        pod.text("spec", "nodeName"));
  }

  private static String required(JsonItems item, String name) {
    String text = item.text("metadata", name);
    if (text.isEmpty()) {
      throw new Unusable("has no metadata." + name);
    }
    return text;
  }

  private static String label(JsonItems item, List<String> names) {
    return names.stream()
        .map(name -> item.text("metadata", "labels", name))
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The owner that makes a gang of its pods; empty if there is none. */
  private static JsonItems owner(JsonItems pod) {
    return pod.objects("metadata", "ownerReferences").stream()
        .filter(o -> !o.text("controller").equals("false"))
        .filter(o -> !SERVICES.contains(o.text("kind")))
        .findFirst()
        .orElse(pod.object("no owner"));
  }

  /** A pod holds its GPUs from when its node took it, while images are still pulled. */
  private static long podStart(JsonItems pod) {
    long start = time(pod, "status", "startTime");
    if (start != SlurmTime.UNKNOWN) {
      return start;
    }
    long earliest = Long.MAX_VALUE;
    for (JsonItems status : pod.objects("status", "containerStatuses")) {
      for (String state : List.of("running", "terminated")) {
        long at = time(status, "state", state, "startedAt");
        earliest = at == SlurmTime.UNKNOWN ? earliest : Math.min(earliest, at);
      }
    }
    return earliest == Long.MAX_VALUE ? SlurmTime.UNKNOWN : earliest;
  }

  /**
   * When the last container ended. A pod that was evicted may tell of none: then its last change.
   */
  private static long podEnd(JsonItems pod) {
    long end = SlurmTime.UNKNOWN;
    for (JsonItems status : pod.objects("status", "containerStatuses")) {
      end = Math.max(end, time(status, "state", "terminated", "finishedAt"));
    }
    if (end == SlurmTime.UNKNOWN) {
      for (JsonItems condition : pod.objects("status", "conditions")) {
        end = Math.max(end, time(condition, "lastTransitionTime"));
      }
    }
    return end;
  }

  /** A batch/v1 Job, a set of them, or one of the training operator or Volcano. */
  private static KubeItem job(JsonItems job, Path file, long line) {
    String namespace = job.text("metadata", "namespace");
    String name = required(job, "name");
    String label = label(job, LABELS);
    long end = time(job, "status", "completionTime");
    boolean ended = end != SlurmTime.UNKNOWN;
    boolean failed = false;
    for (JsonItems condition : job.objects("status", "conditions")) {
      if (ENDS.contains(condition.text("type")) && condition.text("status").equals("True")) {
        end = ended ? end : time(condition, "lastTransitionTime");
        ended = true;
        failed |= condition.text("type").equals("Failed");
      }
    }
    return new KubeItem(
        file,
        line,
        false,
        required(job, "uid"),
        namespace,
        byName(namespace, label.isEmpty() ? name : label),
        name,
        name,
        time(job, "metadata", "creationTimestamp"),
        time(job, "status", "startTime"),
        end,
        ended,
        ended && !failed,
        template(job.object("spec")),
        "");
  }

  /** What each kind of pod of a job is made of. */
  static List<JsonItems> podSpecs(JsonItems spec) {
    List<JsonItems> specs = new ArrayList<>();
    if (!spec.object("template").members().isEmpty()) {
      specs.add(spec.object("template", "spec"));
    }
    spec.objects("replicatedJobs")
        .forEach(jobs -> specs.add(jobs.object("template", "spec", "template", "spec")));
    spec.objects("tasks").forEach(task -> specs.add(task.object("template", "spec")));
    for (String name : spec.members().keySet()) {
      if (name.endsWith("ReplicaSpecs")) {
        for (String role : spec.object(name).members().keySet()) {
          specs.add(spec.object(name, role, "template", "spec"));
        }
      }
    }
    return specs;
  }

  /** What the pods of a job hold at once, by what it asks for. */
  private static KubeResources template(JsonItems spec) {
    return KubeSort.of(spec).stream()
        .map(sort -> sort.each().times(sort.count()))
        .reduce(KubeResources.NOTHING, KubeResources::plus);
  }

  private static long time(JsonItems from, String... path) {
    try {
      return SlurmTime.ofInstant(from.text(path));
    } catch (IllegalArgumentException e) {
      throw new Unusable("has a time that is none such as 2026-11-02T10:00:00Z");
    }
  }
}
