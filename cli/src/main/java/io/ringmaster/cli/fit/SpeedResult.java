package io.ringmaster.cli.fit;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.SpeedFit;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.SpeedWarnings;
import io.ringmaster.predictor.speed.StepTime;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The speed of one model, fitted.
 *
 * @param batch the middle of those measured
 * @param holdOut null: not wanted, or too few places
 */
record SpeedResult(
    String model,
    List<StepTime> times,
    SpeedFit fit,
    double batch,
    @Nullable HoldOut holdOut,
    List<String> warnings) {
  private static final MathContext DIGITS = new MathContext(6);

  /** An iteration of some workers on the fewest servers, with the batch of the model. */
  record Predicted(int workers, int servers, Estimate seconds, double speedup) {}

  static SpeedResult of(
      String model, List<StepTime> times, SpeedForm form, AllReduce allReduce, Split split) {
    SpeedFit fit = SpeedFit.of(times, form, allReduce);
    double[] batches = times.stream().mapToDouble(StepTime::batch).sorted().toArray();
    List<String> warnings = new ArrayList<>(SpeedWarnings.of(fit, form));
    HoldOut holdOut = null;
    if (split.share() > 0 && HoldOut.possible(times)) {
      holdOut = HoldOut.of(times, split.share(), split.seed(), allReduce);
    } else if (split.share() > 0) {
      warnings.add("too few places to hold some out");
    }
    return new SpeedResult(
        model, List.copyOf(times), fit, batches[batches.length / 2], holdOut, warnings);
  }

  /**
   * What to hold out.
   *
   * @param share of places; 0: none
   */
  record Split(double share, long seed) {}

  RelativeErrors errors() {
    return RelativeErrors.of(fit, times);
  }

  /** For powers of two up to the most workers seen, as many on a server as were seen. */
  List<Predicted> predicted() {
    int most = times.stream().mapToInt(StepTime::workers).max().orElseThrow();
    int onOne = times.stream().mapToInt(StepTime::mostOnOne).max().orElseThrow();
    double alone = fit.seconds(1, 1, 1, batch);
    List<Predicted> predicted = new ArrayList<>();
    for (int workers = 1; workers <= most; workers *= 2) {
      int servers = Math.ceilDiv(workers, onOne);
      Estimate seconds = fit.estimate(workers, servers, Math.ceilDiv(workers, servers), batch);
      predicted.add(new Predicted(workers, servers, seconds, workers * alone / seconds.value()));
    }
    return predicted;
  }

  /** For a models file, in few digits. What the gradient is in bytes, times do not say. */
  ModelProfile profile() {
    FittedExchange exchange = fit.exchange();
    return new ModelProfile(
            model,
            0,
            (int) Math.max(1, Math.rint(batch)),
            rounded(fit.forwardSecondsPerSample()),
            rounded(fit.backwardSeconds()),
            "fitted")
        .exchanging(
            new FittedExchange(
                exchange.allReduce(),
                rounded(exchange.overlap()),
                rounded(exchange.startupSeconds()),
                rounded(exchange.insideShareSeconds()),
                rounded(exchange.insideStepSeconds()),
                rounded(exchange.acrossShareSeconds()),
                rounded(exchange.acrossStepSeconds()),
                rounded(exchange.neighbourSeconds())));
  }

  private static double rounded(double value) {
    return new BigDecimal(value).round(DIGITS).doubleValue();
  }
}
