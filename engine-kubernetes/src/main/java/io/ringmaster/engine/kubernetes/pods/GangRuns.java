package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.kubernetes.pods.Api.Answer;
import io.ringmaster.engine.kubernetes.pods.PodSight.Ended;
import io.ringmaster.engine.kubernetes.pods.PodSight.Running;
import io.ringmaster.engine.kubernetes.pods.PodSight.Waiting;
import io.ringmaster.workload.trace.KubeOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of people's own pods: all are bound, or what was bound is ended at once. When they are
 * to stop they are evicted, and what makes them makes new ones, for the next attempt.
 */
final class GangRuns {
  private static final double AGAIN_SECONDS = 5;

  /** So long after pods have ended what makes them may take to say what that means. */
  private static final double SETTLE_SECONDS = 15;

  private static final long SHORTEST_GRACE_SECONDS = 1;
  private static final int STOPPED = 143;

  private final PodSettings settings;
  private final Api api;
  private final ClusterSight cluster;
  private final Gangs gangs;
  private final Attempts attempts;
  private final Places places;
  private final ExecutorService hands;

  GangRuns(
      PodSettings settings,
      Api api,
      ClusterSight cluster,
      Gangs gangs,
      Attempts attempts,
      ExecutorService hands) {
    this.settings = settings;
    this.api = api;
    this.cluster = cluster;
    this.gangs = gangs;
    this.attempts = attempts;
    this.places = new Places(cluster);
    this.hands = hands;
  }

  /** Writes down which pod is to be where. */
  AttemptRecord launch(Launch launch) throws IOException {
    Gang gang = gangs.find(launch.arrival());
    List<Target> targets = gang == null ? List.of() : places.targets(gang, launch.allocation());
    AttemptRecord record = attempts.add(launch, targets);
    if (gang == null || targets.isEmpty()) {
      end(record, stopped("its pods are not there any more, or cannot be cut so"));
    } else {
      gangs.launched(gang);
    }
    return record;
  }

  /** No loss of anybody's: it was not let run, or had to go. */
  private static Status.Phase stopped(String why) {
    return new Status.Exited(STOPPED, true, why);
  }

  /** Takes up pods that came since. */
  private void follow(AttemptRecord record) throws IOException {
    Gang gang = gangs.find(record.arrival);
    List<Target> late = gang == null ? List.of() : places.late(gang, record);
    if (!late.isEmpty()) {
      record.targets = Stream.concat(record.targets.stream(), late.stream()).toList();
      record.uids = record.targets.stream().map(Target::uid).toList();
      record.save();
      attempts.own(record);
    }
  }

  private void end(AttemptRecord record, Status.Phase phase) throws IOException {
    attempts.end(record, phase, record.progress);
  }

  /** Does what there is to do now for an attempt that has not ended. */
  void tend(AttemptRecord record) throws IOException {
    if (record.wasRunning && !isEnding(record)) {
      follow(record);
    }
    List<@Nullable PodSight> pods = new ArrayList<>();
    for (Target target : record.targets) {
      pods.add(sight(record, target));
    }
    if (!record.binding) {
      if (record.isStopping()) {
        end(record, new Status.Gone(Ends.STOPPED));
        return;
      }
      String why = whyNot(record, pods);
      if (!why.isEmpty()) {
        end(record, stopped(why));
        return;
      }
      record.binding = true;
      record.save();
    }
    if (!record.isStopping() && record.doom.isEmpty()) {
      bind(record, pods);
    }
    judge(record, pods);
    boolean isOver = true;
    for (int i = 0; i < pods.size(); i++) {
      PodSight pod = pods.get(i);
      boolean isFree = pod != null && pod.node().isEmpty() && !pod.isLeaving();
      boolean isBound = record.boundUids.contains(record.targets.get(i).uid());
      // One that somebody else bound is theirs: it may run for ever.
      boolean isOthers =
          pod != null && !pod.node().isEmpty() && !pod.node().equals(record.targets.get(i).node());
      isOver &=
          pod == null || pod.isOver() || (isEnding(record) && ((isFree && !isBound) || isOthers));
    }
    if (isOver) {
      finish(record, pods);
    } else if (isEnding(record)) {
      evict(record, pods);
    } else if (!record.wasRunning && pods.stream().allMatch(GangRuns::hasBegun)) {
      record.wasRunning = true;
      record.save();
      attempts.tell(record);
    }
  }

  private static boolean hasBegun(@Nullable PodSight pod) {
    return pod != null && (pod.state() instanceof Running || pod.state() instanceof Ended);
  }

  private static boolean isEnding(AttemptRecord record) {
    return record.isStopping() || !record.doom.isEmpty();
  }

