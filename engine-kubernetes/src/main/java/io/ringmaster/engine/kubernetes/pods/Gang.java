package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.trace.KubeOwner;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Pods of somebody's own that start together.
 *
 * @param pods those that have not ended, in the order of ranks
 * @param owners what makes them, as far as it may be seen
 * @param size how many there are to be; {@link #UNKNOWN}: nobody says so
 * @param least of its group, which could start with so many; 0: it has none
 */
record Gang(
    String key, String name, List<PodSight> pods, List<KubeOwner> owners, int size, int least) {
  static final Comparator<PodSight> RANKS =
      Comparator.comparingInt((PodSight pod) -> theirs(pod).index())
          .thenComparingInt(pod -> pod.name().length())
          .thenComparing(PodSight::name);

  /** The size of one that is never whole. */
  static final int UNKNOWN = Integer.MAX_VALUE;

  private static final double BYTES_PER_GB = 1e9;

  static Theirs theirs(PodSight pod) {
    Theirs theirs = pod.theirs();
    if (theirs == null) {
      throw new IllegalArgumentException(pod.key() + " is not somebody else's");
    }
    return theirs;
  }

  Theirs any() {
    return theirs(pods.getFirst());
  }

  String namespace() {
    return pods.getFirst().namespace();
  }

  /** Of those that have GPUs. */
  List<PodSight> workers() {
    return pods.stream().filter(pod -> pod.requests().gpus() > 0).toList();
  }

  /** Of each pod that has GPUs; 0: none has; negative: they differ. */
  int gpusOfEach() {
    List<Integer> sizes = workers().stream().map(pod -> pod.requests().gpus()).distinct().toList();
    return sizes.isEmpty() ? 0 : sizes.size() == 1 ? sizes.getFirst() : -1;
  }

  /** What makes them, whether it may be seen or not; empty: nobody does. */
  List<String> ownerUids() {
    return !owners.isEmpty()
        ? owners.stream().map(KubeOwner::uid).toList()
        : isMadeAnew() ? List.of(any().ownerUid()) : List.of();
  }

  /** Whether new pods come when these are gone. */
  boolean isMadeAnew() {
    return !any().ownerUid().isEmpty();
  }

  /**
   * What the plane is to know of it.
   *
   * @param mark of nodes that it may be on; empty: any
   */
  JobSpec spec(String mark) {
    Theirs theirs = any();
    int each = Math.max(1, gpusOfEach());
    int without = pods.size() - workers().size();
    int workers = Math.max(1, size - without);
    // Pods of several GPUs are not cut: who takes one more worker would have half a pod.
    boolean isElastic = each == 1 && isMadeAnew() && theirs.isResumable();
    int most = isElastic && theirs.maxGpus() > 0 ? theirs.maxGpus() : Integer.MAX_VALUE;
    int gpus = Math.min(each * workers, most);
    Map<String, Object> fields = new HashMap<>();
    String clean = name.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[._-]+", "");
    fields.put("name", clean.isEmpty() ? "pod" : clean.substring(0, Math.min(64, clean.length())));
    fields.put("command", List.of("pods", namespace() + "/" + name));
    fields.put("gpus", gpus);
    int fewest = theirs.minGpus() > 0 ? theirs.minGpus() : least - without;
    if (isElastic && fewest > 0) {
      fields.put("min_gpus", Math.min(gpus, fewest));
    }
    if (each > 1) {
      fields.put("piece_gpus", each);
    }
    if (!mark.isEmpty()) {
      fields.put("nodes_marked", mark);
    }
    if (!Double.isNaN(theirs.durationSeconds())) {
      fields.put("duration_s", theirs.durationSeconds());
    }
    double cpus = pods.stream().mapToDouble(pod -> pod.requests().cpus()).sum();
    double bytes = pods.stream().mapToDouble(pod -> pod.requests().memoryBytes()).sum();
    int there = Math.max(1, each * workers().size());
    fields.put("cpus_per_gpu", rounded(cpus / there));
    fields.put("memory_gb_per_gpu", rounded(bytes / BYTES_PER_GB / there));
    fields.put("priority", theirs.priority());
    fields.put("grace_s", Math.clamp(theirs.graceSeconds(), 0, 86_400));
    fields.put("resumable", theirs.isResumable() && isMadeAnew());
    return JobSpecs.of(fields);
  }

  private static double rounded(double amount) {
    return Math.ceil(amount * 1e6) / 1e6;
  }

  /** Unique for ever: who changes what it asks for makes another one. */
  String id(JobSpec spec) {
    PodSight first =
        pods.stream()
            .min(
                Comparator.comparingDouble((PodSight pod) -> theirs(pod).createdSeconds())
                    .thenComparing(PodSight::uid))
            .orElseThrow();
    List<String> makers = ownerUids();
    String uid = makers.isEmpty() ? first.uid() : makers.getFirst();
    return "%s/%s/%s/%s"
        .formatted(
            namespace(),
            name,
            uid,
            String.format(Locale.ROOT, "%08x", Json.text(JobDescription.of(spec)).hashCode()));
  }
}
