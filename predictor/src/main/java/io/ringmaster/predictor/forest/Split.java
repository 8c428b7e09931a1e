package io.ringmaster.predictor.forest;

/** The best split of a node that was found so far. */
final class Split {
  int feature;

  /** The last bin that goes to the lower child. */
  int bin;

  double score;

  /** How many different rows go to the lower child. */
  int lower;

  void none() {
    feature = -1;
    score = -1;
  }

  boolean found() {
    return feature >= 0;
  }

  void take(int byFeature, int lastBin, double itsScore, int inLower) {
    feature = byFeature;
    bin = lastBin;
    score = itsScore;
    lower = inLower;
  }
}
