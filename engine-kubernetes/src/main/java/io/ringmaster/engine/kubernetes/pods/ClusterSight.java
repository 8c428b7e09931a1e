package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Node.Held;
import io.ringmaster.engine.kubernetes.client.FirstList;
import io.ringmaster.engine.kubernetes.client.NamesOnly;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All nodes and pods, listed once and told of each change from then on: what others hold is theirs,
 * and how our own pods stand is ours to follow.
 */
final class ClusterSight implements AutoCloseable {
  private final PodSettings settings;
  private final Map<String, NodeSight> nodes = new ConcurrentHashMap<>();
  private final Map<String, PodSight> pods = new ConcurrentHashMap<>();
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  /**
   * Begins.
   *
   * @param changed is told of each pod that changed, also of one that is gone, as it was
   */
  ClusterSight(
      KubernetesClient client,
      PodSettings settings,
      NodeSight.Rules rules,
      Consumer<PodSight> changed) {
    this.settings = settings;
    try {
      start(
          client.nodes().withLabelSelector(settings.nodes()).runnableInformer(0),
          NodeSight::empty,
          nodes,
          node -> NodeSight.of(node, rules),
          node -> {});
      start(
          client.pods().inAnyNamespace().runnableInformer(0),
          pod -> new Pod(),
          pods,
          pod -> PodSight.of(pod, settings.gpuResource()),
          changed);
    } catch (KubernetesClientException e) {
      close();
      throw e;
    }
  }

  private <T extends HasMetadata, S> void start(
      SharedIndexInformer<T> informer,
      UnaryOperator<T> empty,
      Map<String, S> kept,
      Function<T, S> sight,
      Consumer<S> changed) {
    informers.add(informer);
    NamesOnly<T> names = new NamesOnly<>(empty);
    informer
        .itemStore(names)
        .addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(T object) {
                S now = sight.apply(object);
                kept.put(names.getKey(object), now);
                changed.accept(now);
              }

              @Override
              public void onUpdate(T before, T object) {
                onAdd(object);
              }

              @Override
              public void onDelete(T object, boolean isGuess) {
                S last = kept.remove(names.getKey(object));
                if (!isGuess) {
                  changed.accept(sight.apply(object));
                } else if (last != null) {
                  changed.accept(last);
                }
              }
            });
    FirstList.await(informer, informer.getApiTypeClass().getSimpleName());
  }

  /** Whether it is told of what changes. */
  boolean isWatching() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  @Nullable PodSight pod(String namespace, String name) {
    return pods.get(namespace + "/" + name);
  }

  Collection<PodSight> pods() {
    return pods.values();
  }

  /** What pods hold of each node, whosever they are. */
  Map<String, Load> loads() {
    Map<String, Load> loads = new HashMap<>();
    for (PodSight pod : pods.values()) {
      if (pod.holds()) {
        loads.merge(pod.node(), Load.of(pod), Load::plus);
      }
    }
    return loads;
  }

  @Nullable NodeSight node(String name) {
    return nodes.get(name);
  }

  /** All nodes, also those without GPUs. */
  Collection<NodeSight> nodes() {
    return nodes.values();
  }

  /** The nodes as the plane sees them. */
  List<Node> nodes(Predicate<PodSight> isOurs) {
    return nodes(nodes.values(), pods.values(), isOurs, settings);
  }

  /**
   * Nodes that have GPUs, in the order of their names.
   *
   * @param isOurs which pods are not others'
   */
  static List<Node> nodes(
      Collection<NodeSight> all,
      Collection<PodSight> pods,
      Predicate<PodSight> isOurs,
      PodSettings settings) {
    Map<String, Held> others = new HashMap<>();
    Map<String, Integer> count = new HashMap<>();
    for (PodSight pod : pods) {
      if (pod.holds()) {
        count.merge(pod.node(), 1, Integer::sum);
        if (!isOurs.test(pod)) {
          others.merge(pod.node(), pod.requests(), Held::plus);
        }
      }
    }
    return all.stream()
        .filter(node -> node.gpus() > 0)
        .sorted(Comparator.comparing(NodeSight::name))
        .map(node ->
            told(
                node,
                others.getOrDefault(node.name(), Held.NOTHING),
                node.isFull(count.getOrDefault(node.name(), 0)),
                settings))
        .toList();
  }

  private static Node told(NodeSight node, Held others, boolean isFull, PodSettings settings) {
    String whyClosed =
        node.whyClosed().isEmpty() && isFull
            ? "Kubernetes lets no more pods run there"
            : node.whyClosed();
    Node told =
        new Node(
            node.name(),
            node.gpus(),
            node.gpu(),
            node.cpus(),
            node.memoryBytes(),
            Double.NaN,
            node.path(settings.topology()),
            node.labels(),
            new Held(Math.min(others.gpus(), node.gpus()), others.cpus(), others.memoryBytes()),
            whyClosed.isEmpty());
    return whyClosed.isEmpty() ? told : told.closedBecause(whyClosed);
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }
}
