package io.ringmaster.predictor.speed;

import io.ringmaster.predictor.regression.Tails;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** What a person should know of a fit before relying on it, in words. */
public final class SpeedWarnings {
  /** Stricter than usual, since there are several tests. */
  private static final double LEVEL = 0.01;

  private static final int LEAST_POINTS = 3;
  private static final double LARGE_ERROR = 0.1;

  private final SpeedFit fit;
  private final List<String> warnings = new ArrayList<>();

  private SpeedWarnings(SpeedFit fit) {
    this.fit = fit;
  }

  public static List<String> of(SpeedFit fit, SpeedForm form) {
    SpeedWarnings warnings = new SpeedWarnings(fit);
    warnings.workers();
    if (form == SpeedForm.PLACED) {
      warnings.places();
      warnings.overlap();
    }
    warnings.computing();
    warnings.errors();
    return List.copyOf(warnings.warnings);
  }

  private boolean any(Predicate<StepTime> what) {
    return fit.points().stream().anyMatch(what);
  }

  private void workers() {
    long workers = fit.points().stream().map(StepTime::workers).distinct().count();
    if (workers == 1) {
      warnings.add(
          "one number of workers was measured: what an exchange costs cannot be told, and more"
              + " workers are taken to make an iteration no longer; measure 1, 2, 4 and 8");
    } else if (workers == 2) {
      warnings.add(
          "two numbers of workers were measured: step and startup cannot be told and are 0;"
              + " measure 1, 2, 4 and 8");
    } else if (workers == 3) {
      warnings.add("three numbers of workers were measured: startup cannot be told and is 0");
    }
    if (fit.points().stream().allMatch(p -> fit.estimate(p).hasInterval())) {
      return;
    }
    warnings.add(
        "there are no more points than parameters: the fit is exact and says no intervals");
  }

  private void places() {
    boolean inside = any(p -> p.workers() > 1 && !p.crossesServers());
    boolean across = any(StepTime::crossesServers);
    if (inside && !across) {
      warnings.add(
          "nothing was measured across servers: an exchange is taken to cost there what it costs"
              + " inside one");
    } else if (across && !inside) {
      warnings.add(
          "several workers on one server were not measured: an exchange is taken to cost there what"
              + " it costs across servers");
    } else if (across && fit.undetermined().contains(SpeedParameter.ACROSS_STEP)) {
      warnings.add("the step inside a server and across servers cannot be told apart");
    }
    if (!any(p -> p.workers() == 1)) {
      warnings.add(
          "no time of one worker: what is computation and what exchange follows from the form"
              + " alone");
    }
  }

  private void overlap() {
    double overlap = fit.exchange().overlap();
    if (fit.undetermined().contains(SpeedParameter.OVERLAP)) {
      warnings.add(
          "the overlap cannot be told: computation and exchange are taken to be one after the"
              + " other; measure several workers with several batches");
    } else if (overlap == LogFit.MOST_OVERLAP) {
      warnings.add(
          "the overlap is at its bound of 10: an iteration takes the longer of computation and"
              + " exchange");
    }
  }

  private void computing() {
    Set<SpeedParameter> open = fit.undetermined();
    if (open.contains(SpeedParameter.SECONDS_PER_SAMPLE)) {
      warnings.add("all times are of one batch: the fit holds for that batch alone");
    } else if (open.contains(SpeedParameter.COMPUTE)) {
      warnings.add(
          "the constant part of the computation cannot be told from share and samples: it is 0;"
              + " measure one number of workers with two batches");
    }
  }

  private void errors() {
    double median = RelativeErrors.of(fit, fit.points()).median();
    if (median > LARGE_ERROR) {
      warnings.add(
          String.format(
              Locale.ROOT, "half of the times are off by more than %.0f %%", 100 * median));
    }
    off("one worker", p -> p.workers() == 1);
    off("several workers on one server", p -> p.workers() > 1 && !p.crossesServers());
    off("two servers", p -> p.servers() == 2);
    off("three servers and more", p -> p.servers() > 2);
  }

  /** Student's t of log(measured / fitted) over the points of a kind. */
  private void off(String kind, Predicate<StepTime> of) {
    double[] logs =
        fit.points().stream()
            .filter(of)
            .mapToDouble(p -> StrictMath.log(p.seconds() / fit.seconds(p)))
            .toArray();
    if (logs.length < LEAST_POINTS || fit.logError() < 1e-9) {
      return;
    }
    double mean = 0;
    for (double log : logs) {
      mean += log / logs.length;
    }
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    int freedom = logs.length - 1;
    double error = Math.sqrt(squares / freedom / logs.length);
    double chance = Tails.student(mean / error, freedom);
    if (chance < LEVEL) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "times of %s are %.1f %% %s than fitted on average, more than chance: the form is"
                  + " wrong there",
              kind,
              100 * Math.abs(StrictMath.expm1(mean)),
              mean > 0 ? "longer" : "shorter"));
    }
  }
}
