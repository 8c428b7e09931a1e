package io.ringmaster.predictor.speed;

import java.util.Arrays;
import java.util.List;

/**
 * For comparison: the throughput model of Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for
 * Goodput-Optimized Deep Learning", OSDI 2021, section 3.2, as in petuum/adaptdl:
 *
 * <pre>
 *   compute  = a + b * batch
 *   exchange = 0 for one worker; on one server ar + br * max(w - 2, 0); across an + bn * max(w - 2, 0)
 *   T        = (compute^gamma + exchange^gamma)^(1 / gamma), gamma from 1 to 10
 * </pre>
 *
 * <p>fitted to the least of root mean square of log(T / seconds) + 1e-3 (gamma - 1)^2 + 1e-2 ((bn /
 * an)^2 + (br / ar)^2). Each time counts. The published code minimises by L-BFGS-B from one start;
 * here it is BFGS on the logarithms of the parameters, from the least error of several starts. It
 * is not told the time of the exchange, which the published code uses as a further hint if it was
 * measured.
 *
 * @param objective what was minimised
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record PolluxSpeed(double[] parameters, double objective) implements SpeedModel {
  private static final double MOST_GAMMA = 10;
  private static final double GAMMA_PENALTY = 1e-3;
  private static final double RATIO_PENALTY = 1e-2;
  private static final double[] GAMMA_STARTS = {1.2, 3, 6};
  private static final int COMPUTE = 0;
  private static final int PER_SAMPLE = 1;
  private static final int ACROSS = 2;
  private static final int INSIDE = 4;
  private static final int GAMMA = 6;

  public static PolluxSpeed of(List<StepTime> times) {
    double[] sorted = times.stream().mapToDouble(StepTime::seconds).sorted().toArray();
    double median = sorted[sorted.length / 2];
    double[] perSample =
        times.stream().mapToDouble(t -> t.seconds() / t.batch()).sorted().toArray();
    double slope = perSample[perSample.length / 2];
    double[] best = {};
    double least = Double.POSITIVE_INFINITY;
    for (double gamma : GAMMA_STARTS) {
      double[] start = {
        0.5 * sorted[0],
        0.3 * slope,
        0.3 * median,
        0.01 * median,
        0.1 * median,
        0.01 * median,
        (gamma - 1) / (MOST_GAMMA - gamma)
      };
      double[] found =
          QuasiNewton.minimise(
              x -> objective(times, parameters(x)),
              Arrays.stream(start).map(StrictMath::log).toArray());
      double value = objective(times, parameters(found));
      if (value < least) {
        least = value;
        best = parameters(found);
      }
    }
    return new PolluxSpeed(best, least);
  }

  /** From logarithms; gamma between its bounds. */
  private static double[] parameters(double[] logs) {
    double[] parameters = Arrays.stream(logs).map(StrictMath::exp).toArray();
    parameters[GAMMA] = 1 + (MOST_GAMMA - 1) * parameters[GAMMA] / (1 + parameters[GAMMA]);
    return parameters;
  }

  private static double objective(List<StepTime> times, double[] parameters) {
    double squares = 0;
    for (StepTime time : times) {
      double fitted = seconds(parameters, time.workers(), time.crossesServers(), time.batch());
      double log = StrictMath.log(fitted / time.seconds());
      squares += log * log;
    }
    double gamma = parameters[GAMMA] - 1;
    double across = parameters[ACROSS + 1] / parameters[ACROSS];
    double inside = parameters[INSIDE + 1] / parameters[INSIDE];
    return Math.sqrt(squares / times.size())
        + GAMMA_PENALTY * gamma * gamma
        + RATIO_PENALTY * (across * across + inside * inside);
  }

  private static double seconds(double[] parameters, int workers, boolean across, double batch) {
    double compute = parameters[COMPUTE] + parameters[PER_SAMPLE] * batch;
    if (workers == 1) {
      return compute;
    }
    int first = across ? ACROSS : INSIDE;
    double exchange = parameters[first] + parameters[first + 1] * (workers - 2);
    double gamma = parameters[GAMMA];
    double longer = Math.max(compute, exchange);
    double part = Math.min(compute, exchange) / longer;
    return longer * StrictMath.pow(1 + StrictMath.pow(part, gamma), 1 / gamma);
  }

  @Override
  public double seconds(int workers, int servers, int mostOnOne, double batch) {
    return seconds(parameters, workers, servers > 1, batch);
  }
}
