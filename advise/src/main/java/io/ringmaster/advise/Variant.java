package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import java.util.Map;

/**
 * What is played on: the queue as it is, or with one thing changed.
 *
 * @param without a job that is cancelled: its place among the running, and behind them the waiting,
 *     jobs; -1 if none is
 * @param halved the place among the waiting jobs of one that asks for half its GPUs; -1 if none
 */
record Variant(
    Cluster cluster, String policy, Map<String, String> settings, int without, int halved) {
  static Variant of(Cluster cluster, String policy, Map<String, String> settings) {
    return new Variant(cluster, policy, settings, -1, -1);
  }

  Variant cancelling(int job) {
    return new Variant(cluster, policy, settings, job, -1);
  }

  Variant halving(int waiting) {
    return new Variant(cluster, policy, settings, -1, waiting);
  }

  Variant on(Cluster other) {
    return new Variant(other, policy, settings, -1, -1);
  }
}
