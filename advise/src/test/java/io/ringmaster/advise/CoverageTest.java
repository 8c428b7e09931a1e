package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import io.ringmaster.workload.trace.SeenJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stated intervals hold the truth about as often as they say. */
class CoverageTest {
  @Test
  void ofASiteWithAQueue() {
    Site site =
        Site.read(
            List.of(Path.of("../docs/examples/sacct.txt.gz")),
            List.of(),
            null,
            Map.of(),
            null,
            (_, _) -> {});
    check(new Check(site, Optional.empty()).coverage(40, 60, 1, 2, _ -> {}), 0.7, 0.9);
  }

  /** Under easy what policies guess of lengths is not what is drawn here: it holds less often. */
  @ParameterizedTest
  @CsvSource({"fifo, perfect, 0.65, 6", "easy, perfect, 0.65, 4", "easy, predicted, 0.55, 4"})
  void ofAWorkloadWhoseTruthIsSimulated(String policy, String estimate, double least, int moments) {
    Site site = simulated(policy, estimate);
    Check.Coverage coverage =
        new Check(site, Optional.empty()).coverage(5 * moments, 40, 1, 2, _ -> {});
    check(coverage, least, 0.97);
  }

  private static void check(Check.Coverage coverage, double least, double most) {
    double held =
        coverage.levels().stream()
            .filter(level -> level.stated() == 0.8)
            .findFirst()
            .orElseThrow()
            .held();
    assertThat(held).as(coverage.toString()).isBetween(least, most);
  }

  private static Site simulated(String policy, String estimate) {
    Generated generated =
        Generators.generate("philly", Map.of("servers", "12", "load", "0.7", "days", "14"), 7);
    Cluster cluster = generated.cluster();
    Jobs.Builder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < generated.jobs().size(); job++) {
      Jobs all = generated.jobs();
      builder.addLike(all, job, all.id(job), all.submitSeconds(job), "");
    }
    RunInputs inputs = new RunInputs(cluster, builder.build());
    Map<Integer, Map<String, Integer>> places = new HashMap<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void segment(int job, double start, double end, double warmup, Placement on) {
            Map<String, Integer> servers = new LinkedHashMap<>();
            for (int i = 0; i < on.size(); i++) {
              servers.put(cluster.server(on.server(i)).name(), on.gpus(i));
            }
            places.put(job, servers);
          }
        };
    RunResult result = Run.of(policy, Map.of("estimate", estimate), 1).simulate(inputs, observer);
    Jobs jobs = inputs.jobs();
    List<SeenJob> seen = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      seen.add(
          new SeenJob(
              jobs.id(job),
              SeenJob.State.ENDED,
              jobs.submitSeconds(job),
              result.startSeconds(job),
              result.finishSeconds(job),
              inputs.lengths().idealSeconds(job),
              jobs.gpus(job),
              Double.POSITIVE_INFINITY,
              0,
              "",
              jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
              jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)),
              Demand.NONE,
              places.getOrDefault(job, Map.of())));
    }
    return new Site(seen, cluster, List.of());
  }
}
