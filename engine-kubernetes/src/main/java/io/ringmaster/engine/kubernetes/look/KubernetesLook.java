package io.ringmaster.engine.kubernetes.look;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.kubernetes.client.ServedKinds;
import io.ringmaster.engine.kubernetes.client.ServedKinds.Served;
import io.ringmaster.model.BadInput;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Asks once for all nodes, pods and jobs. The server answers from its memory (a resource version of
 * 0), without asking etcd.
 */
public final class KubernetesLook {
  private static final ListOptions FROM_MEMORY =
      new ListOptionsBuilder().withResourceVersion("0").build();

  private KubernetesLook() {}

  /**
   * Looks.
   *
   * @throws BadInput if it does not answer, or does not let this account see nodes and pods
   */
  public static Look read(Kubernetes kubernetes, Clock clock) {
    long began = System.nanoTime();
    List<Map<String, Object>> objects = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    try {
      List<Served> kinds = ServedKinds.of(kubernetes.client());
      for (Served kind : kinds) {
        list(kubernetes, kind, objects, notes);
      }
      double seconds = clock.millis() / 1e3;
      String cost =
          String.format(
              Locale.ROOT,
              "%d lists, %,d objects, %.0f ms",
              kinds.size(),
              objects.size(),
              (System.nanoTime() - began) / 1e6);
      return new Look(objects, seconds, cost, notes);
    } catch (KubernetesClientException e) {
      throw failed(kubernetes, e);
    }
  }

  private static void list(
      Kubernetes kubernetes, Served kind, List<Map<String, Object>> objects, List<String> notes) {
    try {
      kubernetes
          .client()
          .genericKubernetesResources(kind.context())
          .inAnyNamespace()
          .list(FROM_MEMORY)
          .getItems()
          .forEach(each -> objects.add(Told.of(each, kind.kind())));
    } catch (KubernetesClientException e) {
      if (!kind.isOptional() || !Kubernetes.isForbidden(e)) {
        throw e;
      }
      notes.add(notSeen(kind));
    }
  }

  static String notSeen(Served kind) {
    return "this account may not list %s, so those without pods are left out"
        .formatted(kind.plural() + (kind.group().isEmpty() ? "" : "." + kind.group()));
  }

  static BadInput failed(Kubernetes kubernetes, KubernetesClientException e) {
    return new BadInput(
        Kubernetes.isForbidden(e)
            ? "Kubernetes: %s; looking needs the right to list nodes and pods of all namespaces, as"
                    .formatted(Kubernetes.reason(e))
                + " 'kubectl auth can-i list nodes' tells"
            : "Kubernetes at %s: %s; try 'kubectl get nodes' here: it must answer where this runs"
                .formatted(kubernetes.address(), Kubernetes.reason(e)));
  }
}
