package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.Degradation;
import io.ringmaster.predictor.regression.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fit of contention on the public measurements of HKBU-HPML/dl-scheduling, which are no part of
 * this repository: run with {@code RINGMASTER_TRACES} set to the directory that holds {@code
 * network/}.
 */
class AllReduceTraceTest {
  private static final String FILE = "network/hkbu_allreduce_contention.tar.xz";
  private static final double MIB = 1 << 20;

  @TempDir Path temporary;

  @BeforeEach
  void unpack() throws IOException {
    TarXz.unpack(FILE, temporary);
  }

  private List<AllReduceTime> times(String name) {
    return AllReduceFile.read(temporary.resolve(name));
  }

  private static double value(Estimate estimate) {
    return Objects.requireNonNull(estimate, "known").value();
  }

  private static ContentionLine subset(ContentionFit fit, ContentionFit.Kind kind) {
    return fit.subsets().stream().filter(s -> s.kind() == kind).findFirst().orElseThrow().line();
  }

  @Test
  void oneJobTakesTenNanosecondsAByteFrom20MibOn() {
    List<AllReduceTime> times = times("alpha-beta.csv");
    assertThat(times).hasSize(10).allMatch(t -> t.jobs() == 1);
    ContentionFit fit = ContentionFit.of(times);
    ContentionLine larger = subset(fit, ContentionFit.Kind.ONE_JOB_WITHOUT_SMALLEST);
    assertThat(value(larger.b())).isCloseTo(1.01e-8, within(0.01e-8));
    assertThat(larger.b().high() - larger.b().low()).isLessThan(0.02e-8);
    assertThat(fit.warnings()).anyMatch(w -> w.startsWith("the smallest size is off the line"));
    // 10 MiB alone takes 37 % longer than the line through the other sizes says.
    assertThat(times.getFirst().seconds() / larger.seconds(1, 10 * MIB)).isBetween(1.3, 1.4);
  }

  /** k = 16 costs about 15 times one job, not more than 16 times. */
  @Test
  void theAveragedMeasurementsHaveANegativeEta() {
    ContentionFit fit = ContentionFit.of(times("results_avg.csv"));
    assertThat(value(Objects.requireNonNull(fit.line().eta()))).isNegative();
    assertThat(value(Objects.requireNonNull(subset(fit, ContentionFit.Kind.ABSOLUTE_ERRORS).eta())))
        .isNegative();
    assertThat(fit.warnings()).anyMatch(w -> w.startsWith("eta is negative"));
    assertThat(fit.degradation()).hasSize(16);
    for (Degradation each : fit.degradation()) {
      for (Degradation.SizeRatio ratio : each.bySize()) {
        double beyondTurns = ratio.ratio() / each.jobs() - 1;
        if (ratio.bytes() >= 20 * MIB) {
          assertThat(beyondTurns > 0.02)
              .as("k = %s, %s bytes: %s", each.jobs(), ratio.bytes(), ratio.ratio())
              .isEqualTo(each.jobs() == 2 || each.jobs() == 3);
        } else if (each.jobs() > 1) {
          assertThat(beyondTurns).isLessThan(-0.2);
        }
      }
    }
    List<Degradation.SizeRatio> sixteen = fit.degradation().getLast().bySize();
    assertThat(sixteen.get(1).ratio()).isBetween(14.0, 15.0);
    assertThat(sixteen.get(2).ratio()).isBetween(14.0, 15.0);
    assertThat(fit.degradation().get(1).bySize().getFirst().ratio()).isBetween(1.5, 1.52);
  }

  /** Times of the slowest job or the slowest iterations are no line: they jump from 8 to 9 jobs. */
  @Test
  void theLongestTimesAreNoLine() {
    for (String name : List.of("results.csv", "results_avg_max.csv", "results_max_max.csv")) {
      assertThat(ContentionFit.of(times(name)).warnings())
          .as(name)
          .anyMatch(w -> w.startsWith("the factor is not k + alpha (k - 1)"));
    }
  }
}
