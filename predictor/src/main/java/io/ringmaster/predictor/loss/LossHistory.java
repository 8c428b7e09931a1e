package io.ringmaster.predictor.loss;

import org.jspecify.annotations.Nullable;

/**
 * The losses of a running job as they come in. Fits when it is asked and something is new. Holds
 * 512 points at most: older ones are merged with their neighbours.
 */
public final class LossHistory {
  private final Losses losses = new Losses();
  private @Nullable LossFit fit;

  public void add(double epoch, double loss) {
    losses.add(new LossPoint(epoch, loss));
    fit = null;
  }

  public int size() {
    return losses.size;
  }

  /** The fit of what is known so far; it may be used until the next point comes. */
  public LossFit fit() {
    if (fit == null) {
      fit = LossFit.of(losses);
    }
    return fit;
  }

  public LossForecast forecast(Convergence convergence) {
    return fit().forecast(convergence);
  }
}
