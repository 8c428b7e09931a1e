package io.ringmaster.predictor.forest;

/**
 * How a forest is grown.
 *
 * @param trees at least 1
 * @param leastInLeaf different rows that a leaf has at least
 * @param featureShare of the features, those tried at each split; above 0, up to 1
 */
public record ForestSettings(int trees, int leastInLeaf, double featureShare, long seed) {
  public ForestSettings {
    if (trees < 1 || leastInLeaf < 1 || !(featureShare > 0 && featureShare <= 1)) {
      throw new IllegalArgumentException(
          "trees %d, least in leaf %d, share of features %s"
              .formatted(trees, leastInLeaf, featureShare));
    }
  }

  /** What scikit-learn does by default for regression, but at least two rows in a leaf. */
  public static ForestSettings of(int trees, long seed) {
    return new ForestSettings(trees, 2, 1, seed);
  }
}
