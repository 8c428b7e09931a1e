package io.ringmaster.policy.slots;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Pack;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shares the cluster out anew at the beginning of every slot. In between, what is free goes to jobs
 * that wait; jobs that run are left alone.
 */
public abstract class SlottedPolicy implements Policy {
  public static final Parameter SLOT =
      Parameter.number("slot", 600, 1, 1e9)
          .saying("seconds between two times at which all GPUs are given out anew");

  private final double slotSeconds;

  private final ActiveJobs active = new ActiveJobs();
  private final WaitingJobs waiting = new WaitingJobs();
  private double nextSlot = Double.NEGATIVE_INFINITY;

  protected SlottedPolicy(Settings settings) {
    this.slotSeconds = settings.number(SLOT.name());
  }

  /** When the slot that has begun ends. */
  protected final double slotEndSeconds() {
    return nextSlot;
  }

  /**
   * Where each job is to run from now on, but for the pinned, which stay. Jobs that are not in it
   * wait.
   *
   * @param jobs all that wait or run, in order of submission
   */
  protected abstract Map<Integer, Placement> share(View view, int[] jobs, Pinned pinned);

  /** Gives what is free to jobs that wait; none that runs may be touched. */
  protected abstract void fill(View view, Decisions decisions, WaitingJobs queue);

  /**
   * Where a job that begins to wait stands among those that do: the lesser goes first, and of
   * equals the one that came first. It is asked when the job arrives, and after each slot's plan is
   * carried out.
   */
  protected double waitingKey(View view, int job) {
    return 0;
  }

  /** All that wait or run, in order of submission. */
  protected final int[] activeJobs() {
    return active.toArray();
  }

  /** A job arrived since the last decision. */
  protected void onArrive(View view, int job) {}

  /** A job ended since the last decision. */
  protected void onEnd(View view, int job) {}

  /** No job is left. */
  protected void onIdle() {}

  @Override
  public final void decide(View view, Decisions decisions) {
    active.update(view);
    observe(view);
    if (view.nowSeconds() >= nextSlot) {
      nextSlot = slotSeconds * (Math.floor(view.nowSeconds() / slotSeconds + 1e-9) + 1);
      int[] jobs = active.toArray();
      Pinned pinned = new Pinned(view, jobs);
      carryOut(view, decisions, pinned.others(), share(view, jobs, pinned));
      for (int job : pinned.others()) {
        enqueue(view, job);
      }
    } else if (view.free().total() > 0) {
      waiting.open(view);
      fill(view, decisions, waiting);
      waiting.close(view);
    }
    if (active.isEmpty()) {
      onIdle();
    } else {
      startSomething(view, decisions);
      decisions.wakeAt(nextSlot);
    }
  }

  private void observe(View view) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      onArrive(view, job);
      enqueue(view, job);
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      onEnd(view, job);
      waiting.remove(view, job, view.minGpus(job));
    }
  }

  private void enqueue(View view, int job) {
    if (view.waiting(job)) {
      waiting.put(view, job, view.minGpus(job), waitingKey(view, job));
    } else {
      waiting.remove(view, job, view.minGpus(job));
    }
  }

  /** Whatever a policy thinks of its jobs, an empty cluster takes the first of them. */
  private void startSomething(View view, Decisions decisions) {
    int first = active.first();
    if (view.free().total() == view.cluster().totalGpus()) {
      Placement placement = new Pack().place(view.free(), view.demand(first), view.minGpus(first));
      decisions.start(first, Objects.requireNonNull(placement, "the job fits no empty cluster"));
      enqueue(view, first);
    }
  }

  /**
   * Has jobs run where a plan says, and those that are not in it wait. Jobs that lose or change
   * their place make room first.
   *
   * @param jobs all that wait or run, in order of submission, but for the pinned
   */
  public static void carryOut(
      View view, Decisions decisions, int[] jobs, Map<Integer, Placement> plan) {
    IntList starting = new IntList();
    for (int job : jobs) {
      @Nullable Placement now = view.running(job) ? view.placement(job) : null;
      @Nullable Placement next = plan.get(job);
      if (!Objects.equals(now, next)) {
        if (now != null) {
          decisions.suspend(job);
        }
        if (next != null) {
          starting.add(job);
        }
      }
    }
    starting.forEach(job -> decisions.start(job, Objects.requireNonNull(plan.get(job))));
  }
}
