package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Seeded rounds in which gangs are launched while a foreign scheduler binds pods on the same nodes,
 * and now and then one of a gang's own, and nodes refuse some. After each, every gang is bound as a
 * whole or not at all.
 */
final class GangRounds {
  static final String NAMESPACE = "rounds";
  private static final String GANG = "gang";
  private static final long PATIENCE_MILLIS = 300_000;

  private final Kubernetes kubernetes;
  private final KubernetesClient client;
  private final Engine engine;
  private final PlayedNodes nodes;
  private final Random random;
  private final AtomicInteger names = new AtomicInteger();

  /** Pods of gangs that the foreign scheduler went for: what becomes of them is its affair. */
  private final Set<String> touched = ConcurrentHashMap.newKeySet();

  private long job;
  private long order;

  /** Of gangs that nobody else touched: how many pods each has, and which of them run. */
  private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

  private final Map<String, Set<String>> running = new ConcurrentHashMap<>();
  private final Map<String, Long> partSince = new ConcurrentHashMap<>();

  /** What became of gangs in all rounds. */
  int whole;

  int undone;
  int never;

  /** Gangs of which a part ran for a moment: Kubernetes cannot bind several pods at once. */
  int parts;

  /** The longest such moment. */
  long longestPartMillis;

  GangRounds(Kubernetes kubernetes, Engine engine, PlayedNodes nodes, long seed) {
    this.kubernetes = kubernetes;
    this.client = kubernetes.client();
    this.engine = engine;
    this.nodes = nodes;
    this.random = new Random(seed);
    nodes.listen(this::look);
  }

  /** Looks at each change of a pod, and not only at what is left in the end. */
  private synchronized void look(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    String gang = labels == null ? "" : labels.getOrDefault(GANG, "");
    Integer size = sizes.get(gang);
    if (size == null || touched.stream().anyMatch(name -> name.startsWith(gang + "-"))) {
      return;
    }
    boolean isRunning =
        pod.getStatus().getPhase().equals("Running")
            && pod.getMetadata().getDeletionTimestamp() == null;
    Set<String> now = running.computeIfAbsent(gang, _ -> new HashSet<>());
    if (isRunning) {
      now.add(pod.getMetadata().getName());
    } else {
      now.remove(pod.getMetadata().getName());
    }
    long millis = System.nanoTime() / 1_000_000;
    if (!now.isEmpty() && now.size() < size) {
      partSince.putIfAbsent(gang, millis);
    } else {
      Long since = partSince.remove(gang);
      if (since != null && now.isEmpty()) {
        parts++;
        longestPartMillis = Math.max(longestPartMillis, millis - since);
      }
    }
  }

  static Map<String, String> settings() {
    return Map.of(
        "bind-pods",
        NAMESPACE,
        "gpu-resource",
        PlayedNodes.GPU,
        "nodes",
        PlayedNodes.LABEL + "=yes");
  }

  private Pod pod(String name, String gang, int size, int gpus) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .addToLabels(GANG, gang)
        .addToAnnotations(
            gang.isEmpty()
                ? Map.of()
                : Map.of(
                    "ringmaster.io/gang", gang, "ringmaster.io/gang-size", Integer.toString(size)))
        .endMetadata()
        .withNewSpec()
        .withSchedulerName(gang.isEmpty() ? "foreign" : "ringmaster")
        .withAutomountServiceAccountToken(false)
        .addNewContainer()
        .withName("main")
        .withImage("played")
        .withNewResources()
        .withLimits(Map.of(PlayedNodes.GPU, new Quantity(Integer.toString(gpus))))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** Runs one; returns what is wrong, or nothing. */
  String round() throws IOException, InterruptedException {
    int gangs = 1 + random.nextInt(4);
    sizes.clear();
    for (int i = 0; i < gangs; i++) {
      String gang = "g" + names.incrementAndGet();
      int size = 2 + random.nextInt(4);
      int gpus = 1 + random.nextInt(2);
      sizes.put(gang, size);
      for (int p = 0; p < size; p++) {
        client.resource(pod(gang + "-" + p, gang, size, gpus)).create();
      }
      if (random.nextInt(5) == 0) {
        nodes.refuse(gang + "-" + random.nextInt(size));
      }
    }
    Thread foreign = foreign(random.nextLong(), List.copyOf(sizes.keySet()));
    Map<AttemptId, String> launched = new HashMap<>();
    Map<String, Integer> given = new HashMap<>();
    long until = System.currentTimeMillis() + PATIENCE_MILLIS;
    for (String gang : sizes.keySet()) {
      Snapshot seen = observed();
      while (seen.arrivals().stream().noneMatch(each -> each.spec().name().equals(gang))) {
        if (System.currentTimeMillis() > until) {
          return gang + " does not arrive";
        }
        Thread.sleep(20);
        seen = observed();
      }
      Arrival arrival =
          seen.arrivals().stream()
              .filter(a -> a.spec().name().equals(gang))
              .findAny()
              .orElseThrow();
      Allocation place = place(seen, arrival, given);
      if (place == null || arrival.state() != Arrival.State.READY) {
        never++;
        continue;
      }
      AttemptId attempt = new AttemptId(++job, 1);
      launched.put(attempt, gang);
      engine.launch(
          ++order, new Launch(attempt, arrival.user(), arrival.spec(), place, arrival.id(), 1));
    }
    foreign.join();
    return settled(launched, until);
  }

