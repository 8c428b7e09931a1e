package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.kubernetes.pods.PodSight.Ended;
import io.ringmaster.engine.kubernetes.pods.PodSight.Running;
import io.ringmaster.engine.kubernetes.pods.PodSight.Unclear;
import io.ringmaster.engine.kubernetes.pods.PodSight.Waiting;
import io.ringmaster.engine.kubernetes.pods.Result.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one attempt a step further, whenever something may have changed: what was asked is written
 * down before, and asked again until it is seen to have happened.
 */
final class Tending {
  private static final Logger LOG = LoggerFactory.getLogger(Tending.class);

  /** What was asked of a node and is not seen is asked again after so long. */
  private static final double AGAIN_SECONDS = 5;

  /** So long after workers were to be killed their pod is removed. */
  private static final double REMOVE_SECONDS = 15;

  /** Kubernetes kills what is removed after so long. */
  private static final long SHORTEST_GRACE_SECONDS = 1;

  /** Why a container cannot be started that no waiting helps against. */
  private static final Set<String> HOPELESS = Set.of("InvalidImageName", "ErrImageNeverPull");

  /** Why one cannot be started yet that may pass, or not. */
  static final Set<String> TROUBLE =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "RegistryUnavailable",
          "CreateContainerConfigError",
          "CreateContainerError");

  private static final String QUOTA = "exceeded quota";
  private static final String SCRIPT = "/ringmaster/orders/supervise.sh";

  private final PodSettings settings;
  private final Api api;
  private final ClusterSight cluster;
  private final Manifests manifests;
  private final Attempts attempts;

  /** What was said to have been left out of pods. */
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  Tending(
      PodSettings settings, Api api, ClusterSight cluster, Manifests manifests, Attempts attempts) {
    this.settings = settings;
    this.api = api;
    this.cluster = cluster;
    this.manifests = manifests;
    this.attempts = attempts;
  }

  /** Does what there is to do now for an attempt that has not ended. */
  void tend(AttemptRecord record) throws IOException {
    if (!record.isCreated() && !create(record)) {
      return;
    }
    if (!record.binding) {
      if (record.isStopping()) {
        neverBound(record, new Status.Gone(Ends.STOPPED));
        return;
      }
      record.binding = true;
      record.save();
    }
    List<@Nullable PodSight> pods = new ArrayList<>();
    for (int index = 0; index < record.pods(); index++) {
      pods.add(sight(record, index));
    }
    if (pods.stream().allMatch(pod -> pod == null || pod.state() instanceof Ended)) {
      finish(record, pods);
      return;
    }
    bind(record, pods);
    judge(record, pods);
    end(record, pods);
    begin(record, pods);
    poll(record, pods);
  }

  /** Makes all objects. Nothing runs before the pods are bound, so all can be undone. */
  private boolean create(AttemptRecord record) throws IOException {
    if (record.isStopping()) {
      neverBound(record, new Status.Gone(Ends.STOPPED));
      return false;
    }
    List<HasMetadata> objects =
        Serialization.unmarshal(Files.readString(record.objects()), KubernetesList.class)
            .getItems();
    List<String> uids = new ArrayList<>();
    try {
      Secret secret = api.create((Secret) objects.getFirst());
      for (HasMetadata pod : objects.subList(1, objects.size())) {
        Pod sent = Manifests.owned((Pod) pod, secret);
        Pod made = api.create(sent);
        warn(Dropped.of(sent.getSpec(), made.getSpec()));
        uids.add(made.getMetadata().getUid());
      }
    } catch (Api.Denied e) {
      String why = String.valueOf(e.getMessage());
      neverBound(
          record,
          why.contains(QUOTA)
              ? new Status.Gone(why)
              : new Status.Exited(
                  Manifests.CANNOT_BE_RUN, false, "Kubernetes refuses its pods: " + why));
      return false;
    }
    record.uids = List.copyOf(uids);
    record.save();
    attempts.own(record);
    Files.deleteIfExists(record.objects());
    return true;
  }

  /** Says it once, and not for each pod. */
  private void warn(List<String> dropped) {
    if (!dropped.isEmpty() && warned.addAll(dropped)) {
      LOG.warn(
          "this Kubernetes does not know {} of pods, and leaves it out: see the pod template",
          String.join(", ", dropped));
    }
  }

  /** Removes what was made of an attempt of which no pod was bound. */
  private void neverBound(AttemptRecord record, Status.Phase end) throws IOException {
    remove(record);
    Files.deleteIfExists(record.objects());
    record.collected = true;
    attempts.end(record, end, record.progress);
  }

  /** Removes all objects of an attempt that has no process. */
  void remove(AttemptRecord record) throws IOException {
    for (int index = 0; index < record.pods(); index++) {
      api.deletePod(manifests.podName(record.attempt(), index), 0);
    }
    api.deleteSecret(manifests.secretName(record.attempt()));
  }

  /**
   * As it was last told, or else as the server says; null: it is not there. One of the same name
   * may be that of another server's folder.
   */
  private @Nullable PodSight sight(AttemptRecord record, int index) throws IOException {
    String name = manifests.podName(record.attempt(), index);
    String uid = record.uids.get(index);
    PodSight ended;
    synchronized (record) {
      ended = record.lastSights.get(uid);
    }
    if (ended != null) {
      return ended;
    }
    PodSight told = cluster.pod(api.namespace(), name);
    if (told == null || !told.uid().equals(uid)) {
      told = api.pod(name);
    }
    if (told == null || !told.uid().equals(uid)) {
      return null;
    }
    attempts.remember(record, told);
    return told;
  }

  private static String nodeOf(AttemptRecord record, int index) {
    return Objects.requireNonNull(record.allocation).shares().get(index).node();
  }

  /** All at once, or none if it is to stop. */
  private void bind(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    for (int index = 0; index < pods.size(); index++) {
      PodSight pod = pods.get(index);
      boolean isFree = pod != null && pod.node().isEmpty() && !pod.isLeaving();
      if (isFree && !record.isStopping() && record.boundUids.add(record.uids.get(index))) {
        try {
          api.bind(pod.name(), nodeOf(record, index));
        } catch (IOException e) {
          record.boundUids.remove(record.uids.get(index));
          throw e;
        }
      }
    }
  }

  /** Looks whether it has to end although nobody asked for it. */
  private void judge(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    boolean hasTrouble = false;
    for (int index = 0; index < pods.size(); index++) {
      PodSight pod = pods.get(index);
      switch (pod == null ? null : pod.state()) {
        case null -> fail(record);
        case Ended ended -> {
          Result result = Result.of(ended.message());
          if (result == null || result.code() != 0 || result.stopped()) {
            fail(record);
          }
        }
        case Unclear _ when pod.isLeaving() -> fail(record);
        case Unclear(String reason, String message) ->
            doom(record, false, "its node gave it up: %s %s".formatted(reason, message));
        case Waiting(String reason, String message) -> {
          hasTrouble |= TROUBLE.contains(reason);
          if (HOPELESS.contains(reason)) {
            doom(record, true, "its pod cannot be started: %s: %s".formatted(reason, message));
          } else if (hasTrouble && isOverdue(record, settings)) {
            doom(record, true, "its image cannot be had: %s: %s".formatted(reason, message));
          }
        }
        case Running() -> {}
      }
      if (pod != null && !pod.node().isEmpty() && !pod.node().equals(nodeOf(record, index))) {
        doom(record, false, "its pod was bound to node %s by somebody else".formatted(pod.node()));
      }
      if (pod != null && !(pod.state() instanceof Ended)) {
        lookAtNode(record, pod, nodeOf(record, index));
      }
    }
    if (!hasTrouble) {
      record.troubleSinceSeconds = Double.NaN;
    }
  }

  /** Whether there has been trouble for longer than somebody wants to wait. */
  static boolean isOverdue(AttemptRecord record, PodSettings settings) {
    if (Double.isNaN(record.troubleSinceSeconds)) {
      record.troubleSinceSeconds = Attempts.now();
    }
    return Attempts.now() >= record.troubleSinceSeconds + settings.patienceSeconds();
  }

  /** One has failed, and takes the others with it. */
  private static void fail(AttemptRecord record) {
    if (Double.isInfinite(record.failedKillSeconds)) {
      record.failedKillSeconds = Attempts.now() + record.graceSeconds;
    }
  }

  private static void doom(AttemptRecord record, boolean isItsFault, String why)
      throws IOException {
    if (record.doom.isEmpty()) {
      record.doom = why.strip();
      record.isItsFault = isItsFault;
      record.save();
    }
    fail(record);
  }

  /** What does not answer for too long is held for dead, if somebody wants it so. */
  private void lookAtNode(AttemptRecord record, PodSight pod, String name) throws IOException {
    NodeSight node = cluster.node(name);
    if (settings.lostSeconds() <= 0 || (node != null && node.isReady())) {
      record.silentSinceSeconds.remove(pod.uid());
      return;
    }
    double since = record.silentSinceSeconds.computeIfAbsent(pod.uid(), uid -> Attempts.now());
    if (Attempts.now() >= since + settings.lostSeconds()) {
      doom(record, false, "node %s does not answer".formatted(name));
      api.deletePod(pod.name(), 0);
    }
  }

  /** Ends what is to end: with grace where workers run, and at once where they do not. */
  private void end(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    double kill = Math.min(record.killSeconds, record.failedKillSeconds);
    if (Double.isInfinite(kill)) {
      return;
    }
    IOException failure = null;
    for (PodSight pod : pods) {
      try {
        if (pod != null && pod.state() instanceof Running) {
          askToStop(record, pod, kill);
        } else if (pod != null && !(pod.state() instanceof Ended) && isDue(record, pod)) {
          api.deletePod(pod.name(), pod.node().isEmpty() ? 0 : SHORTEST_GRACE_SECONDS);
        }
      } catch (IOException e) {
        // One on a node that is dead must not keep the others from it.
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static boolean isDue(AttemptRecord record, PodSight pod) {
    double last = record.deletedSeconds.getOrDefault(pod.uid(), Double.NEGATIVE_INFINITY);
    if (Attempts.now() < last + AGAIN_SECONDS) {
      return false;
    }
    record.deletedSeconds.put(pod.uid(), Attempts.now());
    return true;
  }

  private void askToStop(AttemptRecord record, PodSight pod, double kill) throws IOException {
    if (Attempts.now() > kill + REMOVE_SECONDS) {
      if (isDue(record, pod)) {
        LOG.warn("attempt {}: pod {} does not end, and is removed", record.attempt(), pod.name());
        api.deletePod(pod.name(), SHORTEST_GRACE_SECONDS);
      }
      return;
    }
    Double told = record.toldKillSeconds.get(pod.uid());
    if (told == null || told > kill) {
      api.exec(pod.name(), "sh", SCRIPT, "stop", Manifests.hundredths(kill - Attempts.now()));
      record.toldKillSeconds.put(pod.uid(), kill);
    }
  }

  /** Once all pods run, and not before, their workers begin. */
  private void begin(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    boolean isEnding = record.isStopping() || !record.doom.isEmpty();
    if (record.wasRunning
        || isEnding
        || !pods.stream().allMatch(pod -> pod != null && pod.state() instanceof Running)) {
      return;
    }
    if (pods.size() > 1 && !record.went) {
      String address = Objects.requireNonNull(pods.getFirst()).address();
      if (address.isEmpty()) {
        return;
      }
      for (PodSight pod : pods) {
        api.exec(Objects.requireNonNull(pod).name(), "sh", SCRIPT, "go", address);
      }
      record.went = true;
    }
    record.wasRunning = true;
    record.save();
    attempts.tell(record);
  }

  /** Asks how far it is. */
  private void poll(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    if (!record.wasRunning || Attempts.now() < record.polledSeconds + settings.pollSeconds()) {
      return;
    }
    record.polledSeconds = Attempts.now();
    Progress all = Progress.NONE;
    for (PodSight pod : pods) {
      if (pod != null) {
        Progress said = Progress.of(api.lastLine(pod.name()));
        all = said == null ? all : all.plus(said);
      }
    }
    synchronized (record) {
      record.progress = record.progress.updated(all);
    }
  }

  private void finish(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    List<@Nullable Ended> ends = new ArrayList<>();
    Progress progress = record.progress;
    Progress last = Progress.NONE;
    for (PodSight pod : pods) {
      Ended end = pod != null && pod.state() instanceof Ended ended ? ended : null;
      ends.add(end);
      Result result = end == null ? null : Result.of(end.message());
      last = result == null ? last : last.plus(result.progress());
    }
    attempts.end(record, Ends.of(record, ends), progress.updated(last));
  }
}
