package io.ringmaster.engine.kubernetes.client;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kinds of objects that tell of jobs, as far as a server has them. */
public final class ServedKinds {
  private static final String CORE = "";

  private ServedKinds() {}

  /**
   * A kind and where the server has it.
   *
   * @param isOptional whether one can do without it
   */
  public record Served(
      String group,
      String version,
      String plural,
      String kind,
      boolean isNamespaced,
      boolean isOptional) {
    public ResourceDefinitionContext context() {
      return new ResourceDefinitionContext.Builder()
          .withGroup(group)
          .withVersion(version)
          .withPlural(plural)
          .withKind(kind)
          .withNamespaced(isNamespaced)
          .build();
    }
  }

  private record Known(String group, String plural, String kind, boolean isNamespaced) {
    Known(String group, String plural, String kind) {
      this(group, plural, kind, true);
    }
  }

  /** Those of which not every server knows. */
  private static final List<Known> MORE =
      List.of(
          new Known("jobset.x-k8s.io", "jobsets", "JobSet"),
          new Known("kubeflow.org", "pytorchjobs", "PyTorchJob"),
          new Known("kubeflow.org", "mpijobs", "MPIJob"),
          new Known("trainer.kubeflow.org", "trainjobs", "TrainJob"),
          new Known("batch.volcano.sh", "jobs", "Job"),
          new Known("kueue.x-k8s.io", "workloads", "Workload"),
          new Known("kueue.x-k8s.io", "localqueues", "LocalQueue"),
          new Known("kueue.x-k8s.io", "clusterqueues", "ClusterQueue", false));

  /** Those that say how many pods are to start together. */
  private static final List<Known> GROUPS =
      List.of(
          new Known("scheduling.volcano.sh", "podgroups", "PodGroup"),
          new Known("scheduling.x-k8s.io", "podgroups", "PodGroup"),
          new Known("scheduling.k8s.io", "podgroups", "PodGroup"));

  /** Asks the server. */
  public static List<Served> of(KubernetesClient client) {
    List<Served> served = new ArrayList<>();
    served.add(new Served(CORE, "v1", "nodes", "Node", false, false));
    served.add(new Served(CORE, "v1", "pods", "Pod", true, false));
    served.addAll(more(client, MORE));
    return served;
  }

  /** Kinds that make the pods of gangs, or say how many of them there are. */
  public static List<Served> ofGangs(KubernetesClient client) {
    List<Known> known = new ArrayList<>(GROUPS);
    MORE.stream()
        .filter(each -> each.kind.endsWith("Job") || each.kind.equals("JobSet"))
        .forEach(known::add);
    return more(client, known);
  }

  private static List<Served> more(KubernetesClient client, List<Known> wanted) {
    List<Served> served = new ArrayList<>();
    served.add(new Served("batch", "v1", "jobs", "Job", true, true));
    Map<String, APIGroup> groups = new HashMap<>();
    client.getApiGroups().getGroups().forEach(group -> groups.put(group.getName(), group));
    for (Known known : wanted) {
      APIGroup group = groups.get(known.group);
      String version = group == null ? "" : version(client, group, known.plural);
      if (!version.isEmpty()) {
        served.add(
            new Served(known.group, version, known.plural, known.kind, known.isNamespaced, true));
      }
    }
    return served;
  }

  /** The one that the server prefers, or else the first that has the kind; empty: none has. */
  private static String version(KubernetesClient client, APIGroup group, String plural) {
    List<String> versions = new ArrayList<>();
    if (group.getPreferredVersion() != null) {
      versions.add(group.getPreferredVersion().getVersion());
    }
    for (GroupVersionForDiscovery each : group.getVersions()) {
      if (!versions.contains(each.getVersion())) {
        versions.add(each.getVersion());
      }
    }
    for (String version : versions) {
      APIResourceList resources = client.getApiResources(group.getName() + "/" + version);
      if (resources != null
          && resources.getResources().stream().map(APIResource::getName).anyMatch(plural::equals)) {
        return version;
      }
    }
    return "";
  }
}