  /** As it was last told; null: it is not there any more. */
  private @Nullable PodSight sight(AttemptRecord record, Target target) {
    PodSight ended;
    synchronized (record) {
      ended = record.lastSights.get(target.uid());
    }
    PodSight told = cluster.pod(target.namespace(), target.name());
    PodSight now = told == null || !told.uid().equals(target.uid()) ? null : told;
    if (now != null) {
      attempts.remember(record, now);
    }
    return ended != null ? ended : now;
  }

  /** Looks once more before the first is bound: others bind pods too. */
  private String whyNot(AttemptRecord record, List<@Nullable PodSight> pods) {
    Map<String, Load> wanted = new HashMap<>();
    for (int i = 0; i < pods.size(); i++) {
      PodSight pod = pods.get(i);
      if (pod == null || pod.isLeaving() || !pod.node().isEmpty()) {
        return "its pods changed before they were bound";
      }
      wanted.merge(record.targets.get(i).node(), Load.of(pod), Load::plus);
    }
    Map<String, Load> loads = cluster.loads();
    for (Map.Entry<String, Load> each : wanted.entrySet()) {
      NodeSight node = cluster.node(each.getKey());
      Load all = each.getValue().plus(loads.getOrDefault(each.getKey(), Load.NOTHING));
      if (node == null || !node.whyClosed().isEmpty()) {
        return "node %s takes no pods any more".formatted(each.getKey());
      }
      if (!node.hasRoom(all)) {
        return "others took what was free on node %s".formatted(each.getKey());
      }
    }
    return "";
  }

