package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Nodes without a machine: objects whose leases are renewed, and a kubelet for all of them that
 * takes pods as long as there are GPUs, says that they run, and lets them go when they are deleted.
 */
final class PlayedNodes implements AutoCloseable {
  static final String GPU = "played.local/gpu";
  static final String LABEL = "played";
  private static final String LEASES = "kube-node-lease";
  private final KubernetesClient client;
  private final int gpus;
  private final int leaseSeconds;
  private final List<String> names = new ArrayList<>();

  /** Uids of pods that a node has taken, by its name. */
  private final Map<String, Set<String>> taken = new ConcurrentHashMap<>();

  private final ExecutorService hands = Executors.newFixedThreadPool(8);
  private final ScheduledExecutorService renewing = Executors.newSingleThreadScheduledExecutor();
  private final SharedIndexInformer<Pod> informer;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Pod> seen = pod -> {};

  PlayedNodes(KubernetesClient client, int nodes, int gpus, int leaseSeconds) {
    this.client = client;
    this.gpus = gpus;
    this.leaseSeconds = leaseSeconds;
    for (int i = 0; i < nodes; i++) {
      names.add("played-%04d".formatted(i));
    }
    names.parallelStream().forEach(this::make);
    var _ = renewing.scheduleWithFixedDelay(this::renew, 0, leaseSeconds / 4, TimeUnit.SECONDS);
    informer =
        client
            .pods()
            .inAnyNamespace()
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    seen.accept(pod);
                    if (isOurs(pod)) {
                      hands.execute(() -> tend(pod));
                    }
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    onAdd(pod);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean isGuess) {
                    pod.getStatus().setPhase("Gone");
                    seen.accept(pod);
                    if (isOurs(pod)) {
                      leave(pod);
                    }
                  }
                });
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  List<String> names() {
    return names;
  }

  /** Who wants to know of each change of a pod, also of one that is gone, as it was. */
  void listen(Consumer<Pod> listener) {
    seen = listener;
  }

  /** Has a node refuse a pod that is bound to it, as kubelets do that know better. */
  void refuse(String pod) {
    refused.add(pod);
  }

  private boolean isOurs(Pod pod) {
    String node = pod.getSpec().getNodeName();
    return node != null && node.startsWith("played-");
  }

  private void make(String name) {
    Map<String, Quantity> has =
        Map.of(
            GPU,
            new Quantity(Integer.toString(gpus)),
            "cpu",
            new Quantity("64"),
            "memory",
            new Quantity("512Gi"),
            "pods",
            new Quantity("110"));
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(LABEL, "yes")
                .endMetadata()
                .build())
        .create();
    while (!isReady(name, has)) {
      pause(50);
    }
  }

  /** Whether that was heard: the cluster's controllers write to a new node too. */
  private boolean isReady(String name, Map<String, Quantity> has) {
    try {
      status(name, has);
      return true;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  private void status(String name, Map<String, Quantity> has) {
    client
        .nodes()
        .withName(name)
        .editStatus(node -> {
          node.getStatus().setCapacity(has);
          node.getStatus().setAllocatable(has);
          node.getStatus()
              .setConditions(
                  List.of(
                      new NodeConditionBuilder()
                          .withType("Ready")
                          .withStatus("True")
                          .withReason("Played")
                          .build()));
          return node;
        });
  }

  private void renew() {
    names.parallelStream()
        .forEach(name -> {
          try {
            client
                .resource(
                    new LeaseBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(LEASES)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity(name)
                        .withLeaseDurationSeconds(leaseSeconds)
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .endSpec()
                        .build())
                .serverSideApply();
          } catch (KubernetesClientException e) {
            // The next one may be heard.
          }
        });
  }

  static int gpus(Pod pod) {
    Quantity asked = pod.getSpec().getContainers().getFirst().getResources().getLimits().get(GPU);
    return asked == null ? 0 : Integer.parseInt(asked.getAmount());
  }

  private synchronized boolean take(Pod pod) {
    Set<String> here = taken.computeIfAbsent(pod.getSpec().getNodeName(), _ -> new HashSet<>());
    String uid = pod.getMetadata().getUid();
    int held =
        here.stream()
            .mapToInt(each -> Integer.parseInt(each.substring(each.indexOf('=') + 1)))
            .sum();
    String entry = uid + "=" + gpus(pod);
    return here.contains(entry) || (held + gpus(pod) <= gpus && here.add(entry));
  }

  private synchronized void leave(Pod pod) {
    Set<String> here = taken.get(pod.getSpec().getNodeName());
    if (here != null) {
      here.remove(pod.getMetadata().getUid() + "=" + gpus(pod));
    }
  }

  private void tend(Pod pod) {
    try {
      String phase = pod.getStatus().getPhase();
      if (pod.getMetadata().getDeletionTimestamp() != null) {
        leave(pod);
        client.resource(pod).withGracePeriod(0).delete();
      } else if ("Pending".equals(phase)) {
        boolean isTaken = !refused.contains(pod.getMetadata().getName()) && take(pod);
        status(pod, isTaken ? "Running" : "Failed", 0);
      } else if (!"Running".equals(phase)) {
        leave(pod);
      }
    } catch (KubernetesClientException e) {
      // It changed meanwhile, or is gone: that is told too.
    }
  }

  /** Has a pod end by itself. */
  void end(Pod pod, int code) {
    leave(pod);
    status(pod, code == 0 ? "Succeeded" : "Failed", code);
  }

  private void status(Pod pod, String phase, int code) {
    boolean isOver = !phase.equals("Running");
    ContainerStatusBuilder container =
        new ContainerStatusBuilder()
            .withName(pod.getSpec().getContainers().getFirst().getName())
            .withImage("played")
            .withImageID("played")
            .withReady(!isOver)
            .withRestartCount(0);
    if (isOver) {
      container.withNewState().withNewTerminated().withExitCode(code).endTerminated().endState();
    } else {
      container.withNewState().withNewRunning().endRunning().endState();
    }
    PodStatusBuilder status =
        new PodStatusBuilder().withPhase(phase).withContainerStatuses(container.build());
    if (phase.equals("Failed") && code == 0) {
      status.withReason("OutOf" + GPU).withContainerStatuses(List.of());
    }
    client
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withSpec(pod.getSpec())
                .withStatus(status.build())
                .build())
        .patchStatus();
  }

  @Override
  public void close() {
    renewing.shutdownNow();
    informer.close();
    hands.shutdownNow();
    client.nodes().withLabel(LABEL, "yes").delete();
  }
}
