package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Kubernetes as its API tells of it at a moment: nodes, pods, and what makes pods.
 *
 * @param jobs that wait, run and ended, as far as they are still there
 * @param cluster the nodes with GPUs that take pods, less what stays there
 * @param nodes all with GPUs
 * @param notes what whoever reads an answer should know
 */
public record KubernetesSite(
    List<SeenJob> jobs, Cluster cluster, List<KubeNode> nodes, List<String> notes) {

  private static final Path API = Path.of("kubernetes");

  /**
   * Reads it.
   *
   * @param objects nodes, pods, jobs of any kind, Kueue's workloads and queues, each as the API
   *     tells it
   * @param nowSeconds when they were told
   * @param given settings of the format kubectl, as {@code import} has them
   */
  public static KubernetesSite of(
      Collection<? extends Map<?, ?>> objects, double nowSeconds, Map<String, String> given) {
    Settings settings =
        Settings.of(
            "format " + Kubectl.FORMAT.name(),
            Stream.concat(TraceJobs.PARAMETERS.stream(), Kubectl.FORMAT.parameters().stream())
                .toList(),
            given);
    SeenJobs.Collected past = new SeenJobs.Collected((_, _) -> {});
    Kubectl.Collected collected = new Kubectl.Collected(settings, past);
    List<KubeNode> nodes = new ArrayList<>();
    KubeGangs gangs = new KubeGangs();
    KubeQuotas quotas = new KubeQuotas();
    int unusable = 0;
    for (Map<?, ?> object : objects) {
      JsonItems item = JsonItems.of(object);
      try {
        switch (item.text("kind")) {
          case "Node" -> nodes.add(KubeNode.of(item));
          case "Workload" -> gangs.workload(item);
          case "ClusterQueue", "LocalQueue" -> quotas.take(item);
          default -> {
            collected.take(item, API, 0);
            gangs.take(KubeItem.of(item, API, 0), item);
          }
        }
      } catch (Unusable e) {
        unusable++;
      }
    }
    collected.finish();
    if (nodes.stream().allMatch(node -> node.gpus() == 0)) {
      throw new BadInput(
          "none of the %d nodes tells of a GPU that pods can have (kubectl describe nodes:"
                  .formatted(nodes.size())
              + " Allocatable); does its device plugin run?");
    }
    KubeQueue queue =
        new KubeQueue(nodes, gangs, quotas, settings.text(Kubectl.NAMESPACE), nowSeconds);
    List<SeenJob> jobs = new ArrayList<>(queue.jobs());
    List<SeenJob> ended =
        past.jobs().stream().filter(job -> job.state() == SeenJob.State.ENDED).toList();
    jobs.addAll(ended);
    List<String> notes = new ArrayList<>(queue.notes());
    if (ended.isEmpty()) {
      notes.add(
          "nothing is known of jobs that ended: a job may take any time, an hour being usual, so"
              + " intervals are wide; jobs to come are left out");
    }
    if (unusable > 0) {
      notes.add("%d objects could not be read and are left out".formatted(unusable));
    }
    return new KubernetesSite(jobs, queue.cluster(), queue.nodes(), notes);
  }
}
