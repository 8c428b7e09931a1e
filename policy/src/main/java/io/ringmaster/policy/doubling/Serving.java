package io.ringmaster.policy.doubling;

import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Of a new division of the GPUs: what changes. */
final class Serving {
  /** A job and how many workers it is to have. */
  record Goal(int job, int workers) {}

  /** Those that are to run and do not stay as they are, from the largest to the smallest. */
  final List<Goal> goals = new ArrayList<>();

  /** Those that run and do not stay as they are. */
  final TreeSet<Integer> leaving = new TreeSet<>();

  void add(View view, int job, boolean isRunning, int workers) {
    if (!isRunning || view.placement(job).workers() != workers) {
      goals.add(new Goal(job, workers));
      if (isRunning) {
        leaving.add(job);
      }
    }
  }

  void sort() {
    goals.sort(Comparator.comparingInt((Goal goal) -> -goal.workers()).thenComparingInt(Goal::job));
  }
}
