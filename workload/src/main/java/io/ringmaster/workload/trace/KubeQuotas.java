package io.ringmaster.workload.trace;

import java.util.HashMap;
import java.util.Map;

/**
 * Kueue's queues: what a workload can never have by them. Quotas that are in use now are not
 * simulated.
 */
final class KubeQuotas {
  private static final String NONE = "None";

  /** By their names. */
  private final Map<String, JsonItems> clusterQueues = new HashMap<>();

  /** By namespace and name. */
  private final Map<String, JsonItems> localQueues = new HashMap<>();

  void take(JsonItems queue) {
    String name = queue.text("metadata", "name");
    if (queue.text("kind").equals("ClusterQueue")) {
      clusterQueues.put(name, queue);
    } else {
      localQueues.put(KubeItem.byName(queue.text("metadata", "namespace"), name), queue);
    }
  }

  /** Why a workload of so many GPUs is never admitted; empty if it may be. */
  String because(JsonItems workload, long gpus) {
    String namespace = workload.text("metadata", "namespace");
    String name = workload.text("spec", "queueName");
    JsonItems local = localQueues.get(KubeItem.byName(namespace, name));
    if (local == null) {
      return "";
    }
    if (isStopped(local)) {
      return "Kueue's queue %s is stopped".formatted(name);
    }
    String cluster = local.text("spec", "clusterQueue");
    JsonItems queue = clusterQueues.get(cluster);
    if (queue == null) {
      return "";
    }
    if (isStopped(queue)) {
      return "Kueue's cluster queue %s is stopped".formatted(cluster);
    }
    long quota = quota(queue);
    return !mayBorrow(queue) && quota < gpus
        ? "it asks for %d GPUs, and Kueue's cluster queue %s has a quota of %d"
            .formatted(gpus, cluster, quota)
        : "";
  }

  private static boolean isStopped(JsonItems queue) {
    String stop = queue.text("spec", "stopPolicy");
    return !stop.isEmpty() && !stop.equals(NONE);
  }

  private static boolean mayBorrow(JsonItems queue) {
    // It was called so until v1beta1, and is called otherwise since.
    return !queue.text("spec", "cohort").isEmpty() || !queue.text("spec", "cohortName").isEmpty();
  }

  /** Of all its flavours; no more than a workload of GPUs could have if it had no quota at all. */
  private static long quota(JsonItems queue) {
    long quota = 0;
    boolean isCounted = false;
    for (JsonItems group : queue.objects("spec", "resourceGroups")) {
      for (JsonItems flavour : group.objects("flavors")) {
        for (JsonItems resource : flavour.objects("resources")) {
          if (KubeResources.isGpu(resource.text("name"))) {
            quota += (long) KubeResources.quantity(resource.text("nominalQuota"));
            isCounted = true;
          }
        }
      }
    }
    return isCounted ? quota : Long.MAX_VALUE;
  }
}