  /** A watch that broke is begun anew, and until then nothing is told. */
  private Snapshot observed() {
    while (true) {
      try {
        return engine.observe();
      } catch (IOException e) {
        PlayedNodes.pause(200);
      }
    }
  }

  /** Where there is room for it by what the engine says; null: nowhere. */
  private static @Nullable Allocation place(
      Snapshot seen, Arrival arrival, Map<String, Integer> given) {
    int left = arrival.spec().gpus();
    int piece = arrival.spec().pieceGpus();
    List<Allocation.Share> shares = new ArrayList<>();
    for (Node node : seen.nodes()) {
      int free = node.gpus() - node.others().gpus() - given.getOrDefault(node.name(), 0);
      int here = Math.min(left, free - free % piece);
      if (here > 0 && node.up()) {
        shares.add(new Allocation.Share(node.name(), here));
        left -= here;
      }
    }
    if (left > 0) {
      return null;
    }
    shares.forEach(share -> given.merge(share.node(), share.gpus(), Integer::sum));
    return new Allocation(shares);
  }

  /** Binds pods of its own, and sometimes one of a gang, without asking what is free. */
  private Thread foreign(long seed, List<String> gangs) {
    return Thread.ofPlatform()
        .start(() -> {
          Random own = new Random(seed);
          Api api = new Api(kubernetes, NAMESPACE, PlayedNodes.GPU);
          for (int i = 0; i < 6; i++) {
            try {
              String node = nodes.names().get(own.nextInt(nodes.names().size()));
              String name = "foreign-" + names.incrementAndGet();
              boolean steals = own.nextInt(4) == 0;
              if (steals) {
                name = gangs.get(own.nextInt(gangs.size())) + "-" + own.nextInt(2);
              } else {
                client.resource(pod(name, "", 1, 1 + own.nextInt(2))).create();
              }
              if (steals) {
                touched.add(name);
              }
              api.bind(name, node);
              Thread.sleep(own.nextInt(30));
            } catch (IOException | KubernetesClientException e) {
              // It lost a race, as foreign schedulers do.
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  private String settled(Map<AttemptId, String> launched, long untilMillis)
      throws IOException, InterruptedException {
    String wrong = "not looked at";
    int calm = 0;
    while (calm < 3) {
      if (System.currentTimeMillis() > untilMillis) {
        return wrong;
      }
      Thread.sleep(50);
      wrong = wrong(launched);
      calm = wrong.isEmpty() ? calm + 1 : 0;
    }
    for (Status status : observed().attempts()) {
      if (status.phase() instanceof Status.Running) {
        whole++;
      } else {
        undone++;
      }
    }
    clear(launched, untilMillis);
    return "";
  }

  /** Looks at the API, and not at what the engine was told. */
  private String wrong(Map<AttemptId, String> launched) {
    Map<AttemptId, Status.Phase> phases = new HashMap<>();
    observed().attempts().forEach(each -> phases.put(each.attempt(), each.phase()));
    List<Pod> pods = client.pods().inNamespace(NAMESPACE).list().getItems();
    for (Map.Entry<AttemptId, String> each : launched.entrySet()) {
      String gang = each.getValue();
      int size = sizes.getOrDefault(gang, 0);
      List<String> on =
          pods.stream()
              .filter(pod -> gang.equals(pod.getMetadata().getLabels().get(GANG)))
              .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
              .map(pod -> pod.getMetadata().getName())
              .toList();
      int running = on.size();
      long ours = on.stream().filter(name -> !touched.contains(name)).count();
      Status.Phase phase = phases.get(each.getKey());
      boolean isRight =
          phase instanceof Status.Running
              ? running == size
              : phase != null && phase.isEnd() && ours == 0;
      if (!isRight) {
        return "gang %s: %s with %d of %d pods".formatted(gang, phase, running, size);
      }
    }
    return "";
  }

  private void clear(Map<AttemptId, String> launched, long untilMillis)
      throws IOException, InterruptedException {
    // What ends from here on was whole.
    sizes.clear();
    synchronized (this) {
      running.clear();
      partSince.clear();
    }
    for (AttemptId attempt : launched.keySet()) {
      engine.stop(attempt, 1);
    }
    client.pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
    for (AttemptId attempt : launched.keySet()) {
      while (observed().attempts().stream()
          .anyMatch(s -> s.attempt().equals(attempt) && !s.phase().isEnd())) {
        if (System.currentTimeMillis() > untilMillis) {
          throw new IllegalStateException("attempt %s does not end".formatted(attempt));
        }
        Thread.sleep(20);
      }
      engine.forget(++order, attempt);
    }
  }
}
