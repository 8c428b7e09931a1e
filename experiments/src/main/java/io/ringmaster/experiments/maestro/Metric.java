package io.ringmaster.experiments.maestro;

/** What a policy is compared with, and how. */
enum Metric {
  /** Over the policy whose experiment it is: the mean over the draws of the ratio. */
  TO_SEED("ratio_to_seed"),
  /** The same of the means, where a few draws have most of the time. */
  OF_MEANS_TO_SEED("ratio_of_means_to_seed"),
  /** Over the baseline that is the best in the mean. */
  TO_BEST_BASELINE("ratio_to_best_baseline"),
  /** Over what no schedule can beat. */
  TO_BOUND("ratio_to_bound"),
  /** Over first come, first served, blocking or not, whichever is better in the mean. */
  TO_FIFO("ratio_to_fifo");

  private final String text;

  Metric(String text) {
    this.text = text;
  }

  /** As rows name it. */
  String text() {
    return text;
  }

  /** Whether rows name the one that was chosen. */
  boolean chooses() {
    return this == TO_BEST_BASELINE || this == TO_FIFO;
  }
}
