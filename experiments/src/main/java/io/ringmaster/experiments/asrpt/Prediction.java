package io.ringmaster.experiments.asrpt;

/** What policies know of lengths. */
public enum Prediction {
  PERFECT("perfect"),
  PREDICTED("predicted"),
  GROUP_MEAN("group-mean"),
  NOISE("noise:0.5");

  private final String text;

  Prediction(String text) {
    this.text = text;
  }

  /** As rows name it, and as policies do. */
  public String text() {
    return text;
  }
}
