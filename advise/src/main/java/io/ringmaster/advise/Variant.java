package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import java.util.Map;

/**
 * What is played on: the queue as it is, or with one thing changed.
 *
 * @param without a job that is cancelled: its place among the running, and behind them the waiting,
 *     jobs; -1 if none is
 * @param halved a job that has half its GPUs, by its place in the same order; -1 if none has
 */
record Variant(
    Cluster cluster, String policy, Map<String, String> settings, int without, int halved) {
  static Variant of(Cluster cluster, String policy, Map<String, String> settings) {
    return new Variant(cluster, policy, settings, -1, -1);
  }

  Variant cancelling(int job) {
    return new Variant(cluster, policy, settings, job, -1);
  }

  Variant halving(int job) {
    return new Variant(cluster, policy, settings, -1, job);
  }

  Variant on(Cluster other) {
    return new Variant(other, policy, settings, -1, -1);
  }
}
