package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stated intervals hold the truth about as often as they say. */
class CoverageTest {
  @TempDir Path folder = Path.of("");

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

  /** The last number: how often at least the truth is held where 8 of 10 are stated. */
  @ParameterizedTest
  @CsvSource({"fifo, perfect, 0.7, 0.65", "easy, perfect, 0.7, 0.65", "easy, predicted, 0.7, 0.65"})
  void ofAWorkloadWhoseTruthIsSimulated(String policy, String estimate, String load, double least) {
    Site site = simulated(policy, estimate, load);
    assertThat(site.policy()).hasValue(policy);
    check(new Check(site, site.policy()).coverage(20, 40, 1, 2, _ -> {}), least, 1);
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

  /** A run that was written, and read as a history. */
  private Site simulated(String policy, String estimate, String load) {
    Map<String, String> settings =
        Map.of("servers", "12", "load", load, "days", "14", "network", "none");
    Generated generated = Generators.generate("philly", settings, 7);
    RunFiles.write(
        folder,
        Run.of(policy, Map.of("estimate", estimate), 1),
        new RunInputs(generated.cluster(), generated.jobs()),
        false,
        RunObserver.NONE);
    return Site.read(List.of(folder), List.of(), null, Map.of(), null, (_, _) -> {});
  }
}
