package io.ringmaster.control.api;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.Inventory;
import io.ringmaster.control.plane.MeasuredSummary;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.workload.json.RecordFields.Inline;
import io.ringmaster.workload.json.RecordFields.Named;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the API says: one record a shape, with its fields in their order. A test compares them with
 * openapi.yaml and with the dashboard's types.
 */
final class Shapes {
  private Shapes() {}

  record Failure(String error) {}

  record Jobs(List<Job> jobs, @Nullable Long next, Map<String, Long> counts) {}

  /** Also what is said of a job to a caller who made or cancelled it. */
  record Job(
      long id,
      String name,
      String user,
      @Nullable String arrival,
      String state,
      String reason,
      int gpus,
      int minGpus,
      int maxGpus,
      int workers,
      @Nullable String allocation,
      int attempt,
      int restarts,
      int failures,
      int losses,
      int priority,
      double submittedSeconds,
      @Nullable Double startedSeconds,
      @Nullable Double endedSeconds,
      double ranSeconds,
      double restartSeconds,
      double lostSeconds,
      double lostGpuSeconds,
      double done,
      @Nullable Speed speed,
      @Nullable Integer exitCode,
      JobDescription spec) {

    static Job of(io.ringmaster.control.job.Job job, double nowSeconds) {
      @Nullable Allocation allocation = job.held() != null ? job.held() : job.target();
      return new Job(
          job.id(),
          job.spec().name(),
          job.user(),
          job.arrival().isEmpty() ? null : job.arrival(),
          job.state().text(),
          job.reason(),
          job.spec().gpus(),
          job.spec().minGpus(),
          job.spec().maxGpus(),
          allocation == null ? 0 : allocation.workers(),
          allocation == null ? null : allocation.text(),
          job.attempt(),
          job.restarts(),
          job.failures(),
          job.losses(),
          job.spec().priority(),
          job.submittedSeconds(),
          number(job.startedSeconds()),
          number(job.endedSeconds()),
          Shapes.ranSeconds(job, nowSeconds),
          job.meter().restartSeconds(),
          job.lost().seconds(),
          job.lost().gpuSeconds(),
          job.doneShare(),
          Speed.of(job),
          job.exitCode(),
          JobDescription.of(job.spec()));
    }
  }

  record JobWithHistory(@Inline Job job, List<Entry> history) {}

  /** Of the present attempt, once it can be told. */
  record Speed(
      int workers,
      double donePerSecond,
      @Nullable Double predictedDonePerSecond,
      @Nullable Double stepSeconds) {

    static @Nullable Speed of(io.ringmaster.control.job.Job job) {
      double rate = job.rate();
      Allocation held = job.held();
      if (Double.isNaN(rate) || held == null) {
        return null;
      }
      double miniBatches = job.spec().iterations() * job.spec().gpus();
      return new Speed(
          held.workers(),
          rate,
          number(job.meter().predictedRate()),
          number(held.workers() / (miniBatches * rate)));
    }
  }

  /** Earlier attempts, and the present one if its processes run. */
  private static double ranSeconds(io.ringmaster.control.job.Job job, double nowSeconds) {
    boolean running = job.held() != null && !Double.isNaN(job.attemptSeconds());
    return job.ranSeconds() + (running ? Math.max(0, nowSeconds - job.attemptSeconds()) : 0);
  }

  record Entry(
      long serial,
      double atSeconds,
      @Nullable String from,
      String to,
      int attempt,
      @Nullable String allocation,
      String reason) {

    static Entry of(io.ringmaster.control.store.Entry entry) {
      return new Entry(
          entry.serial(),
          entry.seconds(),
          entry.from() == null ? null : entry.from().text(),
          entry.to().text(),
          entry.attempt(),
          entry.allocation().isEmpty() ? null : entry.allocation(),
          entry.reason());
    }
  }

  /** As told to those who listen: an entry, and whose it is. */
  record Event(long job, String user, @Inline Entry entry) {
    static Event of(io.ringmaster.control.store.Entry entry) {
      return new Event(entry.job(), entry.user(), Entry.of(entry));
    }
  }

