package io.ringmaster.policy.maestro;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.batch.Batch;
import io.ringmaster.policy.maestro.Reasons.Kind;
import io.ringmaster.policy.maestro.Rules.Rule;
import io.ringmaster.policy.slots.ActiveJobs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch of jobs of fixed sizes, for the makespan, or for makespan and mean together. All that
 * wait are put in an order by {@link OrderSearch}; whenever GPUs come free, jobs start in that
 * order, and what does not fit is passed over. Jobs run to their end.
 *
 * <p>The order is searched for again when many have come. A search believes what it is told, and an
 * order that fits the predictions to the second is worse than a plain one if these are wrong by a
 * quarter. So it searches only where lengths are known; and when a job ends at another time than
 * was expected, the longest simply go first until the next plan.
 */
final class BatchMode implements Policy {
  /** A plan is made anew once so many times the jobs that it knew of have come. */
  private static final double REPLAN = 0.25;

  /** So many jobs times trials at most: with very many jobs the longest simply go first. */
  private static final double MOST_EFFORT = 2e6;

  /** An end that is off by more than this share of what was expected makes a new plan. */
  private static final double OFF = 0.02;

  private final Rules rules;
  private final double mix;
  private final int trials;
  private final Rank rank;
  private final Reasons reasons = new Reasons();
  private final ActiveJobs active = new ActiveJobs();
  private Trial.@Nullable Starts starts;

  /** Jobs that wait, in the order in which they are to start. */
  private IntList order = new IntList();

  private final Set<Integer> mayScatter = new HashSet<>();
  private final Map<Integer, Double> expectedEnd = new HashMap<>();
  private int elders;
  private int arrivals;
  private int plannedFor;
  private int plans;

  BatchMode(Rules rules, double mix, int trials) {
    this.rules = rules;
    this.rank = new Rank(rules);
    this.mix = mix;
    this.trials = trials;
  }

  @Override
  public void decide(View view, Decisions decisions) {
    if (starts == null) {
      starts = new Trial.Starts(view, rules.has(Rule.CONSOLIDATION));
    }
    active.update(view);
    boolean off = false;
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      rank.stopWaiting(view, job);
      Double expected = expectedEnd.remove(job);
      off |=
          expected != null
              && Math.abs(expected - view.nowSeconds())
                  > OFF * Math.max(1, expected - view.submitSeconds(job));
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      rank.arrive(view, job);
      if (view.waiting(job)) {
        order.add(job);
        arrivals++;
      }
    }
    keepWaiting(view);
    if (arrivals > 0 && arrivals >= REPLAN * plannedFor) {
      plan(view, trials);
    } else if (off && trials > 0) {
      plan(view, 0);
    }
    promoteElders(view);
    dispatch(view, decisions, starts);
    if (rank.nextElderSeconds() < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(rank.nextElderSeconds());
    }
  }

  private void keepWaiting(View view) {
    IntList kept = new IntList();
    for (int i = 0; i < order.size(); i++) {
      if (view.waiting(order.get(i))) {
        kept.add(order.get(i));
      }
    }
    order = kept;
  }

  private void plan(View view, int effort) {
    if (order.isEmpty()) {
      return;
    }
    int[] waiting = order.toArray();
    int[] running = Arrays.stream(active.toArray()).filter(view::running).toArray();
    Batch batch = new Batch(view, 1, waiting, running, new int[running.length][]);
    Trial trial = new Trial(view, batch, Objects.requireNonNull(starts));
    int most = (int) Math.min(effort, MOST_EFFORT / batch.size());
    boolean[] may = new boolean[batch.size()];
    for (int i = 0; i < waiting.length; i++) {
      may[i] = mayScatter.contains(waiting[i]);
    }
    int[] asBefore = plans == 0 ? new int[0] : IntStream.range(0, waiting.length).toArray();
    OrderSearch.Plan best =
        new OrderSearch(batch, trial, mix, view.random()).run(asBefore, may, most);
    mayScatter.clear();
    order = new IntList();
    for (int index : best.order()) {
      order.add(waiting[index]);
      if (best.mayScatter()[index]) {
        mayScatter.add(waiting[index]);
      }
    }
    expectedEnd.clear();
    trial.run(
        best.order(),
        best.mayScatter(),
        Double.POSITIVE_INFINITY,
        (end, index) -> expectedEnd.put(batch.job(index), end));
    plannedFor = batch.size();
    arrivals = 0;
    plans++;
  }

  /** Who has waited for too long goes first, and holds up the others until it can start. */
  private void promoteElders(View view) {
    IntList first = new IntList();
    for (int job = rank.nextElder(view); job >= 0; job = rank.nextElder(view)) {
      mayScatter.add(job);
      elders++;
    }
    if (elders == 0) {
      return;
    }
    int[] by = order.toArray();
    Arrays.stream(by).filter(rank::isElder).sorted().forEach(first::add);
    Arrays.stream(by).filter(job -> !rank.isElder(job)).forEach(first::add);
    order = first;
  }

  private void dispatch(View view, Decisions decisions, Trial.Starts now) {
    now.open();
    for (int i = 0; i < order.size() && view.free().total() > 0; i++) {
      int job = order.get(i);
      Placement placement =
          now.place(view.free(), view.demand(job), view.gpus(job), mayScatter.contains(job));
      if (placement != null) {
        reasons.put(job, rank.isElder(job) ? Kind.ELDER : Kind.PLANNED);
        rank.stopWaiting(view, job);
        decisions.start(job, placement);
      } else if (rank.isElder(job)) {
        return;
      }
    }
  }

  @Override
  public Map<String, Object> notes() {
    Map<String, Object> notes = new LinkedHashMap<>();
    notes.put("plans", plans);
    return notes;
  }

  @Override
  public @Nullable String reason(View view, int job) {
    return reasons.text(job);
  }
}
