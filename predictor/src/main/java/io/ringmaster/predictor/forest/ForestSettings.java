package io.ringmaster.predictor.forest;

/**
 * How a forest is grown.
 *
 * @param trees at least 1
 * @param leastInLeaf different rows that a leaf has at least
 * @param featureShare of the features, those tried at each split; above 0, up to 1
 */
public record ForestSettings(int trees, int leastInLeaf, double featureShare, long seed) {
  private static final double THIRD = 1 / 3.0;

  public ForestSettings {
    if (trees < 1 || leastInLeaf < 1 || !(featureShare > 0 && featureShare <= 1)) {
      throw new IllegalArgumentException(
          "trees %d, least in leaf %d, share of features %s"
              .formatted(trees, leastInLeaf, featureShare));
    }
  }

  /**
   * Leaves of two rows at least; a third of the features at each split, as Breiman has it for
   * regression: on real traces it is more accurate than all, and faster.
   */
  public static ForestSettings of(int trees, long seed) {
    return new ForestSettings(trees, 2, THIRD, seed);
  }
}
