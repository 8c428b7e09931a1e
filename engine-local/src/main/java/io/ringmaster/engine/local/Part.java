package io.ringmaster.engine.local;

/**
 * Which of an attempt's workers run here, if others run elsewhere at the same time.
 *
 * @param firstRank of those that run here
 * @param workers of the whole attempt
 * @param address where all of them meet
 * @param port where all of them meet; 0: at one that is free here
 */
public record Part(int firstRank, int workers, String address, int port) {
  /** All workers are here. */
  static Part whole(int workers) {
    return new Part(0, workers, "127.0.0.1", 0);
  }
}
