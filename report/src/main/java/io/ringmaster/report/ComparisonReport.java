package io.ringmaster.report;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a comparison shows: the fields of type {@code Comparison} in web/src/data.ts.
 */
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
   */
  public record Facts(
      String version,
      String cluster,
      String lead,
      boolean validated,
      List<Long> seeds,
      List<Map<String, Object>> inputs,
      List<String> settings,
      double boundJctSeconds,
      double boundMakespanSeconds,
      List<Map<String, Object>> noPreemptionBounds,
      List<String> sizes) {}

  /**
   * One policy over all seeds.
   *
   * @param figures by key: its mean and half of its 95 % interval
   * @param folder of its first run, beside the page
   * @param runs one for each seed
   */
  public record Policy(
      String name, Map<String, Object> figures, String folder, List<ComparedRun> runs) {}

  /**
   * The page's data.
   *
   * @param policies the best first
   * @param rounds all jobs under these policies, in the same order; empty if they are too many
   */
  public static Map<String, Object> of(
      Facts facts, List<Policy> policies, List<SeededJobs> rounds, int threads) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("kind", "comparison");
    out.put("title", title(policies, facts.cluster()));
    out.put("version", facts.version());
    out.put("lead", facts.lead());
    out.put("validated", facts.validated());
    out.put("seeds", facts.seeds());
    out.put("inputs", facts.inputs());
    out.put("settings", facts.settings());
    out.put("boundJct", facts.boundJctSeconds());
    out.put("boundMakespan", facts.boundMakespanSeconds());
    out.put("noPreemptionBounds", facts.noPreemptionBounds());
    out.put("share", Quantiles.shareColumn());
    out.put("policies", policies.stream().map(ComparisonReport::policyDocument).toList());
    out.put("mostJobsKept", ComparedRun.MOST_JOBS_KEPT);
    put(out, "pairs", rounds.isEmpty() || policies.size() < 2 ? null : Pairs.of(rounds, threads));
    out.put("sizes", facts.sizes());
    put(out, "pictures", pictures(policies));
    return out;
  }

  private static String title(List<Policy> policies, String cluster) {
    return policies.size() == 1
        ? policies.getFirst().name() + " on " + cluster
        : policies.size() + " policies on " + cluster;
  }

  @SuppressWarnings("NullAway") // A null is a value here: JSON has one.
  private static void put(Map<String, Object> out, String name, @Nullable Object value) {
    out.put(name, value);
  }

  private static Map<String, Object> policyDocument(Policy policy) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", policy.name());
    out.put("folder", policy.folder());
    out.put("figures", policy.figures());
    out.put("jct", mean(policy.runs().stream().map(ComparedRun::jctQuantiles).toList()));
    out.put("wait", mean(policy.runs().stream().map(ComparedRun::waitQuantiles).toList()));
    return out;
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

  /** The clusters of the first seed, all over the same time; null if none is drawn. */
  private static @Nullable Map<String, Object> pictures(List<Policy> policies) {
    List<ComparedRun> runs = policies.stream().map(p -> p.runs().getFirst()).toList();
    if (runs.stream().anyMatch(run -> run.pictures().isEmpty())) {
      return null;
    }
    double[] makespans = runs.stream().mapToDouble(ComparedRun::makespanSeconds).sorted().toArray();
    double longest = makespans[makespans.length - 1];
    double wanted = longest <= WIDEST * makespans[0] ? longest : SHOWN * makespans[0];
    List<Map<String, Object>> first = runs.getFirst().pictures();
    int horizon = 0;
    while (horizon + 1 < first.size() && seconds(first.get(horizon)) < wanted) {
      horizon++;
    }
    int shown = horizon;
    List<Map<String, Object>> grids =
        runs.stream().map(run -> cut(run.pictures().get(shown), wanted)).toList();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("seconds", seconds(grids.getFirst()));
    out.put("makespans", runs.stream().mapToDouble(ComparedRun::makespanSeconds).toArray());
    out.put("grids", grids);
    return out;
  }

  private static double seconds(Map<String, Object> picture) {
    return binSeconds(picture) * bins(picture);
  }

  private static double binSeconds(Map<String, Object> picture) {
    return (Double) Objects.requireNonNull(picture.get("binSeconds"));
  }

  private static int bins(Map<String, Object> picture) {
    return (Integer) Objects.requireNonNull(picture.get("bins"));
  }

  /** The columns up to a time, the last one whole. */
  private static Map<String, Object> cut(Map<String, Object> picture, double seconds) {
    int before = bins(picture);
    int bins = (int) Math.min(before, Math.ceil(seconds / binSeconds(picture) - 1e-9));
    Map<String, Object> out = new LinkedHashMap<>(picture);
    out.put("bins", bins);
    for (String layer : List.of("busy", "size")) {
      byte[] cells =
          Base64.getDecoder().decode((String) Objects.requireNonNull(picture.get(layer)));
      byte[] kept = new byte[cells.length / before * bins];
      for (int row = 0; row * before < cells.length; row++) {
        System.arraycopy(cells, row * before, kept, row * bins, bins);
      }
      out.put(layer, Base64.getEncoder().encodeToString(kept));
    }
    return out;
  }
}
