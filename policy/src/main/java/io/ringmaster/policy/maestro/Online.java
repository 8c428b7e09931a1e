package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.maestro.Reasons.Kind;
import io.ringmaster.policy.maestro.Rules.Rule;
import io.ringmaster.policy.ordered.Cost;
import io.ringmaster.policy.ordered.PossiblePlaces;
import io.ringmaster.policy.ordered.Reservations;
import io.ringmaster.policy.ordered.WaitingLine;
import io.ringmaster.policy.placement.Seating;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of fixed sizes that come over time. In the order of {@link Rank}, each gets the servers it
 * wants. If they are not free, three things are weighed: to wait for them, to start scattered, and
 * to stop jobs that are behind it in the order.
 */
final class Online implements Policy {
  private static final int PASSES = 3;

  /** Waiting jobs are put in order anew when so many times as many have ended. */
  private static final double NEWS = 9.0 / 8;

  private final boolean consolidates;
  private final boolean waits;
  private final boolean reserves;
  private final boolean moving;
  private final Rank rank;
  private final Stops stops;
  private final PossiblePlaces places;
  private final Victims victims;
  private final Moves moves;
  private final WaitingLine line = new WaitingLine();
  private final Reasons reasons = new Reasons();
  private final IntList evicted = new IntList();

  private int ended;
  private int endedWhenOrdered;

  /**
   * @param known whether lengths are known. If not, nothing is kept for a job: the servers that
   *     were to clear first are often not those that do.
   */
  Online(Rules rules, Cluster cluster, boolean known) {
    this.consolidates = rules.has(Rule.CONSOLIDATION);
    this.waits = rules.has(Rule.WAITING);
    this.reserves = known || !rules.has(Rule.CAUTION);
    this.moving = rules.has(Rule.MOVING) && rules.stopping().most() > 0;
    this.rank = new Rank(rules);
    this.stops = new Stops(rules.stopping(), rank);
    this.places = new PossiblePlaces(cluster, Seating.heavyEdge());
    this.victims = new Victims(cluster, places, rank, stops);
    this.moves = new Moves(places, stops);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    places.ends().observe(view);
    victims.open();
    moves.open();
    ended += view.ended().size();
    view.ended()
        .forEach(job -> {
          if (line.contains(job)) {
            leaveLine(view, job);
          }
        });
    view.arrived().forEach(job -> arrive(view, job));
    boolean elders = false;
    for (int job = rank.nextElder(view); job >= 0; job = rank.nextElder(view)) {
      put(view, job);
      elders = true;
    }
    if (ended > NEWS * endedWhenOrdered) {
      endedWhenOrdered = ended;
      orderAnew(view);
    }
    evicted.clear();
    if (elders || view.ended().size() > 0 || view.arrived().size() > 1) {
      pass(view, decisions);
    } else if (view.arrived().size() == 1) {
      serveArrived(view, decisions);
    }
    for (int again = 1; again < PASSES && !evicted.isEmpty(); again++) {
      pass(view, decisions);
    }
    if (rank.nextElderSeconds() < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(rank.nextElderSeconds());
    }
  }

  private void arrive(View view, int job) {
    rank.arrive(view, job);
    if (view.waiting(job)) {
      put(view, job);
    }
  }

  private void put(View view, int job) {
    line.put(job, kind(view, job), view.demand(job), rank.key(view, job));
  }

  /** What is likely left of jobs that wait changes with what is learned from others. */
  private void orderAnew(View view) {
    IntList waiting = new IntList();
    WaitingLine.Walk walk = line.walk(Integer.MAX_VALUE);
    for (int job = walk.next(); job >= 0; job = walk.next()) {
      waiting.add(job);
    }
    waiting.forEach(job -> put(view, job));
  }

  private void leaveLine(View view, int job) {
    rank.stopWaiting(view, job);
    line.remove(job, kind(view, job), view.demand(job));
  }

  private int kind(View view, int job) {
    return 2 * view.gpus(job) + (isHeavy(view, job) ? 1 : 0);
  }

  private boolean isHeavy(View view, int job) {
    return consolidates && places.costs().suffers(view, job, Rules.HEAVY_SLOWDOWN);
  }

  /** GPUs came free, or somebody may go ahead: everybody is looked at again. */
  private void pass(View view, Decisions decisions) {
    evicted.clear();
    places.reservations().clear();
    WaitingLine.Walk walk = line.walk(Integer.MAX_VALUE);
    for (int job = walk.next(); job >= 0; job = walk.next()) {
      double key = rank.key(view, job);
      if (view.free().total() == 0 && !victims.anyBehind(view, key)) {
        break;
      }
      Placement placement = place(view, decisions, job, key);
      if (placement == null) {
        walk.close();
      } else {
        walk.take();
        start(view, decisions, job, placement);
      }
    }
    enterEvicted(view);
  }

