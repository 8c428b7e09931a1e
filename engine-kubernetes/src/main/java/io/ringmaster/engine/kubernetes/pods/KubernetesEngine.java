package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.local.JobFiles;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kubernetes in which jobs run as pods, one on each of their nodes. What was asked is in the
 * server's folder, what runs is in Kubernetes, and {@link Tending} brings the two together.
 */
public final class KubernetesEngine implements Engine {
  public static final EngineKind KIND =
      new EngineKind(
          "kubernetes",
          "A Kubernetes: jobs run as pods, one on each of their nodes.",
          PodSettings.PARAMETERS,
          KubernetesEngine::discover,
          KubernetesEngine::new);

  private static final Logger LOG = LoggerFactory.getLogger(KubernetesEngine.class);
  private static final String FOLDER = "kubernetes";
  private static final String ID = "id";

  /** After so many tries what an ended pod printed is given up. */
  private static final int MOST_TRIES = 60;

  private static final double TICK_SECONDS = 1;

  private final DataFolder data;
  private final JobFiles files;
  private final Kubernetes kubernetes;
  private final String server;
  private final Api api;
  private final Manifests manifests;
  private final Attempts attempts;
  private final ClusterSight cluster;
  private final Tending tending;
  private final PodLogs logs;

  /** Pods that people made; null: they are nobody's business here. */
  private final @Nullable Peoples peoples;

  private final ExecutorService hands = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kubernetes-tick").daemon().factory());

  /** Whether pods may be looked at: the first are told while this is still being made. */
  private volatile boolean isOpen;

  private volatile Runnable nudging = () -> {};

  /** Whether the plane was nudged since it last looked. */
  private final AtomicBoolean isNudged = new AtomicBoolean();

  private long forgotten;

  private static List<Node> discover(EngineSetup setup) throws IOException {
    PodSettings settings = PodSettings.of(setup.settings());
    NodeSight.Rules rules = NodeSight.Rules.of(settings, PodTemplate.read(settings.template()));
    Path id = setup.folder().resolve(FOLDER).resolve(ID);
    String server = Files.exists(id) ? Files.readString(id).strip() : "";
    try (Kubernetes kubernetes = Kubernetes.connect(settings.context())) {
      return ClusterSight.nodes(
          kubernetes.client().nodes().withLabelSelector(settings.nodes()).list().getItems().stream()
              .map(node -> NodeSight.of(node, rules))
              .toList(),
          kubernetes.client().pods().inAnyNamespace().list().getItems().stream()
              .map(pod -> PodSight.of(pod, settings.gpuResource()))
              .toList(),
          pod -> !server.isEmpty() && pod.server().equals(server),
          settings);
    } catch (KubernetesClientException e) {
      throw failed(e);
    }
  }

  /** A server that has no right to look needs somebody to mend that; all else may pass. */
  private static IOException failed(KubernetesClientException e) {
    if (Kubernetes.isForbidden(e)) {
      throw new BadInput(
          "Kubernetes: %s; docs/kubernetes.md says which rights are needed"
              .formatted(Kubernetes.reason(e)));
    }
    return new IOException("Kubernetes: " + Kubernetes.reason(e), e);
  }

