package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import io.ringmaster.engine.kubernetes.pods.Result.Progress;
import io.ringmaster.engine.local.AttemptFolder;
import io.ringmaster.engine.local.DataFolder;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an attempt, in files that a server that is killed leaves behind. One thread at a
 * time tends it, with {@link #tending} held; fields are guarded by the record itself.
 */
final class AttemptRecord {
  private static final String FILE = "record";
  private static final String OBJECTS = "objects";

  final AttemptFolder folder;

  /** Null: it was stopped before it was ever launched. */
  final @Nullable Allocation allocation;

  /** For each node, which of its GPUs are taken. */
  final List<List<Integer>> slots;

  final double graceSeconds;

  /** What the place calls the job, if somebody else made its pods; else empty. */
  String arrival = "";

  /** The pods of an arrival, in the order of ranks. */
  List<Target> targets = List.of();

  /** Of its pods, once all have been made. Before that none was bound, and nothing ran. */
  List<String> uids = List.of();

  /** Whether somebody began to bind pods: from then on they may run. */
  boolean binding;

  /** Whether all pods were told that all are there. */
  boolean went;

  boolean wasRunning;
  double stopSeconds = Double.NaN;
  double killSeconds = Double.POSITIVE_INFINITY;

  /** Why its pods are being removed although nobody asked; empty: they are not. */
  String doom = "";

  /** Whether that is a failure of the job's own. */
  boolean isItsFault;

  /** Whether what its workers printed is here. */
  boolean collected;

  Progress progress = Progress.NONE;
  @Nullable Phase end;

  // What need not be remembered.
  final ReentrantLock tending = new ReentrantLock();
  final AtomicInteger asked = new AtomicInteger();

  /** Pods that have ended, as they were last told: somebody else may remove them. */
  final Map<String, PodSight> lastSights = new HashMap<>();

  /** What each pod was last told of when it is to be killed. */
  final Map<String, Double> toldKillSeconds = new HashMap<>();

  final Set<String> boundUids = new HashSet<>();

  /** When each pod was last asked to go. */
  final Map<String, Double> deletedSeconds = new HashMap<>();

  /** Since when the node of a pod does not answer. */
  final Map<String, Double> silentSinceSeconds = new HashMap<>();

  /** When all are killed because one of them has failed. */
  double failedKillSeconds = Double.POSITIVE_INFINITY;

  /** Whether one of its pods was seen to have failed before it was to stop. */
  boolean failedFirst;

  double troubleSinceSeconds = Double.NaN;

  /** Since when all pods of an arrival have ended, and its owner has not said what that means. */
  double settledSinceSeconds = Double.NaN;

  int collectTries;
  double polledSeconds = Double.NEGATIVE_INFINITY;
  String complaint = "";
  Phase told = new Status.Pending();

  AttemptRecord(
      AttemptFolder folder,
      @Nullable Allocation allocation,
      List<List<Integer>> slots,
      double graceSeconds) {
    this.folder = folder;
    this.allocation = allocation;
    this.slots = slots;
    this.graceSeconds = graceSeconds;
  }

  AttemptId attempt() {
    return folder.attempt();
  }

  boolean isLive() {
    return end == null;
  }

  boolean isStopping() {
    return !Double.isNaN(stopSeconds);
  }

  int pods() {
    return slots.size();
  }

  boolean isCreated() {
    return !uids.isEmpty();
  }

  synchronized Status status() {
    Phase phase = end != null ? end : wasRunning ? new Status.Running() : new Status.Pending();
    return new Status(attempt(), phase, progress.doneShare(), progress.saved());
  }

  /** What is to be made in Kubernetes, until it is. */
  Path objects() {
    return folder.path().resolve(OBJECTS);
  }

  synchronized void save() throws IOException {
    Properties fields = new Properties();
    fields.setProperty("allocation", allocation == null ? "" : allocation.text());
    fields.setProperty(
        "slots",
        slots.stream()
            .map(each -> each.stream().map(String::valueOf).collect(Collectors.joining(",")))
            .collect(Collectors.joining(";")));
    fields.setProperty("grace-s", Double.toString(graceSeconds));
    fields.setProperty("arrival", arrival);
    fields.setProperty("targets", Target.text(targets));
    fields.setProperty("uids", String.join(",", uids));
    fields.setProperty("binding", Boolean.toString(binding));
    fields.setProperty("went", Boolean.toString(went));
    fields.setProperty("was-running", Boolean.toString(wasRunning));
    fields.setProperty("stop-s", Double.toString(stopSeconds));
    fields.setProperty("kill-s", Double.toString(killSeconds));
    fields.setProperty("doom", doom);
    fields.setProperty("its-fault", Boolean.toString(isItsFault));
    fields.setProperty("collected", Boolean.toString(collected));
    fields.setProperty("saved", Boolean.toString(progress.saved()));
    StringWriter text = new StringWriter();
    fields.store(text, null);
    DataFolder.write(folder.path().resolve(FILE), text.toString());
  }

  /** Null: its launch was never written down whole, and so has not happened. */
  static @Nullable AttemptRecord load(AttemptFolder folder) throws IOException {
    Path file = folder.path().resolve(FILE);
    if (!Files.exists(file)) {
      return null;
    }
    Properties fields = new Properties();
    fields.load(new StringReader(Files.readString(file)));
    String allocation = fields.getProperty("allocation", "");
    List<List<Integer>> slots = new ArrayList<>();
    for (String node : fields.getProperty("slots", "").split(";", -1)) {
      if (!node.isEmpty()) {
        slots.add(Arrays.stream(node.split(",", -1)).map(Integer::valueOf).toList());
      }
    }
    AttemptRecord record =
        new AttemptRecord(
            folder,
            allocation.isEmpty() ? null : Allocation.of(allocation),
            slots,
            Double.parseDouble(fields.getProperty("grace-s", "0")));
    String uids = fields.getProperty("uids", "");
    record.uids = uids.isEmpty() ? List.of() : List.of(uids.split(",", -1));
    record.arrival = fields.getProperty("arrival", "");
    record.targets = Target.of(fields.getProperty("targets", ""));
    record.binding = Boolean.parseBoolean(fields.getProperty("binding"));
    record.went = Boolean.parseBoolean(fields.getProperty("went"));
    record.wasRunning = Boolean.parseBoolean(fields.getProperty("was-running"));
    record.stopSeconds = Double.parseDouble(fields.getProperty("stop-s", "NaN"));
    record.killSeconds = Double.parseDouble(fields.getProperty("kill-s", "Infinity"));
    record.doom = fields.getProperty("doom", "");
    record.isItsFault = Boolean.parseBoolean(fields.getProperty("its-fault"));
    record.collected = Boolean.parseBoolean(fields.getProperty("collected"));
    Status end = folder.end();
    double share = end == null ? Double.NaN : end.doneShare();
    record.progress = new Progress(Boolean.parseBoolean(fields.getProperty("saved")), share);
    record.end = end == null ? null : end.phase();
    return record;
  }
}