  record Explanation(
      long job,
      String state,
      List<String> why,
      int ahead,
      @Nullable Double predictedStartSeconds,
      @Nullable Double predictedEndSeconds,
      @Nullable Double asOfSeconds,
      String basis) {

    static Explanation of(io.ringmaster.control.plane.Explanation said) {
      return new Explanation(
          said.job().id(),
          said.job().state().text(),
          said.why(),
          said.ahead(),
          number(said.startSeconds()),
          number(said.endSeconds()),
          number(said.asOfSeconds()),
          said.basis());
    }
  }

  record Curve(List<Attempt> attempts, List<Point> points) {}

  record Attempt(
      int attempt, int workers, @Nullable Double fromSeconds, @Nullable Double toSeconds) {}

  record Point(
      int attempt,
      @Nullable Double atSeconds,
      double done,
      @Nullable Double iteration,
      @Nullable Double samples,
      @Nullable Double loss) {}

  record Progress(List<JobProgress> jobs) {}

  /** Only what moves while nothing happens. */
  record JobProgress(long id, String state, double done, double ranSeconds) {
    static JobProgress of(io.ringmaster.control.job.Job job, double nowSeconds) {
      return new JobProgress(
          job.id(), job.state().text(), job.doneShare(), Shapes.ranSeconds(job, nowSeconds));
    }
  }

  record Nodes(List<Node> nodes) {}

  record Node(
      String name,
      int gpus,
      int freeGpus,
      boolean up,
      boolean drained,
      String reason,
      List<Long> jobs,
      @Nullable Integer declaredGpus,
      @Nullable String gpu,
      @Nullable Double cpus,
      @Nullable Double memoryBytes,
      List<String> path,
      Map<String, String> labels,
      HeldByOthers others) {

    static Node of(NodeRow row, Inventory inventory, HeldGpus held, Caller caller) {
      var node = inventory.merged(row);
      var others = node.others();
      Server declared = inventory.declared(row.name());
      return new Node(
          node.name(),
          node.gpus(),
          Math.max(0, node.gpus() - held.held(node.name()) - others.gpus()),
          node.up(),
          row.drained(),
          row.reason(),
          held.jobs(node.name(), caller),
          declared == null ? null : declared.gpus(),
          node.gpu().isEmpty() ? null : node.gpu(),
          number(node.cpus()),
          number(node.memoryBytes()),
          node.path(),
          new TreeMap<>(node.labels()),
          new HeldByOthers(others.gpus(), others.cpus(), others.memoryBytes()));
    }
  }

  record HeldByOthers(int gpus, double cpus, double memoryBytes) {}

  /** What a user has, had and may have; the GPU-seconds of all users are there for a share. */
  record User(
      String user,
      @Nullable Integer quotaGpus,
      int heldGpus,
      double dayGpuSeconds,
      double weekGpuSeconds,
      double allWeekGpuSeconds,
      Map<String, Long> counts) {}

  record Measured(Cost restart, Cost start) {}

  record Cost(
      @Nullable Double expectedSeconds,
      @Inline CostFigures figures,
      List<NamedCost> models,
      List<NamedCost> groups) {}

  record NamedCost(String name, @Inline CostFigures figures) {
    static NamedCost of(MeasuredSummary summary) {
      return new NamedCost(summary.name(), CostFigures.of(summary));
    }
  }

  record CostFigures(
      int count,
      @Nullable Double meanSeconds,
      @Nullable Double medianSeconds,
      @Nullable Double deviationSeconds) {

    static CostFigures of(MeasuredSummary summary) {
      return new CostFigures(
          summary.count(),
          number(summary.meanSeconds()),
          number(summary.medianSeconds()),
          number(summary.deviationSeconds()));
    }
  }

  record Policy(
      String policy, Map<String, String> settings, String lengths, @Nullable String error) {}

  record Policies(List<KnownPolicy> policies) {}

  record KnownPolicy(String name, String summary, String source, List<KnownSetting> parameters) {
    static KnownPolicy of(PolicySpec spec) {
      return new KnownPolicy(
          spec.name(),
          spec.summary(),
          spec.source(),
          spec.parameters().stream().map(KnownSetting::of).toList());
    }
  }

