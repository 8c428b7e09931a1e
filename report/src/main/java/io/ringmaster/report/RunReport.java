package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Server;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the page of a run shows: the fields of type {@code Run} in web/src/data.ts. */
public final class RunReport {
  /** What all segments may take on a page, so that it stays below 3 MB. */
  private static final long MOST_BYTES = 2_000_000;

  private static final int BYTES_PER_ROW = 30;
  private static final int BYTES_PER_JOB = 70;

  private static final int TIMELINE_BINS = 600;
  private static final int GRID_ROWS = 128;
  private static final int GRID_BINS = 600;

  /** A page that draws each segment needs cells only to tell of rings. */
  private static final int COARSE_GRID_BINS = 300;

  private static final int USERS = 200;

  private final Cluster cluster;
  private final Jobs jobs;
  private final Segments segments;
  private final JobOutcomes outcomes;
  private final SizeClasses sizes;
  private final Users users;
  private final double start;
  private final double end;

  private RunReport(Cluster cluster, Jobs jobs, RunResult result, Segments segments) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.segments = segments;
    this.outcomes = new JobOutcomes(jobs, result);
    this.sizes = new SizeClasses(jobs);
    this.users = new Users(jobs, USERS, outcomes::gpuSeconds);
    this.start = jobs.submitSeconds(0);
    this.end =
        IntStream.range(0, jobs.size()).mapToDouble(result::finishSeconds).max().orElse(start);
  }

  /**
   * The page's data.
   *
   * @param summary the document that summary.json holds
   * @param rule where the run's policy puts jobs
   */
  public static Map<String, Object> of(
      Map<String, Object> summary,
      Cluster cluster,
      Jobs jobs,
      RunResult result,
      Segments segments,
      PlacementRule rule) {
    return new RunReport(cluster, jobs, result, segments).document(summary, rule);
  }

  private Map<String, Object> document(Map<String, Object> summary, PlacementRule rule) {
    Map<String, Object> out = new LinkedHashMap<>();
    boolean each = drawsEachSegment();
    out.put("kind", "run");
    out.put("title", summary.get("policy") + " on " + cluster.name());
    out.put("version", String.valueOf(summary.get("version")));
    out.put("summary", summary);
    out.put("cluster", clusterDocument());
    out.put("start", start);
    out.put("end", end);
    out.put("sizes", sizes.labels());
    out.put("users", users.labels());
    putNullable(out, "segments", each ? segmentsDocument() : null);
    int bins = each ? COARSE_GRID_BINS : GRID_BINS;
    out.put(
        "grid",
        new Grid(cluster, jobs, segments, sizes, users, start, end, GRID_ROWS, bins).document());
    out.put("timeline", Timeline.of(jobs, outcomes.result(), segments, start, end, TIMELINE_BINS));
    out.put(
        "distributions",
        List.of(
            Quantiles.of("jct", column(outcomes::jct)),
            Quantiles.of("wait", column(outcomes::wait)),
            Quantiles.of("run", column(outcomes::run)),
            Quantiles.of("slowdown", column(outcomes::slowdown))));
    out.put("bySize", GroupTable.of(outcomes, sizes.labels(), sizes::of));
    out.put("byUser", GroupTable.of(outcomes, users.labels(), users::of));
    out.put("worst", Waits.of(cluster, jobs, outcomes.result(), segments, rule));
    return out;
  }

  private boolean drawsEachSegment() {
    long ids = jobs.idTo(jobs.size() - 1) - (long) jobs.idFrom(0);
    long rows = (long) BYTES_PER_ROW * segments.size();
    return rows + (long) BYTES_PER_JOB * jobs.size() + ids <= MOST_BYTES;
  }

  private Map<String, Object> clusterDocument() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", cluster.name());
    out.put("network", cluster.network().word());
    out.put("servers", cluster.servers().stream().map(Server::name).toList());
    out.put("gpus", IntStream.range(0, cluster.size()).map(cluster::gpus).toArray());
    return out;
  }

  private Map<String, Object> segmentsDocument() {
    Map<String, Object> out = new LinkedHashMap<>();
    int rows = segments.size();
    out.put("job", IntStream.range(0, rows).map(segments::job).toArray());
    out.put("start", IntStream.range(0, rows).mapToDouble(segments::start).toArray());
    out.put("end", IntStream.range(0, rows).mapToDouble(segments::end).toArray());
    out.put("server", IntStream.range(0, rows).map(segments::server).toArray());
    out.put("gpus", IntStream.range(0, rows).map(segments::gpus).toArray());
    Map<String, Object> each = new LinkedHashMap<>();
    List<String> ids = new ArrayList<>();
    List<String> models = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      ModelProfile profile = jobs.profile(job);
      ids.add(jobs.id(job));
      models.add(profile == null ? "" : profile.id());
    }
    each.put("id", ids);
    each.put("submit", column(jobs::submitSeconds));
    each.put("finish", column(outcomes.result()::finishSeconds));
    each.put("wait", column(outcomes::wait));
    each.put("gpus", IntStream.range(0, jobs.size()).map(jobs::gpus).toArray());
    each.put("restarts", IntStream.range(0, jobs.size()).map(outcomes::restarts).toArray());
    each.put("slowdown", column(outcomes::slowdown));
    each.put("size", IntStream.range(0, jobs.size()).map(sizes::of).toArray());
    each.put("user", IntStream.range(0, jobs.size()).map(users::of).toArray());
    each.put("model", models);
    out.put("jobs", each);
    return out;
  }

  private double[] column(IntToDoubleFunction value) {
    return IntStream.range(0, jobs.size()).mapToDouble(value).toArray();
  }

  @SuppressWarnings("NullAway") // JSON has null; a LinkedHashMap takes it.
  private static void putNullable(Map<String, Object> out, String key, @Nullable Object value) {
    out.put(key, value);
  }
}
