package io.ringmaster.predictor.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.predictor.contention.LackOfFit.Against;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times that the line does not describe. */
class ContentionWarningsTest {
  private static final double MIB = 1 << 20;

  /** A time in ns for each byte and each number of jobs. */
  private interface Times {
    double of(int jobs, double mib);
  }

  private static ContentionFit fit(double noise, Times times) {
    Random random = new Random(1);
    List<AllReduceTime> measured = new ArrayList<>();
    for (int jobs = 1; jobs <= 8; jobs++) {
      for (double mib : new double[] {10, 20, 40, 80}) {
        double seconds = 1e-3 * times.of(jobs, mib) * (1 + noise * random.nextGaussian());
        measured.add(new AllReduceTime(jobs, mib * MIB, seconds));
      }
    }
    return ContentionFit.of(measured);
  }

  private static double p(ContentionFit fit, Against against) {
    return fit.lackOfFit().stream()
        .filter(t -> t.against() == against)
        .mapToDouble(LackOfFit::pValue)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTrueLineGivesNoWarning() {
    ContentionFit fit = fit(0.01, (k, m) -> 3 + k * m + 0.3 * (k - 1) * m);
    assertThat(fit.warnings()).isEmpty();
    assertThat(p(fit, Against.ANY_FACTOR)).isBetween(0.05, 1.0);
    assertThat(p(fit, Against.LINE_PER_SIZE)).isBetween(0.05, 1.0);
    assertThat(p(fit, Against.SMALLEST_APART)).isBetween(0.05, 1.0);
  }

  @Test
  void aFactorThatIsNoLineIsNamed() {
    ContentionFit fit = fit(0.01, (k, m) -> 3 + m * (k <= 3 ? 1.5 * k - 0.5 : 4 + 0.7 * (k - 3)));
    assertThat(p(fit, Against.ANY_FACTOR)).isLessThan(1e-6);
    assertThat(fit.warnings())
        .anyMatch(w -> w.startsWith("the factor is not k + alpha (k - 1)"))
        .anyMatch(w -> w.startsWith("measured times are off the line at k = "));
    assertThat(fit.byJobs()).anyMatch(Residuals::significant);
    // The measured factor is there beside the fitted one. At three jobs: (3 + 4 m) / (3 + m).
    Degradation three = fit.degradation().get(2);
    double expected = 0;
    for (double mib : new double[] {10, 20, 40, 80}) {
      expected += (3 + 4 * mib) / (3 + mib) / 4;
    }
    assertThat(three.measured().value()).isCloseTo(expected, within(0.1));
    assertThat(three.measured().value()).isGreaterThan(three.fitted());
    assertThat(three.bySize()).hasSize(4);
  }

  @Test
  void aSizeThatIsAnotherMatterIsNamed() {
    ContentionFit fit = fit(0.01, (k, m) -> m == 10 ? 14 + 10 * (k - 1) : m * (1.2 * k - 0.2));
    assertThat(p(fit, Against.LINE_PER_SIZE)).isLessThan(1e-6);
    assertThat(fit.warnings())
        .anyMatch(w -> w.startsWith("sizes differ"))
        .anyMatch(w -> w.startsWith("alpha depends on the size: -0.2") && w.contains("10 MiB"));
  }

  /** Without repeats too: nine sizes on a line, the smallest a third too long. */
  @Test
  void aSmallestSizeOffTheLineOfTheOthersIsNamed() {
    Random random = new Random(1);
    List<AllReduceTime> times = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      double factor = (i == 1 ? 1.33 : 1) * (1 + 0.001 * random.nextGaussian());
      times.add(new AllReduceTime(1, 10 * i * MIB, 0.1 * i * factor));
    }
    ContentionFit fit = ContentionFit.of(times);
    assertThat(p(fit, Against.SMALLEST_APART)).isLessThan(1e-6);
    assertThat(fit.warnings()).anyMatch(w -> w.startsWith("the smallest size is off the line"));
    ContentionFit.Subset without = fit.subsets().getFirst();
    assertThat(without.kind()).isEqualTo(ContentionFit.Kind.ONE_JOB_WITHOUT_SMALLEST);
    assertThat(without.line().b().value()).isCloseTo(0.01 / MIB, within(1e-4 / MIB));
  }

  @Test
  void signsThatCannotBeAreNamed() {
    ContentionFit fit = fit(0.001, (k, m) -> -2 + k * m - 0.2 * (k - 1) * m);
    assertThat(fit.warnings())
        .contains(
            "a is negative: no all-reduce ends before it starts; times do not grow in proportion"
                + " to the size")
        .anyMatch(w -> w.startsWith("eta is negative: on this line jobs that share the link lose"))
        .anyMatch(w -> w.endsWith("at 7 of 7 values of k"));
    ContentionFit unsure = fit(0.2, (k, m) -> 3 + k * m);
    assertThat(unsure.warnings()).anyMatch(w -> w.contains("eta may be 0") || w.contains("but 0"));
  }

  @Test
  void repeatsShowThatTheLineMisses() {
    Random random = new Random(1);
    List<AllReduceTime> times = new ArrayList<>();
    for (int repeat = 0; repeat < 5; repeat++) {
      for (int jobs = 1; jobs <= 5; jobs++) {
        double seconds = jobs * Math.sqrt(jobs) * (1 + 0.01 * random.nextGaussian());
        times.add(new AllReduceTime(jobs, MIB, seconds));
      }
    }
    ContentionFit fit = ContentionFit.of(times);
    assertThat(p(fit, Against.REPEATS)).isLessThan(1e-6);
    assertThat(fit.lackOfFit()).hasSize(1);
    assertThat(fit.warnings())
        .anyMatch(w -> w.startsWith("the line misses pairs by more than repeats scatter (F = "));
    // One pair for each number of jobs: the repeats are what its mean is tested with.
    assertThat(fit.byJobs()).filteredOn(Residuals::significant).hasSizeGreaterThan(2);
  }

  @Test
  void sizesReadWell() {
    assertThat(ByteSize.text(10 * MIB)).isEqualTo("10 MiB");
    assertThat(ByteSize.text(3 * 1024)).isEqualTo("3 KiB");
    assertThat(ByteSize.text(2048 * MIB)).isEqualTo("2 GiB");
    assertThat(ByteSize.text(526.4e6)).isEqualTo("526.4 MB");
    assertThat(ByteSize.text(1500)).isEqualTo("1.5 kB");
    assertThat(ByteSize.text(100)).isEqualTo("100 B");
  }
}