  record KnownSetting(
      String name,
      @Named("default") String usual,
      String expected,
      List<String> choices,
      String help,
      boolean simulationOnly) {

    static KnownSetting of(Parameter parameter) {
      return new KnownSetting(
          parameter.name(),
          parameter.defaultValue(),
          parameter.values().expected(),
          parameter.values() instanceof Parameter.Choice choice ? choice.words() : List.of(),
          parameter.help(),
          parameter.simulationOnly());
    }
  }

  /** What a policy would do with the present queue, beside the one that decides. */
  record Preview(
      PreviewedPolicy present,
      PreviewedPolicy preview,
      List<PreviewedJob> jobs,
      int leftOff,
      String basis) {

    static Preview of(io.ringmaster.control.plane.Preview preview) {
      return new Preview(
          PreviewedPolicy.of(preview.present()),
          PreviewedPolicy.of(preview.other()),
          preview.jobs().stream().map(PreviewedJob::of).toList(),
          preview.leftOff(),
          preview.basis());
    }
  }

  record PreviewedPolicy(
      String policy,
      Map<String, String> settings,
      String lengths,
      @Nullable Double waitMeanSeconds,
      @Nullable Double waitP95Seconds,
      @Nullable Double endMeanSeconds,
      int stops,
      double atRiskGpuSeconds) {

    static PreviewedPolicy of(io.ringmaster.control.plane.Preview.Side side) {
      return new PreviewedPolicy(
          side.policy(),
          new TreeMap<>(side.settings()),
          side.lengths().word(),
          number(side.waitMeanSeconds()),
          number(side.waitP95Seconds()),
          number(side.endMeanSeconds()),
          side.stops(),
          side.atRiskGpuSeconds());
    }
  }

  record PreviewedJob(
      long job,
      String name,
      String user,
      String state,
      int gpus,
      @Nullable Double startSeconds,
      @Nullable Double presentStartSeconds,
      int stops,
      int presentStops,
      double atRiskGpuSeconds) {

    static PreviewedJob of(io.ringmaster.control.plane.Preview.Fate fate) {
      return new PreviewedJob(
          fate.job().id(),
          fate.job().spec().name(),
          fate.job().user(),
          fate.job().state().text(),
          fate.job().spec().gpus(),
          number(fate.startSeconds()),
          number(fate.presentStartSeconds()),
          fate.stops(),
          fate.presentStops(),
          fate.atRiskGpuSeconds());
    }
  }

  record Self(String user, String role, boolean needsToken, boolean readOnly) {}

  record Tokens(List<Token> tokens) {}

  record Token(
      long id, String user, String role, double createdSeconds, @Nullable Double expiresSeconds) {

    static Token of(io.ringmaster.control.store.Token token) {
      return new Token(
          token.id(),
          token.user(),
          token.role().text(),
          token.createdSeconds(),
          number(token.expiresSeconds()));
    }
  }

  record NewToken(@Inline Token shown, @Named("token") String secret) {}

  /** What was removed of jobs that ended long ago, or would be. */
  record Cleaned(List<CleanedFiles> files, long jobs, long failures) {
    static Cleaned of(Cleanup.Removed removed) {
      return new Cleaned(
          removed.files().entrySet().stream()
              .map(each ->
                  new CleanedFiles(
                      each.getKey().text(), each.getValue().jobs(), each.getValue().bytes()))
              .toList(),
          removed.jobs(),
          removed.failures());
    }
  }

  record CleanedFiles(String what, long jobs, long bytes) {}

  record Health(String status) {}

  /**
   * Whether a server leads.
   *
   * @param reason why it is not ready
   * @param trouble what must not be and was found lately
   */
  record Role(String role, Optional<String> reason, Optional<String> trouble) {}

  /** Every state, so that a reader need not know which are left out. */
  static Map<String, Long> counts(Map<JobState, Long> counts) {
    Map<String, Long> all = new LinkedHashMap<>();
    for (JobState state : JobState.values()) {
      all.put(state.text(), counts.getOrDefault(state, 0L));
    }
    return all;
  }

  /** JSON has no NaN. */
  static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
