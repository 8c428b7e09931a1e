package io.ringmaster.cli.simulate;

import io.ringmaster.model.Jobs;
import io.ringmaster.report.ComparedRun;
import io.ringmaster.report.ComparisonReport;
import io.ringmaster.report.SearchedBounds;
import io.ringmaster.report.SeededJobs;
import io.ringmaster.report.SizeClasses;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.runs.Version;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the page of a comparison is made of.
 *
 * @param headline what was compared on what
 * @param planned all runs
 * @param kept what is known of each
 * @param policies in the order of the page
 * @param notes what whoever reads it must know, in sentences
 */
record ComparisonPage(
    String headline,
    List<Comparison.Planned> planned,
    List<ComparedRun> kept,
    List<ComparedPolicy> policies,
    Optional<Truth> truth,
    List<String> notes) {

  /**
   * The page's data.
   *
   * @param figures of each policy
   * @param settings as they were given
   */
  ComparisonReport.Document data(
      List<Map<String, Statistics>> figures,
      boolean validated,
      List<SearchedBounds> noPreemptionBounds,
      List<String> settings,
      Comparison.Least least,
      int threads) {
    RunInputs first = planned.getFirst().inputs();
    ComparisonReport.Facts facts =
        new ComparisonReport.Facts(
            Version.text(),
            first.cluster().name(),
            headline,
            validated,
            seeds(),
            planned.stream().map(p -> p.inputs().provenance()).distinct().toList(),
            settings,
            least.jctSeconds(),
            least.makespanSeconds(),
            noPreemptionBounds,
            new SizeClasses(first.jobs()).labels(),
            truth.map(happened -> happened.forPage()).orElse(null),
            notes);
    List<ComparisonReport.Policy> rows = new ArrayList<>();
    for (int i = 0; i < policies.size(); i++) {
      ComparedPolicy policy = policies.get(i);
      List<Integer> own = runs(policy.policy());
      rows.add(
          new ComparisonReport.Policy(
              policy.policy(),
              policy.lengths().word(),
              figures.get(i),
              planned.get(own.getFirst()).folderName(),
              own.stream().map(kept::get).toList()));
    }
    return ComparisonReport.of(facts, rows, rounds(), threads);
  }

  private List<Long> seeds() {
    return planned.stream().map(p -> p.run().seed()).distinct().toList();
  }

  private List<Integer> runs(String policy) {
    return IntStream.range(0, planned.size())
        .filter(i -> planned.get(i).run().spec().name().equals(policy))
        .boxed()
        .toList();
  }

  /** Empty if the jobs of some run were too many to keep. */
  private List<SeededJobs> rounds() {
    Map<Jobs, double[]> ideal = new HashMap<>();
    List<SeededJobs> rounds = new ArrayList<>();
    for (int seed = 0; seed < seeds().size(); seed++) {
      double[][] jct = new double[policies.size()][];
      int any = 0;
      for (int i = 0; i < jct.length; i++) {
        any = runs(policies.get(i).policy()).get(seed);
        double @Nullable [] own = kept.get(any).jctSeconds();
        if (own == null) {
          return List.of();
        }
        jct[i] = own;
      }
      RunInputs inputs = planned.get(any).inputs();
      Jobs jobs = inputs.jobs();
      rounds.add(
          new SeededJobs(
              planned.get(any).run().seed(),
              jobs,
              ideal.computeIfAbsent(jobs, _ -> idealSeconds(inputs)),
              jct));
    }
    return rounds;
  }

  private static double[] idealSeconds(RunInputs inputs) {
    return IntStream.range(0, inputs.jobs().size())
        .mapToDouble(inputs.lengths()::idealSeconds)
        .toArray();
  }
}
