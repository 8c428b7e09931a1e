package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.BySize;
import io.ringmaster.policy.queue.FirstBelow;
import java.util.List;

/**
 * EASY backfilling: Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995; Mu'alem and Feitelson,
 * IEEE TPDS 12(6), 2001. Jobs start in order of submission. When the first one does not fit, it
 * gets a reservation at the earliest time at which it will, and a later job may start now only if
 * it does not delay that: it ends before, or uses GPUs that stay free then.
 *
 * <p>Departures: with a placement that needs particular servers ({@code consolidate}) the
 * reservation is on servers, not on a number of GPUs; where CPUs, memory or links are counted, it
 * is on these too. The textbook scans the queue and the running jobs at each event; here the
 * reservation is kept until something that it rests on changes, and a tree of estimates finds the
 * first job short enough, with the same outcome.
 */
public final class Easy implements Policy {
  public static final PolicySpec SPEC =
      new PolicySpec(
          "easy",
          "First come, first served; later jobs fill gaps if they do not delay the first.",
          "Lifka, JSSPP 1995; Mu'alem and Feitelson, TPDS 2001; what Slurm users have",
          List.of(Placer.PARAMETER, Estimate.PARAMETER),
          Placer::rule,
          Easy::new);

  private final Placer placer;
  private final LazyHeap runningByEnd = new LazyHeap();
  private final Reservation reservation;
  private final BySize<FirstBelow> queues = new BySize<>(FirstBelow::new);

  public Easy(Settings settings, Cluster cluster) {
    this.placer = Placer.of(settings, cluster);
    this.reservation = new Reservation(placer, runningByEnd);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    placer.see(view);
    observe(view);
    int head = startInOrder(view, decisions);
    if (head >= 0 && view.free().total() > 0) {
      reservation.renew(view, head);
      backfill(view, decisions);
    }
  }

  private void observe(View view) {
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      if (runningByEnd.contains(job)) {
        reservation.ended(runningByEnd.key(job), view.nowSeconds());
        runningByEnd.remove(job);
      } else {
        queues.queue(view.gpus(job), view.demand(job)).removeJob(job);
      }
    }
    for (int i = 0; i < view.rerated().size(); i++) {
      int job = view.rerated().get(i);
      if (view.running(job)) {
        expect(job, view.expectedEndSeconds(job));
      }
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        queues.queue(view.gpus(job), view.demand(job)).add(job, view.estimateSeconds(job));
      } else {
        expect(job, view.expectedEndSeconds(job));
      }
    }
  }

  private void expect(int job, double end) {
    double before = runningByEnd.contains(job) ? runningByEnd.key(job) : Double.POSITIVE_INFINITY;
    reservation.moved(before, end);
    runningByEnd.put(job, end);
  }

  /** Starts jobs from the front while they fit. Returns the first that does not, or -1. */
  private int startInOrder(View view, Decisions decisions) {
    while (true) {
      int first = -1;
      int job = Integer.MAX_VALUE;
      for (int c = 0; c < queues.classes(); c++) {
        FirstBelow queue = queues.queue(c);
        int place = queue.first();
        if (place >= 0 && queue.job(place) < job) {
          first = c;
          job = queue.job(place);
        }
      }
      if (first < 0) {
        return -1;
      }
      Placement placement = placer.place(view.free(), queues.demand(first), queues.gpus(first));
      if (placement == null) {
        return job;
      }
      queues.queue(first).remove(queues.queue(first).first());
      start(view, decisions, job, placer.suited(view, job, placement));
    }
  }

  private void start(View view, Decisions decisions, int job, Placement placement) {
    decisions.start(job, placement);
    runningByEnd.put(job, view.nowSeconds() + view.estimateSeconds(job));
  }

  /** Starts what does not delay the reservation, in order of submission. */
  private void backfill(View view, Decisions decisions) {
    double gap = reservation.atSeconds() - view.nowSeconds();
    boolean[] onlyShort = new boolean[queues.classes()];
    queues.openPass();
    while (true) {
      int next = -1;
      int nextPlace = -1;
      int job = Integer.MAX_VALUE;
      int free = view.free().total();
      for (int c = 0; c < onlyShort.length && queues.gpus(c) <= free; c++) {
        if (!queues.refused(c)) {
          FirstBelow queue = queues.queue(c);
          int place = onlyShort[c] ? queue.find(gap) : queue.first();
          if (place >= 0 && queue.job(place) < job) {
            next = c;
            nextPlace = place;
            job = queue.job(place);
          }
        }
      }
      if (next < 0) {
        return;
      }
      boolean ends = view.estimateSeconds(job) <= gap;
      Demand demand = queues.demand(next);
      Placement placement = placer.place(view.free(), demand, queues.gpus(next));
      placement = placement == null ? null : placer.suited(view, job, placement);
      if (placement == null) {
        queues.refuse(queues.gpus(next), demand, Integer.MAX_VALUE);
      } else if (ends || reservation.leavesRoom(placement, demand)) {
        queues.queue(next).remove(nextPlace);
        start(view, decisions, job, placement);
        if (!ends) {
          reservation.use(placement, demand);
        }
      } else {
        onlyShort[next] = true;
      }
    }
  }
}