  private KubernetesEngine(EngineSetup setup) throws IOException {
    PodSettings settings = PodSettings.of(setup.settings());
    Pod template = PodTemplate.read(settings.template());
    Path folder = setup.folder().resolve(FOLDER);
    data = new DataFolder(folder, folder, false);
    Kubernetes connected = null;
    try {
      files = new JobFiles(data);
      server = ServerId.of(data.root().resolve(ID));
      connected = Kubernetes.connect(settings.context());
      kubernetes = connected;
      String namespace =
          settings.namespace().isEmpty() ? kubernetes.namespace() : settings.namespace();
      api = new Api(kubernetes, namespace, settings.gpuResource());
      manifests = new Manifests(settings, server, template);
      attempts = new Attempts(data);
      cluster =
          new ClusterSight(
              kubernetes.client(), settings, NodeSight.Rules.of(settings, template), this::changed);
      tending = new Tending(settings, api, cluster, manifests, attempts);
      logs = new PodLogs(data.root().resolve("logs"), api, manifests);
      peoples =
          settings.bindsAny()
              ? new Peoples(
                  settings,
                  api,
                  cluster,
                  attempts,
                  hands,
                  data.root().resolve("gangs"),
                  this::nudge)
              : null;
      forgotten = data.forgotten();
    } catch (KubernetesClientException e) {
      closeAll(data, connected);
      throw failed(e);
    } catch (IOException | RuntimeException e) {
      closeAll(data, connected);
      throw e;
    }
    if (!settings.keeps()) {
      LOG.warn(
          "checkpoints go with their pods, so that jobs that are stopped begin anew; set 'volume'"
              + " to keep them");
    }
    isOpen = true;
    long millis = Math.round(1000 * Math.min(TICK_SECONDS, settings.pollSeconds()));
    var _ = ticks.scheduleWithFixedDelay(this::tick, millis, millis, TimeUnit.MILLISECONDS);
  }

  private static void closeAll(DataFolder data, @Nullable Kubernetes kubernetes)
      throws IOException {
    if (kubernetes != null) {
      kubernetes.close();
    }
    data.close();
  }

  @Override
  public void listen(Consumer<Status> changes) {
    attempts.listen(changes);
  }

  @Override
  public void listenForArrivals(Runnable nudge) {
    nudging = nudge;
  }

  private void nudge() {
    if (isOpen && !isNudged.getAndSet(true)) {
      nudging.run();
    }
  }

  private void tick() {
    attempts.all().stream()
        .filter(record -> record.isLive() || !record.collected)
        .forEach(this::ask);
    Peoples present = peoples;
    if (present != null && present.isEventDue()) {
      hands.execute(present::tellUnready);
    }
  }

  private void changed(PodSight pod) {
    boolean isTheirs = pod.theirs() != null;
    if (isTheirs) {
      nudge();
    }
    if (isOpen && (isTheirs || pod.server().equals(server))) {
      AttemptRecord record = attempts.ofPod(pod.uid());
      if (record != null && record.isLive()) {
        attempts.remember(record, pod);
        ask(record);
      }
    }
  }

  /** Has an attempt tended soon, by one at a time. */
  private void ask(AttemptRecord record) {
    if (record.asked.getAndIncrement() == 0) {
      try {
        hands.execute(() -> tend(record));
      } catch (RejectedExecutionException e) {
        LOG.debug("closed", e);
      }
    }
  }

  private void tend(AttemptRecord record) {
    int seen;
    do {
      seen = record.asked.get();
      record.tending.lock();
      try {
        if (record.isLive()) {
          if (record.arrival.isEmpty()) {
            tending.tend(record);
          } else {
            people().runs().tend(record);
          }
        }
        if (!record.isLive() && !record.collected) {
          collect(record);
        }
        record.complaint = "";
      } catch (IOException | RuntimeException e) {
        complain(record, e);
      } finally {
        record.tending.unlock();
      }
    } while (record.asked.addAndGet(-seen) > 0);
  }

  /** Says it once, and not at each try. */
  private static void complain(AttemptRecord record, Exception e) {
    String what = String.valueOf(e.getMessage());
    if (!what.equals(record.complaint)) {
      record.complaint = what;
      LOG.warn("attempt {}: {}; it is tried again", record.attempt(), what);
    }
  }

  private void collect(AttemptRecord record) throws IOException {
    try {
      logs.collect(record);
    } catch (IOException e) {
      if (++record.collectTries < MOST_TRIES) {
        throw e;
      }
      LOG.warn("attempt {}: what it printed is lost: {}", record.attempt(), e.getMessage());
      logs.giveUp(record);
    }
    record.collected = true;
    record.save();
  }

