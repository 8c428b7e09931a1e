package io.ringmaster.policy;

import io.ringmaster.model.settings.Parameter;

/**
 * What a policy knows of a job's length. The caller supplies it; policies only declare the need.
 */
public sealed interface Estimate {
  /** The true length. */
  record Perfect() implements Estimate {}

  /** The mean of what the job's group, else its user, else anybody has finished so far. */
  record GroupMean() implements Estimate {}

  /** What a random forest expects that learns from the jobs that have ended so far. */
  record Predicted() implements Estimate {}

  /**
   * The same, corrected by how wrong it was so far: the median over jobs that were told alike, and
   * of a job that goes on for longer, over those that went on for as long.
   */
  record Learned() implements Estimate {}

  /**
   * The true length times a log-normal factor with median 1.
   *
   * @param sigma standard deviation of the factor's logarithm
   */
  record Noise(double sigma) implements Estimate {}

  /**
   * What the losses that the job has reported so far let one expect; changes while it runs.
   *
   * @param sigma standard deviation of the noise of a loss, relative to it
   */
  record Loss(double sigma) implements Estimate {}

  /**
   * As wrong as can be: long jobs are told as short and short ones as long. The square of the
   * geometric mean of all lengths, over the true length.
   */
  record Reversed() implements Estimate {}

  /** The median of all lengths, for every job: nothing can be told apart. */
  record Equal() implements Estimate {}

  /** What the setting says for {@link Predicted}. */
  String PREDICTED = "predicted";

  /** The setting of every policy that asks how long a job is. */
  Parameter PARAMETER =
      new Parameter(
              "estimate",
              "perfect",
              new Parameter.Pattern(
                  "perfect|predicted|learned|group-mean|noise:SIGMA|loss:SIGMA|reversed|equal",
                  Estimate::isValid),
              "what the policy knows of a job's length: the truth, what a forest trained on"
                  + " finished jobs predicts, that corrected by how wrong it was so far, the mean"
                  + " of the group's finished jobs, the truth times log-normal noise, what its"
                  + " losses so far predict, long for short and short for long, or the same for"
                  + " all")
          .ofSimulations();

  /**
   * What is left of a job that did as much as was expected of it and goes on: half as much again as
   * it did, and a second at least.
   */
  static double leftOfOutlivedSeconds(double doneSeconds) {
    return leftOfOutlivedSeconds(doneSeconds, Double.NaN);
  }

  /**
   * The same of a job that may say what is left.
   *
   * @param saidSeconds NaN: it does not say
   */
  static double leftOfOutlivedSeconds(double doneSeconds, double saidSeconds) {
    return Math.max(Double.isNaN(saidSeconds) ? doneSeconds / 2 : saidSeconds, 1);
  }

  static Estimate parse(String text) {
    int colon = text.indexOf(':') + 1;
    return switch (colon == 0 ? text : text.substring(0, colon)) {
      case "perfect" -> new Perfect();
      case PREDICTED -> new Predicted();
      case "learned" -> new Learned();
      case "group-mean" -> new GroupMean();
      case "reversed" -> new Reversed();
      case "equal" -> new Equal();
      case "noise:" -> new Noise(sigma(text.substring(colon), 10));
      case "loss:" -> new Loss(sigma(text.substring(colon), 1));
      default -> throw new IllegalArgumentException("estimate " + text);
    };
  }

  private static double sigma(String text, double most) {
    double sigma = Double.parseDouble(text);
    if (sigma >= 0 && sigma <= most) {
      return sigma;
    }
    throw new IllegalArgumentException("sigma " + text);
  }

  private static boolean isValid(String text) {
    try {
      parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
