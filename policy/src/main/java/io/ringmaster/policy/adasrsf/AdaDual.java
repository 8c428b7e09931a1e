package io.ringmaster.policy.adasrsf;

import java.util.function.DoubleSupplier;

/**
 * AdaDUAL: a transfer joins another only if that lowers the sum of both ends. Wang, Shi, Wang, Chu,
 * "Communication Contention Aware Scheduling of Multiple Deep Learning Training Jobs", arXiv
 * 2002.10105.
 *
 * <p>Alone, a byte takes b; beside one other, 2 b + eta. Let M2 be left of the transfer under way
 * and M1 be new, the smaller. Together from now on, the new one ends after M1 (2 b + eta) and the
 * other b (M2 - M1) later: the ends sum up to 2 M1 (2 b + eta) + b (M2 - M1). One after the other
 * they sum up to b M2 + b (M2 + M1). The first is less if and only if M1 / M2 < b / (2 (b + eta)).
 *
 * <p>With several transfers under way, at most one on each server, this must hold for each of them.
 * Beside two or more on a server nothing starts.
 *
 * @param threshold greatest ratio of new bytes to remaining bytes, not reached
 */
public record AdaDual(double threshold) implements Gate {

  /** The threshold of a link where k transfers take k b + (k - 1) eta for a byte of each. */
  public static double threshold(double b, double eta) {
    return b / (2 * (b + eta));
  }

  public static AdaDual of(double b, double eta) {
    return new AdaDual(threshold(b, eta));
  }

  @Override
  public boolean admits(int contenders, double bytes, DoubleSupplier leastRemainingBytes) {
    return contenders == 0
        || (contenders == 1 && bytes / leastRemainingBytes.getAsDouble() < threshold);
  }
}
