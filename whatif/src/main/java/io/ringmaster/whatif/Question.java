package io.ringmaster.whatif;

import io.ringmaster.policy.Estimate;

/**
 * How a history is asked.
 *
 * @param estimateText what policies know of lengths, as their setting says it
 * @param draws guesses at what the history does not tell
 * @param seed of the first guess
 */
public record Question(String estimateText, int draws, long seed, int threads) {
  Estimate estimate() {
    return Estimate.parse(estimateText);
  }
}
