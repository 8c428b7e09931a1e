package io.ringmaster.policy.doubling;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.View;
import io.ringmaster.policy.slots.Allocation;
import org.jspecify.annotations.Nullable;

/** A job that doubles. */
final class DoublingJob implements Allocation.Candidate {
  /** What does not change while a job is there. */
  record Facts(Demand demand, Sizes sizes, Belief belief) {}

  final int job;
  final Facts facts;
  final Sizes sizes;
  final double leftSeconds;
  final @Nullable Placement present;
  final double changeSeconds;

  DoublingJob(View view, int job, Facts facts, Sizes sizes, double changeSeconds) {
    this.job = job;
    this.facts = facts;
    this.sizes = sizes;
    this.leftSeconds = Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job));
    this.present = view.running(job) ? view.placement(job) : null;
    this.changeSeconds = changeSeconds;
  }

  @Override
  public Demand demand() {
    return facts.demand();
  }

  @Override
  public int least() {
    return sizes.least();
  }

  @Override
  public int next(int workers) {
    return sizes.next(workers);
  }

  @Override
  public double seconds(int workers) {
    boolean changes = present != null && present.workers() != workers;
    return leftSeconds / facts.belief().rate(workers) + (changes ? changeSeconds : 0);
  }

  double seconds(Placement placement) {
    boolean changes = present != null && !present.equals(placement);
    return leftSeconds / facts.belief().rate(placement) + (changes ? changeSeconds : 0);
  }
}
