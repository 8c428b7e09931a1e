package io.ringmaster.experiments.adasrsf;

import io.ringmaster.policy.adasrsf.AdaDual;

/**
 * How long transfers take that share a node's link: k of them take k b + (k - 1) eta for a megabyte
 * of each. The paper's constant part a is 0 in the authors' simulator, and here.
 *
 * @param millisPerMegabyte b
 * @param penaltyMillisPerMegabyte eta
 */
record LinkCost(double millisPerMegabyte, double penaltyMillisPerMegabyte) {
  /** As the authors measured it. */
  static final LinkCost TEN_GIGABIT_ETHERNET = new LinkCost(0.856, 0.235);

  /** Time for a megabyte of each of k transfers. */
  double millis(int k) {
    return k * millisPerMegabyte + (k - 1) * penaltyMillisPerMegabyte;
  }

  AdaDual adaDual() {
    return AdaDual.of(millisPerMegabyte, penaltyMillisPerMegabyte);
  }
}