  /** All at once. If one cannot be bound, those that were are ended. */
  private void bind(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    Map<Target, Future<Answer>> asked = new HashMap<>();
    for (int i = 0; i < pods.size(); i++) {
      Target target = record.targets.get(i);
      PodSight pod = pods.get(i);
      if (pod != null && pod.node().equals(target.node())) {
        record.boundUids.add(target.uid());
      } else if (pod != null && pod.node().isEmpty() && !record.boundUids.contains(target.uid())) {
        asked.put(target, hands.submit(() -> api.bind(target)));
      }
    }
    IOException failure = null;
    for (Map.Entry<Target, Future<Answer>> each : asked.entrySet()) {
      try {
        Answer answer = each.getValue().get();
        if (answer == Answer.DONE) {
          record.boundUids.add(each.getKey().uid());
        } else {
          doom(record, "pod %s cannot be bound any more".formatted(each.getKey().name()));
        }
      } catch (ExecutionException e) {
        failure =
            e.getCause() instanceof IOException said
                ? said
                : new IOException(String.valueOf(e.getCause()), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (failure != null && record.doom.isEmpty()) {
      throw failure;
    }
  }

  private static void doom(AttemptRecord record, String why) throws IOException {
    if (record.doom.isEmpty()) {
      record.doom = why;
      record.save();
    }
  }

  /** One that failed, or was taken away, takes the others with it. */
  private void judge(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    if (isEnding(record)) {
      return;
    }
    for (int i = 0; i < pods.size(); i++) {
      PodSight pod = pods.get(i);
      if (pod != null
          && !pod.isLeaving()
          && pod.state() instanceof Ended(int code, String reason, String message)
          && code != 0) {
        String name = record.targets.get(i).name();
        doom(
            record, "its pod %s ended with code %d%s".formatted(name, code, said(reason, message)));
      }
    }
    boolean hasTrouble = false;
    for (int i = 0; i < pods.size(); i++) {
      PodSight pod = pods.get(i);
      Target target = record.targets.get(i);
      if (pod != null
          && pod.state() instanceof Waiting(String reason, String message)
          && !reason.isEmpty()) {
        hasTrouble = true;
        if (Tending.isOverdue(record, settings)) {
          String name = target.name();
          doom(
              record, "the image of pod %s cannot be had%s".formatted(name, said(reason, message)));
        }
      }
      if (pod == null || pod.isLeaving()) {
        doom(record, "its pod %s was removed".formatted(target.name()));
      } else if (!pod.node().isEmpty() && !pod.node().equals(target.node())) {
        doom(record, "its pod %s was bound by somebody else".formatted(target.name()));
      } else if (!pod.isOver()) {
        lookAtNode(record, target);
      }
    }
    if (!hasTrouble) {
      record.troubleSinceSeconds = Double.NaN;
    }
  }

  private static String said(String reason, String message) {
    String words = (reason + " " + message).strip();
    return words.isEmpty() || words.equals("Error") ? "" : ": " + words;
  }

  private void lookAtNode(AttemptRecord record, Target target) throws IOException {
    NodeSight node = cluster.node(target.node());
    if (settings.lostSeconds() <= 0 || (node != null && node.isReady())) {
      record.silentSinceSeconds.remove(target.uid());
      return;
    }
    double since = record.silentSinceSeconds.computeIfAbsent(target.uid(), _ -> Attempts.now());
    if (Attempts.now() >= since + settings.lostSeconds()) {
      doom(record, "node %s does not answer".formatted(target.node()));
      api.delete(target, 0);
    }
  }

  /** Has those that are on nodes leave. Budgets are respected unless they never all ran. */
  private void evict(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    for (int i = 0; i < pods.size(); i++) {
      PodSight pod = pods.get(i);
      Target target = record.targets.get(i);
      boolean isOurs =
          pod != null
              && (pod.node().equals(target.node())
                  || (pod.node().isEmpty() && record.boundUids.contains(target.uid())));
      if (pod == null || pod.isOver() || !isOurs) {
        continue;
      }
      double kill = record.killSeconds;
      double last = record.deletedSeconds.getOrDefault(target.uid(), Double.NEGATIVE_INFINITY);
      Double told = record.toldKillSeconds.get(target.uid());
      boolean isSooner = record.isStopping() && (told == null || kill < told - 1);
      boolean isDue = Attempts.now() >= last + AGAIN_SECONDS;
      if ((pod.isLeaving() && !isSooner) || (!isDue && !isSooner)) {
        continue;
      }
      record.deletedSeconds.put(target.uid(), Attempts.now());
      long grace =
          Double.isInfinite(kill)
              ? record.wasRunning ? (long) Math.ceil(record.graceSeconds) : SHORTEST_GRACE_SECONDS
              : Math.max(SHORTEST_GRACE_SECONDS, (long) Math.ceil(kill - Attempts.now()));
      Answer answer =
          record.wasRunning && !pod.isLeaving()
              ? api.evict(target, grace)
              : api.delete(target, grace);
      if (answer == Answer.DONE) {
        record.toldKillSeconds.put(target.uid(), kill);
      } else if (answer == Answer.TOO_MANY) {
        throw new IOException(
            "pod %s is not evicted: a disruption budget does not allow it".formatted(target.key()));
      }
    }
  }

  /** No pod of it runs. What makes them says whether that was all. */
  private void finish(AttemptRecord record, List<@Nullable PodSight> pods) throws IOException {
    int code = code(pods);
    boolean isWhole = pods.stream().allMatch(GangRuns::hasEnded);
    List<KubeOwner> owners = gangs.owners(record.arrival);
    if (record.isStopping() && !(isWhole && code == 0)) {
      end(record, new Status.Exited(code == 0 ? STOPPED : code, true));
    } else if (!record.doom.isEmpty() && pods.stream().noneMatch(GangRuns::hasEnded)) {
      // Nothing that its owner could judge: it was not let run, or was taken away.
      end(record, stopped(record.doom));
    } else if (owners.isEmpty()) {
      boolean isGone = gangs.hadOwner(record.arrival) && !isWhole;
      end(
          record,
          isGone
              ? new Status.Gone("what made its pods was deleted")
              : isWhole
                  ? new Status.Exited(code, false, record.doom)
                  : new Status.Gone(record.doom));
    } else if (owners.stream().anyMatch(each -> each.hasEnded() && !each.hasSucceeded())) {
      end(record, new Status.Exited(code == 0 ? 1 : code, false, record.doom));
    } else if (owners.stream().allMatch(KubeOwner::hasEnded)) {
      end(record, new Status.Exited(0, false));
    } else {
      settle(record, code);
    }
  }

  private static boolean hasEnded(@Nullable PodSight pod) {
    return pod != null && pod.state() instanceof Ended;
  }

  /** Of the first that failed by itself; those that were deleted for it may have failed too. */
  private static int code(List<@Nullable PodSight> pods) {
    int ofDeleted = 0;
    for (PodSight pod : pods) {
      if (pod != null && pod.state() instanceof Ended(int code, String _, String _) && code != 0) {
        if (!pod.isLeaving()) {
          return code;
        }
        ofDeleted = ofDeleted == 0 ? code : ofDeleted;
      }
    }
    return ofDeleted;
  }

  /** What makes the pods takes a moment to see that they have ended. */
  private void settle(AttemptRecord record, int code) throws IOException {
    if (Double.isNaN(record.settledSinceSeconds)) {
      record.settledSinceSeconds = Attempts.now();
    }
    if (Attempts.now() >= record.settledSinceSeconds + SETTLE_SECONDS
        || gangs.hasNewPods(record.arrival, new HashSet<>(record.uids))) {
      end(
          record,
          new Status.Exited(
              code == 0 ? STOPPED : code,
              true,
              record.doom.isEmpty() ? "what makes its pods makes more of them" : record.doom));
    }
  }
}
