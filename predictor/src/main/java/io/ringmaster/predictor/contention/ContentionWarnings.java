package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.contention.ContentionFit.Kind;
import io.ringmaster.predictor.contention.ContentionFit.Subset;
import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Where a fit must not be trusted, in plain words. */
final class ContentionWarnings {
  /** Smaller than usual, since there are several tests. */
  private static final double LEVEL = 0.01;

  private final List<String> warnings = new ArrayList<>();

  private ContentionWarnings() {}

  static List<String> of(
      ContentionLine line,
      List<Subset> subsets,
      List<Residuals> byJobs,
      List<Residuals> byBytes,
      List<LackOfFit> lackOfFit,
      List<Degradation> degradation) {
    ContentionWarnings all = new ContentionWarnings();
    all.unknown(line);
    all.intervals(line);
    all.signs(line, degradation);
    lackOfFit.forEach(all::lackOfFit);
    all.offTheLine(byJobs, jobs -> String.format(Locale.ROOT, "k = %.0f", jobs));
    all.offTheLine(byBytes, ByteSize::text);
    if (lackOfFit.stream().anyMatch(ContentionWarnings::sizesDiffer)) {
      all.sizesDisagree(subsets);
    }
    return List.copyOf(all.warnings);
  }

  private void add(String warning) {
    warnings.add(warning);
  }

  private void unknown(ContentionLine line) {
    if (line.eta() == null) {
      add(
          "every measurement is of one job: eta and alpha cannot be found; measure 2 and more jobs"
              + " at once");
    }
    if (line.a() == null) {
      add(
          "every measurement has the same size: a cannot be told from b M and is taken as 0; if"
              + " there is a start-up time, b is smaller and alpha larger than given; measure"
              + " several sizes");
    }
  }

  private void intervals(ContentionLine line) {
    switch (line.intervals()) {
      case ROBUST -> {}
      case ALIKE ->
          add(
              "some pair of jobs and bytes decides a value alone: intervals take all relative"
                  + " errors to be alike; measure more pairs");
      case NONE ->
          add("there are no more measurements than unknowns: no intervals; measure more pairs");
    }
  }

  private void signs(ContentionLine line, List<Degradation> degradation) {
    Estimate a = line.a();
    if (a != null && a.value() < 0) {
      add(
          "a is negative: no all-reduce ends before it starts; "
              + (a.mayBe(0)
                  ? "0 is in its interval"
                  : "times do not grow in proportion to the size"));
    }
    if (!(line.b().value() > 0)) {
      add("b is not above 0: this line says nothing about a link; there is no alpha");
    }
    Estimate eta = line.eta();
    if (eta == null) {
      return;
    }
    if (eta.value() < 0) {
      long below = degradation.stream().filter(d -> d.measured().value() < d.jobs()).count();
      add(
          "eta is negative"
              + (eta.mayBe(0) ? ", but 0 is in its interval" : "")
              + ": on this line jobs that share the link lose less than by taking turns"
              + "; measured, k jobs take less than k times as long as one at "
              + below
              + " of "
              + degradation.stream().filter(d -> d.jobs() > 1).count()
              + " values of k");
    } else if (eta.mayBe(0)) {
      add("eta may be 0: sharing the link may cost nothing beyond taking turns");
    }
    if (line.alpha() != null && eta.hasInterval() && !line.alpha().hasInterval()) {
      add("b may be 0: alpha has no interval");
    }
  }

  private void lackOfFit(LackOfFit test) {
    if (test.pValue() >= LEVEL) {
      return;
    }
    String what =
        switch (test.against()) {
          case REPEATS -> "the line misses pairs by more than repeats scatter";
          case ANY_FACTOR -> "the factor is not k + alpha (k - 1): a factor for each k fits better";
          case LINE_PER_SIZE -> "sizes differ: a line in k for each size fits better";
          case SMALLEST_APART ->
              "the smallest size is off the line that the others are on; see the fit without it";
        };
    add(
        what
            + " (F = "
            + number(test.f())
            + (test.pValue() < 0.001 ? ", p < 0.001)" : ", p = " + number(test.pValue()) + ")"));
  }

  private void offTheLine(List<Residuals> groups, DoubleFunction<String> name) {
    String found =
        groups.stream()
            .filter(Residuals::significant)
            .map(g -> name.apply(g.of()) + " by " + percent(g.mean().value()))
            .collect(Collectors.joining(", "));
    if (!found.isEmpty()) {
      add("measured times are off the line at " + found);
    }
  }

  private record SizeAlpha(double bytes, Estimate alpha) {
    String text() {
      return number(alpha.value()) + " at " + ByteSize.text(bytes);
    }
  }

  /** A start-up time makes alpha of small sizes smaller: that alone is no news. */
  private static boolean sizesDiffer(LackOfFit test) {
    return test.against() == LackOfFit.Against.LINE_PER_SIZE && test.pValue() < LEVEL;
  }

  /** Says so if the intervals of two sizes have nothing in common. */
  private void sizesDisagree(List<Subset> subsets) {
    List<SizeAlpha> alphas = new ArrayList<>();
    for (Subset subset : subsets) {
      Estimate alpha = subset.line().alpha();
      if (subset.kind() == Kind.ONE_SIZE && alpha != null && alpha.hasInterval()) {
        alphas.add(new SizeAlpha(subset.bytes(), alpha));
      }
    }
    if (alphas.isEmpty()) {
      return;
    }
    SizeAlpha least = Collections.min(alphas, Comparator.comparingDouble(s -> s.alpha().high()));
    SizeAlpha most = Collections.max(alphas, Comparator.comparingDouble(s -> s.alpha().low()));
    if (least.alpha().high() < most.alpha().low()) {
      add(
          "alpha depends on the size: %s, %s, each fitted alone"
              .formatted(least.text(), most.text()));
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * share);
  }
}
