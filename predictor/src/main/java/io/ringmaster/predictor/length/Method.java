package io.ringmaster.predictor.length;

/** How a length may be predicted. */
public enum Method {
  GLOBAL_MEAN("global mean"),
  GLOBAL_MEDIAN("global median"),
  USER_MEDIAN("user median"),
  GROUP_MEAN("group mean"),
  GROUP_MEDIAN("group median"),
  GROUP_LAST("last of group"),
  FOREST("forest");

  private final String text;

  Method(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
