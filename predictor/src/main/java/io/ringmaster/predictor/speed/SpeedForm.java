package io.ringmaster.predictor.speed;

/** What is fitted. */
public enum SpeedForm {
  /**
   * Computation and exchange as in {@link io.ringmaster.model.FittedExchange}: inside a server and
   * across servers may differ, workers on one server share its link, and the exchange may overlap
   * with the computation, which takes a constant and a time for each sample.
   */
  PLACED,

  /**
   * The form of Capes, Raheja, Kemertas, Mohomed, MLSys workshop at NeurIPS 2018 (arXiv
   * 1908.08082): th0 b + th1 steps(w) + th2 share(w) + th3, b the samples of a worker. The place
   * does not matter, and nothing overlaps.
   */
  PAPER
}
