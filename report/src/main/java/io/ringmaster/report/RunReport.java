package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Server;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.SummaryDocument;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.workload.json.RecordFields.Named;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the page of a run shows: the fields of type {@code Run} in web/src/data.ts. */
@NamedAsDeclared
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

  public record Document(
      String kind,
      String title,
      String version,
      SummaryDocument summary,
      ShownCluster cluster,
      double start,
      double end,
      List<String> sizes,
      List<String> users,
      @Nullable ShownSegments segments,
      Grid.Cells grid,
      Timeline timeline,
      List<Quantiles.Distribution> distributions,
      List<GroupTable.Group> bySize,
      List<GroupTable.Group> byUser,
      List<WorstServed> worst) {}

  /** The servers, in columns. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record ShownCluster(String name, String network, List<String> servers, int[] gpus) {}

  /** A row for each server of each segment, in columns. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record ShownSegments(
      int[] job, double[] start, double[] end, int[] server, int[] gpus, ShownJobs jobs) {}

  /** All jobs, in columns. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record ShownJobs(
      List<String> id,
      double[] submit,
      double[] finish,
      @Named("wait") double[] waited,
      int[] gpus,
      int[] restarts,
      double[] slowdown,
      int[] size,
      int[] user,
      List<String> model) {}

  public static Document of(CompletedRun done, Segments segments) {
    return new RunReport(done.inputs().cluster(), done.inputs().jobs(), done.result(), segments)
        .document(done.document(), done.placement());
  }

  private Document document(SummaryDocument summary, PlacementRule rule) {
    boolean each = drawsEachSegment();
    int bins = each ? COARSE_GRID_BINS : GRID_BINS;
    return new Document(
        "run",
        summary.figures().policy() + " on " + cluster.name(),
        summary.version(),
        summary,
        shownCluster(),
        start,
        end,
        sizes.labels(),
        users.labels(),
        each ? shownSegments() : null,
        new Grid(cluster, jobs, segments, sizes, users, start, end, GRID_ROWS, bins).cells(),
        Timeline.of(jobs, outcomes.result(), segments, start, end, TIMELINE_BINS),
        List.of(
            Quantiles.of("jct", column(outcomes::jct)),
            Quantiles.of("wait", column(outcomes::wait)),
            Quantiles.of("run", column(outcomes::run)),
            Quantiles.of("slowdown", column(outcomes::slowdown))),
        GroupTable.of(outcomes, sizes.labels(), sizes::of),
        GroupTable.of(outcomes, users.labels(), users::of),
        Waits.of(cluster, jobs, outcomes.result(), segments, rule));
  }

  private boolean drawsEachSegment() {
    long ids = jobs.idTo(jobs.size() - 1) - (long) jobs.idFrom(0);
    long rows = (long) BYTES_PER_ROW * segments.size();
    return rows + (long) BYTES_PER_JOB * jobs.size() + ids <= MOST_BYTES;
  }

  private ShownCluster shownCluster() {
    return new ShownCluster(
        cluster.name(),
        cluster.network().word(),
        cluster.servers().stream().map(this::label).toList(),
        IntStream.range(0, cluster.size()).map(cluster::gpus).toArray());
  }

  /** Which GPUs it has is told where jobs name kinds of them. */
  private String label(Server server) {
    return jobs.namesKinds() ? server.name() + " " + server.gpu() : server.name();
  }

  private ShownSegments shownSegments() {
    int rows = segments.size();
    return new ShownSegments(
        IntStream.range(0, rows).map(segments::job).toArray(),
        IntStream.range(0, rows).mapToDouble(segments::start).toArray(),
        IntStream.range(0, rows).mapToDouble(segments::end).toArray(),
        IntStream.range(0, rows).map(segments::server).toArray(),
        IntStream.range(0, rows).map(segments::gpus).toArray(),
        shownJobs());
  }

  private ShownJobs shownJobs() {
    List<String> ids = new ArrayList<>();
    List<String> models = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      ModelProfile profile = jobs.profile(job);
      ids.add(jobs.id(job));
      models.add(profile == null ? "" : profile.id());
    }
    return new ShownJobs(
        ids,
        column(jobs::submitSeconds),
        column(outcomes.result()::finishSeconds),
        column(outcomes::wait),
        whole(jobs::gpus),
        whole(outcomes::restarts),
        column(outcomes::slowdown),
        whole(sizes::of),
        whole(users::of),
        models);
  }

  private int[] whole(IntUnaryOperator value) {
    return IntStream.range(0, jobs.size()).map(value).toArray();
  }

  private double[] column(IntToDoubleFunction value) {
    return IntStream.range(0, jobs.size()).mapToDouble(value).toArray();
  }
}
