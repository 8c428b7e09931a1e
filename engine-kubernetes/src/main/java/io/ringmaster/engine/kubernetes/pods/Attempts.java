package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import io.ringmaster.engine.kubernetes.pods.PodSight.Ended;
import io.ringmaster.engine.kubernetes.pods.Result.Progress;
import io.ringmaster.engine.local.AttemptFolder;
import io.ringmaster.engine.local.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is known of attempts, on disk before anybody is told. */
final class Attempts {
  private final DataFolder data;
  private final Map<AttemptId, AttemptRecord> records =
      new ConcurrentSkipListMap<>(
          Comparator.comparingLong(AttemptId::job).thenComparingInt(AttemptId::attempt));

  /** Those that have not ended, by the uids of their pods. */
  private final Map<String, AttemptRecord> live = new ConcurrentHashMap<>();

  private volatile Consumer<Status> changes = status -> {};

  Attempts(DataFolder data) throws IOException {
    this.data = data;
    for (AttemptFolder folder : data.found()) {
      AttemptRecord record = AttemptRecord.load(folder);
      if (record == null) {
        discard(folder);
      } else {
        records.put(folder.attempt(), record);
        own(record);
      }
    }
  }

  /** From now on it is found by its pods. */
  void own(AttemptRecord record) {
    if (record.isLive()) {
      record.uids.forEach(uid -> live.put(uid, record));
    }
  }

  /** Whose pod it is; null: of no attempt that has not ended. */
  @Nullable AttemptRecord ofPod(String uid) {
    return live.get(uid);
  }

  void listen(Consumer<Status> listener) {
    changes = listener;
  }

  @Nullable AttemptRecord find(AttemptId attempt) {
    return records.get(attempt);
  }

  List<AttemptRecord> all() {
    return List.copyOf(records.values());
  }

  List<Status> statuses() {
    return records.values().stream().map(AttemptRecord::status).toList();
  }

  AttemptFolder folder(AttemptId attempt) {
    return new AttemptFolder(data, attempt);
  }

  /** An attempt that was stopped before it was launched. */
  void bury(AttemptId attempt) throws IOException {
    AttemptFolder folder = folder(attempt);
    folder.create();
    AttemptRecord record = new AttemptRecord(folder, null, List.of(), 0);
    record.collected = true;
    Phase end = new Status.Gone("was never started");
    folder.end(new Status(attempt, end));
    record.save();
    record.end = end;
    records.put(attempt, record);
    tell(record);
  }

  /** Writes down what is to be launched; from then on it is. */
  AttemptRecord add(Launch launch, List<List<Integer>> slots, String objects) throws IOException {
    AttemptFolder folder = folder(launch.attempt());
    folder.create();
    AttemptRecord record =
        new AttemptRecord(folder, launch.allocation(), slots, launch.spec().graceSeconds());
    DataFolder.write(record.objects(), objects);
    record.save();
    records.put(launch.attempt(), record);
    return record;
  }

  /** Writes down which of somebody's own pods are to be bound where. */
  AttemptRecord add(Launch launch, List<Target> targets) throws IOException {
    AttemptFolder folder = folder(launch.attempt());
    folder.create();
    AttemptRecord record =
        new AttemptRecord(folder, launch.allocation(), List.of(), launch.spec().graceSeconds());
    record.arrival = launch.arrival();
    record.targets = List.copyOf(targets);
    record.uids = targets.stream().map(Target::uid).toList();
    record.collected = true;
    record.save();
    records.put(launch.attempt(), record);
    own(record);
    return record;
  }

  /** Uids of pods that somebody else made and that attempts of ours have, by their attempt. */
  Map<String, AttemptRecord> arrived() {
    Map<String, AttemptRecord> arrived = new HashMap<>();
    live.forEach((uid, record) -> {
      if (record.isLive() && !record.arrival.isEmpty()) {
        arrived.put(uid, record);
      }
    });
    return arrived;
  }

  /** An attempt that cannot be run. */
  void refuse(Launch launch, String why) throws IOException {
    AttemptRecord record =
        new AttemptRecord(folder(launch.attempt()), launch.allocation(), List.of(), 0);
    record.folder.create();
    record.collected = true;
    record.save();
    records.put(launch.attempt(), record);
    end(record, new Status.Exited(Manifests.CANNOT_BE_RUN, false, why), Progress.NONE);
  }

  /** GPUs of each node that no attempt has, by number: the lowest. */
  List<List<Integer>> freeSlots(Allocation allocation) {
    Map<String, Set<Integer>> taken = new HashMap<>();
    for (AttemptRecord record : records.values()) {
      Allocation on = record.allocation;
      if (record.isLive() && on != null) {
        for (int index = 0; index < record.pods(); index++) {
          taken
              .computeIfAbsent(on.shares().get(index).node(), node -> new HashSet<>())
              .addAll(record.slots.get(index));
        }
      }
    }
    List<List<Integer>> free = new ArrayList<>();
    for (Allocation.Share share : allocation.shares()) {
      Set<Integer> used = taken.getOrDefault(share.node(), Set.of());
      free.add(
          IntStream.iterate(0, slot -> slot + 1)
              .filter(slot -> !used.contains(slot))
              .limit(share.gpus())
              .boxed()
              .toList());
    }
    return free;
  }

  void forget(AttemptRecord record) throws IOException {
    records.remove(record.attempt());
    discard(record.folder);
  }

  private void discard(AttemptFolder folder) throws IOException {
    Path aside = data.discard(folder.path());
    if (aside != null) {
      DataFolder.tryDelete(aside);
    }
  }

  /** Keeps how a pod's container ended: somebody may remove the pod before it is looked at. */
  void remember(AttemptRecord record, PodSight pod) {
    if (pod.state() instanceof Ended) {
      synchronized (record) {
        record.lastSights.put(pod.uid(), pod);
      }
    }
  }

  void end(AttemptRecord record, Phase phase, Progress progress) throws IOException {
    synchronized (record) {
      record.progress = progress;
      record.save();
      record.folder.end(new Status(record.attempt(), phase, progress.doneShare()));
      record.end = phase;
    }
    record.uids.forEach(live::remove);
    tell(record);
  }

  /** Tells the one who listens what is new. */
  void tell(AttemptRecord record) {
    Status status = record.status();
    synchronized (record) {
      if (status.phase().equals(record.told)) {
        return;
      }
      record.told = status.phase();
    }
    changes.accept(status);
  }

  static double now() {
    return System.currentTimeMillis() * 1e-3;
  }
}
