package io.ringmaster.control.api;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.Explanation;
import io.ringmaster.control.store.Entry;
import io.ringmaster.control.store.Token;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How things look in JSON. */
final class Shapes {
  private Shapes() {}

  static Map<String, Object> job(Job job, double nowSeconds) {
    @Nullable Allocation allocation = job.held() != null ? job.held() : job.target();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", job.id());
    map.put("name", job.spec().name());
    map.put("user", job.user());
    map.put("state", job.state().text());
    map.put("reason", job.reason());
    map.put("gpus", job.spec().gpus());
    map.put("min_gpus", job.spec().minGpus());
    map.put("max_gpus", job.spec().maxGpus());
    map.put("workers", allocation == null ? 0 : allocation.workers());
    put(map, "allocation", allocation == null ? null : allocation.text());
    map.put("attempt", job.attempt());
    map.put("restarts", job.restarts());
    map.put("failures", job.failures());
    map.put("losses", job.losses());
    map.put("priority", job.spec().priority());
    put(map, "submitted_s", number(job.submittedSeconds()));
    put(map, "started_s", number(job.startedSeconds()));
    put(map, "ended_s", number(job.endedSeconds()));
    map.put("ran_s", ranSeconds(job, nowSeconds));
    map.put("done", job.doneShare());
    put(map, "exit_code", job.exitCode());
    map.put("spec", JobSpecs.map(job.spec()));
    return map;
  }

  /** Earlier attempts, and the present one if its processes run. */
  static double ranSeconds(Job job, double nowSeconds) {
    boolean running = job.held() != null && !Double.isNaN(job.attemptSeconds());
    return job.ranSeconds() + (running ? Math.max(0, nowSeconds - job.attemptSeconds()) : 0);
  }

  static Map<String, Object> entry(Entry entry) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("serial", entry.serial());
    map.put("at_s", entry.seconds());
    put(map, "from", entry.from() == null ? null : entry.from().text());
    map.put("to", entry.to().text());
    map.put("attempt", entry.attempt());
    put(map, "allocation", entry.allocation().isEmpty() ? null : entry.allocation());
    map.put("reason", entry.reason());
    return map;
  }

  /** As told to those who listen: an entry, and whose it is. */
  static Map<String, Object> event(Entry entry) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("job", entry.job());
    map.put("user", entry.user());
    map.putAll(entry(entry));
    return map;
  }

  static Map<String, Object> explanation(Explanation explanation) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("job", explanation.job().id());
    map.put("state", explanation.job().state().text());
    map.put("why", explanation.why());
    map.put("ahead", explanation.ahead());
    put(map, "predicted_start_s", number(explanation.startSeconds()));
    put(map, "predicted_end_s", number(explanation.endSeconds()));
    map.put("basis", explanation.basis());
    return map;
  }

  /** Every state, so that a reader need not know which are left out. */
  static Map<String, Long> counts(Map<JobState, Long> counts) {
    Map<String, Long> map = new LinkedHashMap<>();
    for (JobState state : JobState.values()) {
      map.put(state.text(), counts.getOrDefault(state, 0L));
    }
    return map;
  }

  static Map<String, Object> token(Token token) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", token.id());
    map.put("user", token.user());
    map.put("role", token.role().name().toLowerCase(Locale.ROOT));
    map.put("created_s", token.createdSeconds());
    put(map, "expires_s", number(token.expiresSeconds()));
    return map;
  }

  /** JSON has no NaN. */
  static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }

  @SuppressWarnings("NullAway") // A value that is null is written as null.
  static void put(Map<String, Object> map, String key, @Nullable Object value) {
    map.put(key, value);
  }
}