  @Override
  public Snapshot observe() throws IOException {
    isNudged.set(false);
    api.ping();
    if (!cluster.isWatching()) {
      throw new IOException("Kubernetes was away, and is being listed anew");
    }
    Map<String, AttemptRecord> arrived = attempts.arrived();
    Peoples present = peoples;
    if (present == null) {
      return new Snapshot(cluster.nodes(this::isOurs), attempts.statuses());
    }
    // Gangs first: they say what nodes are to be marked with.
    List<Arrival> arrivals = present.arrivals(arrived);
    List<Node> nodes = cluster.nodes(pod -> isOurs(pod) || arrived.containsKey(pod.uid()));
    return new Snapshot(present.gangs().marked(nodes), attempts.statuses(), arrivals);
  }

  private boolean isOurs(PodSight pod) {
    return pod.server().equals(server);
  }

  private Peoples people() throws IOException {
    Peoples present = peoples;
    if (present == null) {
      throw new IOException("the setting 'bind-pods' names no namespace any more");
    }
    return present;
  }

  @Override
  public List<String> unexplained() {
    Peoples present = peoples;
    return present == null ? List.of() : present.events().unexplained();
  }

  @Override
  public void explain(String arrival, String why, double startSeconds) throws IOException {
    people().events().explain(arrival, why, startSeconds);
  }

  @Override
  public void withdraw(String arrival) throws IOException {
    Peoples present = peoples;
    if (present != null) {
      present.gangs().withdraw(arrival);
    }
  }

  @Override
  public synchronized void launch(long order, Launch launch) throws IOException {
    if (order < forgotten || attempts.find(launch.attempt()) != null) {
      return;
    }
    if (!launch.arrival().isEmpty()) {
      ask(people().runs().launch(launch));
      return;
    }
    List<List<Integer>> slots = attempts.freeSlots(launch.allocation());
    List<HasMetadata> objects = new ArrayList<>();
    try {
      Secret secret = manifests.secret(launch);
      objects.add(secret);
      objects.addAll(manifests.pods(launch, slots));
    } catch (Manifests.Refused e) {
      attempts.refuse(launch, String.valueOf(e.getMessage()));
      return;
    }
    String text = Serialization.asJson(new KubernetesListBuilder().withItems(objects).build());
    ask(attempts.add(launch, slots, text));
  }

  @Override
  public synchronized void stop(AttemptId attempt, double graceSeconds) throws IOException {
    AttemptRecord record = attempts.find(attempt);
    if (record == null) {
      attempts.bury(attempt);
      return;
    }
    double now = Attempts.now();
    synchronized (record) {
      if (!record.isLive() || now + graceSeconds >= record.killSeconds) {
        return;
      }
      record.killSeconds = now + graceSeconds;
      if (!record.isStopping()) {
        record.stopSeconds = now;
        record.failedFirst = !Double.isInfinite(record.failedKillSeconds);
      }
      record.save();
    }
    ask(record);
  }

  @Override
  public synchronized void forget(long order, AttemptId attempt) throws IOException {
    AttemptRecord record = attempts.find(attempt);
    if (record != null && record.isLive()) {
      throw new IOException("attempt %s has not ended".formatted(attempt));
    }
    if (order > forgotten) {
      data.forgotten(order);
      forgotten = order;
    }
    if (record == null) {
      return;
    }
    record.tending.lock();
    try {
      if (!record.collected) {
        collect(record);
      }
      if (record.arrival.isEmpty()) {
        tending.remove(record);
      }
      attempts.forget(record);
    } finally {
      record.tending.unlock();
    }
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    return logs.read(attempt, attempts.find(attempt), rank, stream, fromByte);
  }

  @Override
  public Map<Kept, Long> kept(long job) throws IOException {
    return files.kept(job);
  }

  @Override
  public void discard(long job, Set<Kept> what) throws IOException {
    files.discard(job, what);
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    Peoples present = peoples;
    if (present != null) {
      present.close();
    }
    cluster.close();
    hands.shutdownNow();
    try {
      // What is under way has a time limit; nobody writes to the folder after it was left.
      if (!hands.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.warn("calls to Kubernetes do not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kubernetes.close();
    files.close();
    try {
      data.close();
    } catch (IOException e) {
      LOG.warn("the data folder cannot be left", e);
    }
  }
}