  /** Nothing came free: only a job that is new, and first of its kind, can have a chance. */
  private void serveArrived(View view, Decisions decisions) {
    int job = view.arrived().get(0);
    if (view.waiting(job) && line.first(kind(view, job), view.demand(job)) == job) {
      Placement placement = place(view, decisions, job, rank.key(view, job));
      if (placement != null) {
        line.remove(job, kind(view, job), view.demand(job));
        start(view, decisions, job, placement);
      }
    }
    enterEvicted(view);
  }

  private void enterEvicted(View view) {
    evicted.forEach(job -> {
      rank.await(view, job);
      put(view, job);
    });
  }

  private void start(View view, Decisions decisions, int job, Placement placement) {
    rank.stopWaiting(view, job);
    places.started(view, job, placement);
    victims.started(job);
    moves.started(job);
    decisions.start(job, placement);
  }

  /** Where a job starts now; null if it waits. Who has to make room for it is stopped. */
  private @Nullable Placement place(View view, Decisions decisions, int job, double key) {
    Cost cost = places.costs().of(view, job);
    boolean heavy = isHeavy(view, job);
    boolean elder = rank.isElder(job);
    Placement wanted = heavy ? places.near(view, job, cost) : places.anywhere(view, job, cost);
    if (wanted != null) {
      reasons.put(job, elder ? Kind.ELDER : heavy ? Kind.NEAR : Kind.ANYWHERE);
      return wanted;
    }
    Reservations reservations = places.reservations();
    Demand demand = view.demand(job);
    double wait = reservations.search(view, cost.nearest(), demand) - view.nowSeconds();
    Placement scattered =
        heavy && view.gpus(job) <= view.free().total() ? places.anywhere(view, job, cost) : null;
    double loss =
        scattered == null ? Double.POSITIVE_INFINITY : places.lossSeconds(view, job, scattered);
    double waited = rank.waitedSeconds(view, job);
    if (moving && heavy && view.gpus(job) <= view.free().total()) {
      Placement cleared =
          moves.search(view, cost.nearest(), demand, PossiblePlaces.end(view, job, 1));
      // Who moves need not have more left, so the wait is not taken for more than is expected.
      if (cleared != null && (elder || stops.pays(view, moves.moved(), wait, 0, loss))) {
        reasons.put(job, Kind.MOVED_OTHERS, moves.moved().size(), Math.min(wait, loss));
        move(view, decisions);
        return places.map(view, job, cleared);
      }
    }
    if (victims.anyBehind(view, key)) {
      Placement cleared =
          victims.search(view, cost.nearest(), demand, key, PossiblePlaces.end(view, job, 1));
      if (cleared != null && (elder || stops.pays(view, victims.found(), wait, waited, loss))) {
        reasons.put(job, Kind.EVICTED_OTHERS, victims.found().size(), Math.min(wait, loss));
        evict(decisions, elder);
        return places.map(view, job, cleared);
      }
    }
    if (scattered != null && (!waits || wait >= Rules.WAIT_OVER_SCATTERING * loss)) {
      reasons.put(job, Kind.SCATTERED, wait, loss);
      return scattered;
    }
    if (reserves && reservations.jobs() < Rules.MOST_RESERVATIONS) {
      reservations.reserve(cost.nearest(), demand, view.remainingSeconds(job));
      reasons.put(job, Kind.RESERVES, wait, 0);
    } else {
      reasons.put(job, Kind.WAITS);
    }
    return null;
  }

  private void move(View view, Decisions decisions) {
    moves.carryOut(view, decisions);
    moves
        .moved()
        .forEach(job -> {
          victims.started(job);
          moves.started(job);
          reasons.put(job, Kind.MOVED);
        });
  }

  private void evict(Decisions decisions, boolean byElder) {
    victims
        .found()
        .forEach(job -> {
          places.ends().remove(job);
          decisions.suspend(job);
          evicted.add(job);
          reasons.put(job, byElder ? Kind.EVICTED_BY_ELDER : Kind.EVICTED);
        });
  }

  @Override
  public @Nullable String reason(View view, int job) {
    String text = reasons.text(job);
    return text == null && line.contains(job) ? Reasons.Kind.WAITS.words() : text;
  }
}
