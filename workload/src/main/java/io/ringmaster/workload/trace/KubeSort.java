package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pods of one sort that a job makes.
 *
 * @param each what one of them holds
 * @param count how many there are at once
 * @param scheduler that is to bind them, as far as their template says; else empty
 * @param stage made before those of a greater one; pods of the same are made together
 */
record KubeSort(KubeResources each, long count, String scheduler, int stage) {
  private static final String LATE_LAUNCHER = "WaitForWorkersReady";

  /** All sorts that a job makes. */
  static List<KubeSort> of(JsonItems spec) {
    List<KubeSort> sorts = new ArrayList<>();
    add(spec, 1, 0, sorts);
    return sorts;
  }

  private static void add(JsonItems spec, long times, int stage, List<KubeSort> sorts) {
    if (!spec.object("template").members().isEmpty()) {
      sorts.add(sort(spec, times * parallel(spec), stage));
    }
    sets(spec, times, sorts);
    // A TrainJob says how many nodes, and what each of them has, if that differs from its runtime.
    JsonItems trainer = spec.object("trainer");
    if (!trainer.members().isEmpty()) {
      sorts.add(
          new KubeSort(
              KubeResources.of(trainer.object("resourcesPerNode")),
              times * count(trainer, "numNodes"),
              "",
              stage));
    }
    for (String name : spec.members().keySet()) {
      if (name.endsWith("ReplicaSpecs")) {
        for (String role : spec.object(name).members().keySet()) {
          boolean isLate =
              role.equals("Launcher") && spec.text("launcherCreationPolicy").equals(LATE_LAUNCHER);
          JsonItems replicas = spec.object(name, role);
          sorts.add(sort(replicas, times * count(replicas, "replicas"), isLate ? 1 : stage));
        }
      }
    }
    for (JsonItems task : spec.objects("tasks")) {
      boolean isLate = !task.object("dependsOn").members().isEmpty();
      KubeSort sort = sort(task, times * count(task, "replicas"), isLate ? 1 : stage);
      // A job of Volcano names the scheduler once for all of its tasks.
      String scheduler = sort.scheduler.isEmpty() ? spec.text("schedulerName") : sort.scheduler;
      sorts.add(new KubeSort(sort.each, sort.count, scheduler, sort.stage));
    }
  }

  /** The jobs of a set: all at once, one after the other, or each after those that it names. */
  private static void sets(JsonItems spec, long times, List<KubeSort> sorts) {
    boolean isInOrder = spec.text("startupPolicy", "startupPolicyOrder").equals("InOrder");
    Map<String, Integer> stages = new HashMap<>();
    for (JsonItems jobs : spec.objects("replicatedJobs")) {
      int stage = isInOrder ? stages.size() : 0;
      for (JsonItems before : jobs.objects("dependsOn")) {
        stage = Math.max(stage, 1 + stages.getOrDefault(before.text("name"), 0));
      }
      stages.put(jobs.text("name"), stage);
      add(jobs.object("template", "spec"), times * count(jobs, "replicas"), stage, sorts);
    }
  }

  private static KubeSort sort(JsonItems from, long count, int stage) {
    JsonItems pod = from.object("template", "spec");
    return new KubeSort(KubeResources.ofPod(pod), count, pod.text("schedulerName"), stage);
  }

  /**
   * How many pods of a batch/v1 Job there are at once; one with a parallelism alone has so many.
   */
  private static long parallel(JsonItems spec) {
    long parallel = count(spec, "parallelism");
    return Double.isNaN(spec.number("completions"))
        ? parallel
        : Math.min(parallel, count(spec, "completions"));
  }

  /** One if nothing is said; no more than there are GPUs anywhere. */
  private static long count(JsonItems from, String name) {
    double count = from.number(name);
    return Double.isNaN(count) ? 1 : (long) Math.clamp(count, 0, 1e6);
  }
}
