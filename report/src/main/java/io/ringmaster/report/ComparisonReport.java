package io.ringmaster.report;

import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.json.RecordFields.Named;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a comparison shows: the fields of type {@code Comparison} in web/src/data.ts.
 */
@NamedAsDeclared
public final class ComparisonReport {
  /** If the slowest takes longer than so many times the fastest, pictures do not show all of it. */
  private static final double WIDEST = 2.5;

  private static final double SHOWN = 2;

  private ComparisonReport() {}

  /**
   * What is known of all runs.
   *
   * @param lead what was compared on what, in a sentence
   * @param inputs where the jobs come from, by seed or once for all
   * @param settings as they were given
   * @param truth null: nobody knows what happened
   * @param notes what whoever reads the figures must know, in sentences
   */
  public record Facts(
      String version,
      String cluster,
      String lead,
      boolean validated,
      List<Long> seeds,
      List<RunInputs.Provenance> inputs,
      List<String> settings,
      double boundJctSeconds,
      double boundMakespanSeconds,
      List<SearchedBounds> noPreemptionBounds,
      List<String> sizes,
      @Nullable Truth truth,
      List<String> notes) {}

  /**
   * What happened to the jobs.
   *
   * @param jobs those of which it is known
   * @param figures those that are known, by their keys in summary.json
   * @param replayed under policies that the site may have had, the closest first
   */
  public record Truth(int jobs, Map<String, Double> figures, List<ReplayedTruth> replayed) {}

  /**
   * One policy over all seeds.
   *
   * @param lengths what it knows of them: known, predicted or none
   * @param figures by key: its mean and half of its 95 % interval
   * @param folder of its first run, beside the page
   * @param runs one for each seed
   */
  public record Policy(
      String name,
      String lengths,
      Map<String, Statistics> figures,
      String folder,
      List<ComparedRun> runs) {}

  public record Document(
      String kind,
      String title,
      String version,
      String lead,
      boolean validated,
      List<Long> seeds,
      List<RunInputs.Provenance> inputs,
      List<String> settings,
      double boundJct,
      double boundMakespan,
      List<SearchedBounds> noPreemptionBounds,
      List<Double> share,
      List<ShownPolicy> policies,
      long mostJobsKept,
      Pairs.@Nullable Document pairs,
      List<String> sizes,
      @Nullable Pictures pictures,
      @Nullable Truth truth,
      List<String> notes) {}

  /** A policy, with quantiles that are means over seeds. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record ShownPolicy(
      String name,
      String lengths,
      String folder,
      Map<String, Statistics> figures,
      double[] jct,
      @Named("wait") double[] waited) {}

  /** The clusters of the first seed, all over the same time. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Pictures(double seconds, double[] makespans, List<Grid.Cells> grids) {}

  /**
   * The page's data.
   *
   * @param policies the best first
   * @param rounds all jobs under these policies, in the same order; empty if they are too many
   */
  public static Document of(
      Facts facts, List<Policy> policies, List<SeededJobs> rounds, int threads) {
    return new Document(
        "comparison",
        title(policies, facts.cluster()),
        facts.version(),
        facts.lead(),
        facts.validated(),
        facts.seeds(),
        facts.inputs(),
        facts.settings(),
        facts.boundJctSeconds(),
        facts.boundMakespanSeconds(),
        facts.noPreemptionBounds(),
        Quantiles.shareColumn(),
        policies.stream().map(ComparisonReport::shown).toList(),
        ComparedRun.MOST_JOBS_KEPT,
        rounds.isEmpty() || policies.size() < 2 ? null : Pairs.of(rounds, threads),
        facts.sizes(),
        pictures(policies),
        facts.truth(),
        facts.notes());
  }

  private static String title(List<Policy> policies, String cluster) {
    return policies.size() == 1
        ? policies.getFirst().name() + " on " + cluster
        : policies.size() + " policies on " + cluster;
  }

  private static ShownPolicy shown(Policy policy) {
    return new ShownPolicy(
        policy.name(),
        policy.lengths(),
        policy.folder(),
        policy.figures(),
        mean(policy.runs().stream().map(ComparedRun::jctQuantiles).toList()),
        mean(policy.runs().stream().map(ComparedRun::waitQuantiles).toList()));
  }

  /** Of each quantile over seeds, as the percentiles of the table are. */
  private static double[] mean(List<double[]> columns) {
    double[] mean = new double[columns.getFirst().length];
    for (double[] column : columns) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += column[i] / columns.size();
      }
    }
    return mean;
  }

  /** Null if none is drawn. */
  private static @Nullable Pictures pictures(List<Policy> policies) {
    List<ComparedRun> runs = policies.stream().map(p -> p.runs().getFirst()).toList();
    if (runs.stream().anyMatch(run -> run.pictures().isEmpty())) {
      return null;
    }
    double[] makespans = runs.stream().mapToDouble(ComparedRun::makespanSeconds).sorted().toArray();
    double longest = makespans[makespans.length - 1];
    double wanted = longest <= WIDEST * makespans[0] ? longest : SHOWN * makespans[0];
    List<Grid.Cells> first = runs.getFirst().pictures();
    int horizon = 0;
    while (horizon + 1 < first.size() && seconds(first.get(horizon)) < wanted) {
      horizon++;
    }
    int shown = horizon;
    List<Grid.Cells> grids =
        runs.stream().map(run -> cut(run.pictures().get(shown), wanted)).toList();
    return new Pictures(
        seconds(grids.getFirst()),
        runs.stream().mapToDouble(ComparedRun::makespanSeconds).toArray(),
        grids);
  }

  private static double seconds(Grid.Cells picture) {
    return picture.binSeconds() * picture.bins();
  }

  /** The columns up to a time, the last one whole. */
  private static Grid.Cells cut(Grid.Cells picture, double seconds) {
    int bins = (int) Math.min(picture.bins(), Math.ceil(seconds / picture.binSeconds() - 1e-9));
    return new Grid.Cells(
        picture.start(),
        picture.binSeconds(),
        bins,
        picture.rows(),
        picture.gpus(),
        cut(picture.busy(), picture.bins(), bins),
        cut(picture.size(), picture.bins(), bins),
        picture.user(),
        picture.rings());
  }

  private static String cut(String layer, int before, int bins) {
    byte[] cells = Base64.getDecoder().decode(layer);
    byte[] kept = new byte[cells.length / before * bins];
    for (int row = 0; row * before < cells.length; row++) {
      System.arraycopy(cells, row * before, kept, row * bins, bins);
    }
    return Base64.getEncoder().encodeToString(kept);
  }
}
