package io.ringmaster.experiments.philly;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.rivals.Contender;
import io.ringmaster.experiments.rivals.Contest;
import io.ringmaster.experiments.rivals.Expected;
import io.ringmaster.experiments.rivals.Standing;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.simulator.Summary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Real work under every policy of the registry: stretches of the published Philly trace at three
 * loads, with lengths known, and predicted for policies that ask for them. It is of no paper, so no
 * row has a figure of one. What a draw is: {@link PhillyWorkload}. Then {@code maestro} beside
 * those that stop jobs too, by what is told of lengths and by how long a restart takes.
 */
public final class PhillyTraceExperiment implements Experiment {
  static final List<Double> LOADS = List.of(0.8, 1.0, 1.2);

  private static final int DRAWS = 5;

  /**
   * What {@code maestro} was tuned on has draws up to this one; beside rivals it has later ones.
   */
  private static final long TUNED_DRAWS = 20_000;

  /** Lines of a plot that can still be told apart. */
  private static final int PLOTTED = 10;

  /** Whose order the lines of a plot have. */
  private static final double PLOTTED_LOAD = 1.0;

  private final Scale scale;
  private final Supplier<Path> trace;
  private final List<PhillyCell> cells = new ArrayList<>();
  private final Grid<Contender, Standing> rivals;
  private final List<Contest> contests;
  private @Nullable Jobs jobs;

  public PhillyTraceExperiment() {
    this(Scale.FULL, () -> TraceFile.in(System.getenv(TraceFile.VARIABLE)));
  }

  /** At another scale, on another file. */
  PhillyTraceExperiment(Scale scale, Supplier<Path> trace) {
    this.scale = scale;
    this.trace = trace;
    List<PolicySpec> policies = Policies.all();
    List<PolicySpec> asking = policies.stream().filter(PhillyCell::asksForLengths).toList();
    LOADS.forEach(load -> policies.forEach(p -> cells.add(new PhillyCell(load, false, p))));
    LOADS.forEach(load -> asking.forEach(p -> cells.add(new PhillyCell(load, true, p))));
    contests =
        Contest.all(LOADS.stream().map(load -> new Stretch(load, scale, this::jobs)).toList());
    rivals =
        new Grid<Contender, Standing>(
                contests.stream().flatMap(Contest::contenders).toList(),
                (each, draw) -> each.run(TUNED_DRAWS + draw))
            .withAtMost(_ -> Contest.DRAWS);
  }

  /** Those of the trace, read once. */
  private synchronized Jobs jobs() {
    if (jobs == null) {
      jobs = TraceFile.read(trace.get(), scale.cluster().totalGpus());
    }
    return jobs;
  }

  @Override
  public String name() {
    return "philly-trace";
  }

  @Override
  public String summary() {
    return "Stretches of the published Philly trace on 64 servers of 8 GPUs: mean completion under"
        + " every policy, by load, with lengths known and predicted. Needs the trace.";
  }

  @Override
  public String source() {
    return "the table of Philly's jobs of petuum/adaptdl (Qiao et al., OSDI 2021), from"
        + " msr-fiddle/philly-traces (Jeon et al., USENIX ATC 2019); the experiment is our own";
  }

  @Override
  public int defaultDraws() {
    return DRAWS;
  }

  @Override
  public String columns() {
    return "load";
  }

  @Override
  public long steps(int draws) {
    return (long) draws * cells.size() + rivals.steps(draws);
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    Cluster cluster = scale.cluster();
    List<PhillyWorkload> workloads =
        IntStream.rangeClosed(1, draws)
            .mapToObj(number -> PhillyWorkload.numbered(number, jobs(), scale.jobs()))
            .toList();
    Outcomes<PhillyCell, Summary> outcomes =
        new Grid<PhillyCell, Summary>(
                cells, (each, draw) -> each.run(cluster, workloads.get(draw - 1), draw))
            .run(draws, threads, done);
    List<Row> rows = new ArrayList<>();
    for (PhillyCell each : cells) {
      for (PhillyCell.Metric metric : PhillyCell.METRICS) {
        Statistics figure = outcomes.over(each, metric.of());
        rows.add(
            new Row(each.setting(), each.policy().name(), each.lengths(), metric.name(), figure));
      }
    }
    List<Plot> plots =
        List.of(
            plot("jct-over-bound", "lengths known", rows, false),
            plot("jct-over-bound-predicted", "lengths predicted", rows, true));
    long before = (long) draws * cells.size();
    Outcomes<Contender, Standing> standings =
        rivals.run(draws, threads, steps -> done.accept(before + steps));
    contests.forEach(contest -> rows.addAll(contest.rows(Map.of(), standings::all)));
    return new Results(rows, plots, new Expected(rows).all());
  }

  /** The policies that are the best at one load, at all. */
  private Plot plot(String name, String lengths, List<Row> rows, boolean predicted) {
    List<Row> shown =
        rows.stream()
            .filter(row -> row.metric().equals(PhillyCell.OVER_BOUND.name()))
            .filter(row -> row.setting().size() == (predicted ? 2 : 1))
            .toList();
    Map<String, Plot.Series> lines = new HashMap<>();
    Plot.lines(shown, Row::policy, row -> row.number("load"))
        .forEach(line -> lines.put(line.name(), line));
    List<Plot.Series> series =
        shown.stream()
            .filter(row -> row.number("load") == PLOTTED_LOAD)
            .sorted(Comparator.comparingDouble(row -> row.figure().mean()))
            .limit(PLOTTED)
            .map(best -> Objects.requireNonNull(lines.get(best.policy())))
            .toList();
    return new Plot(
        name,
        "The %d best policies at load 1, %s".formatted(series.size(), lengths),
        "load",
        "mean completion over the lower bound",
        series);
  }
}
