package io.ringmaster.report;

import io.ringmaster.model.Demand;
import io.ringmaster.policy.WaitReason;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long one job waited for what. */
final class JobWait {
  /** It would have fitted, and no other job was seen to go first. */
  static final int NOBODY = -1;

  final int job;

  /** The fewest GPUs that the policy would have started it with, as far as is seen. */
  final int need;

  final Demand demand;
  private final Map<WaitReason, Double> seconds = new EnumMap<>(WaitReason.class);
  private final Map<Integer, Double> behind = new HashMap<>();
  private @Nullable WaitReason reason;
  private int whom = NOBODY;
  private double since;
  private int overtaken;

  JobWait(int job, int need, Demand demand) {
    this.job = job;
    this.need = need;
    this.demand = demand;
  }

  /** From a moment on it waits for this. */
  void waitsFor(double now, WaitReason nowFor, int nowBehind) {
    if (nowFor != reason || nowBehind != whom) {
      stop(now);
      reason = nowFor;
      whom = nowBehind;
      since = now;
    }
  }

  void stop(double now) {
    if (reason != null) {
      seconds.merge(reason, now - since, Double::sum);
      if (reason == WaitReason.BEHIND) {
        behind.merge(whom, now - since, Double::sum);
      }
    }
    reason = null;
  }

  @Nullable WaitReason reason() {
    return reason;
  }

  void overtake() {
    overtaken++;
  }

  double seconds(WaitReason of) {
    return seconds.getOrDefault(of, 0.0);
  }

  double waitSeconds() {
    return seconds.values().stream().mapToDouble(s -> s).sum();
  }

  double secondsBehind(int other) {
    return behind.getOrDefault(other, 0.0);
  }

  /** Whom it waited behind, the longest first. */
  List<Integer> behind() {
    return behind.keySet().stream()
        .filter(other -> other != NOBODY)
        .sorted(
            Comparator.comparingDouble((Integer other) -> -secondsBehind(other))
                .thenComparingInt(other -> other))
        .toList();
  }

  int overtaken() {
    return overtaken;
  }
}
