package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.maestro.Reasons.Kind;
import io.ringmaster.policy.ordered.Cost;
import io.ringmaster.policy.ordered.Line;
import io.ringmaster.policy.ordered.Reservations;
import io.ringmaster.policy.ordered.Room;
import io.ringmaster.policy.placement.Seating;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of fixed sizes that come over time. In the order of {@link Rank}, each gets the servers it
 * wants. If they are not free, three things are weighed: to wait for them, to start scattered, and
 * to stop jobs that are behind it in the order.
 */
final class Online implements Policy {
  private static final int PASSES = 3;

  /** Parts of an expected wait after which it is weighed again. */
  private static final double LOOK_AGAIN = 0.05;

  /** Jobs that want the same servers: if the first finds none, the others need not try. */
  private record Kinship(int kind, Demand demand) {}

  /** The first job of its kind, and when it is to be looked at again. */
  private record Look(int job, double seconds) {}

  private final Rules rules;
  private final Rank rank;
  private final Room room;
  private final Victims victims;
  private final Line line = new Line();
  private final Reasons reasons = new Reasons();
  private final IntList evicted = new IntList();
  private final Map<Kinship, Look> lookAgain = new HashMap<>();

  /** When an elder that found nobody to stop tries again. */
  private double elderSeconds = Double.POSITIVE_INFINITY;

  private double[] startedSeconds = new double[0];
  private int[] evictions = new int[0];

  Online(Rules rules, Cluster cluster) {
    this.rules = rules;
    this.rank = rules.rank();
    this.room = new Room(cluster, Seating.heavyEdge());
    this.victims =
        new Victims(
            cluster,
            room,
            new Victims.Rule() {
              @Override
              public double key(View view, int job) {
                return rank.key(view, job);
              }

              @Override
              public double farthest(View view, int job) {
                return rank.isElder(job)
                        || evictions[job] >= Rules.MOST_EVICTIONS
                        || !view.resumable(job)
                    ? Double.NEGATIVE_INFINITY
                    : rank.farthest(view, job);
              }

              @Override
              public boolean open(View view, int job) {
                return view.nowSeconds() - startedSeconds[job] >= Rules.LEAST_RUN_SECONDS;
              }
            });
  }

  @Override
  public void decide(View view, Decisions decisions) {
    room.ends().observe(view);
    view.ended()
        .forEach(job -> {
          if (line.contains(job)) {
            leaveLine(view, job);
          }
        });
    view.arrived().forEach(job -> arrive(view, job));
    view.rerated()
        .forEach(job -> {
          if (view.running(job)) {
            victims.touch(view.placement(job));
          }
        });
    boolean elders = false;
    for (int job = rank.nextElder(view); job >= 0; job = rank.nextElder(view)) {
      line.put(job, kind(view, job), view.demand(job), rank.key(view, job));
      elders = true;
    }
    evicted.clear();
    elders |= view.nowSeconds() >= elderSeconds;
    elderSeconds = Double.POSITIVE_INFINITY;
    if (elders || view.ended().size() > 0 || view.arrived().size() > 1) {
      pass(view, decisions);
    } else if (view.arrived().size() == 1) {
      serveArrived(view, decisions);
    }
    for (int again = 1; again < PASSES && !evicted.isEmpty(); again++) {
      pass(view, decisions);
    }
    double wake = Math.min(rank.nextElderSeconds(), elderSeconds);
    if (wake < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(wake);
    }
  }

  private void arrive(View view, int job) {
    startedSeconds = Grow.ensure(startedSeconds, job + 1);
    evictions = Grow.ensure(evictions, job + 1);
    if (view.waiting(job)) {
      enterLine(view, job);
    } else {
      startedSeconds[job] = view.nowSeconds();
      victims.touch(view.placement(job));
    }
  }

  private void enterLine(View view, int job) {
    rank.await(view, job);
    line.put(job, kind(view, job), view.demand(job), rank.key(view, job));
  }

  private void leaveLine(View view, int job) {
    rank.stopWaiting(view, job);
    line.remove(job, kind(view, job), view.demand(job));
  }

  private int kind(View view, int job) {
    return 2 * view.gpus(job) + (isHeavy(view, job) ? 1 : 0);
  }

  private Kinship kin(View view, int job) {
    return new Kinship(kind(view, job), view.demand(job));
  }

  private boolean isHeavy(View view, int job) {
    return rules.consolidates() && room.costs().suffers(view, job, Rules.HEAVY_SLOWDOWN);
  }

  /** GPUs came free, or somebody may go ahead: everybody is looked at again. */
  private void pass(View view, Decisions decisions) {
    evicted.clear();
    room.reservations().clear();
    Line.Walk walk = line.walk(Integer.MAX_VALUE);
    for (int job = walk.next(); job >= 0; job = walk.next()) {
      double key = rank.key(view, job);
      if (view.free().total() == 0 && !(rules.preempts() && victims.anyBehind(key))) {
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
    evicted.forEach(job -> enterLine(view, job));
  }

  private void start(View view, Decisions decisions, int job, Placement placement) {
    rank.stopWaiting(view, job);
    startedSeconds[job] = view.nowSeconds();
    room.started(view, job, placement);
    victims.touch(placement);
    decisions.start(job, placement);
  }

  /** Where a job starts now; null if it waits. Who has to make room for it is stopped. */
  private @Nullable Placement place(View view, Decisions decisions, int job, double key) {
    Cost cost = room.costs().of(view, job);
    boolean heavy = isHeavy(view, job);
    Placement wanted = heavy ? room.near(view, job, cost) : room.anywhere(view, job, cost);
    if (wanted != null) {
      reasons.put(job, rank.isElder(job) ? Kind.ELDER : heavy ? Kind.NEAR : Kind.ANYWHERE);
      return wanted;
    }
    Reservations reservations = room.reservations();
    boolean mayReserve = reservations.jobs() < Rules.MOST_RESERVATIONS;
    if (!mayReserve && !rank.isElder(job) && lookAgainSeconds(view, job) > view.nowSeconds()) {
      return null;
    }
    double runs = view.remainingSeconds(job);
    Demand demand = view.demand(job);
    double wait = reservations.search(view, cost.nearest(), demand) - view.nowSeconds();
    Placement scattered =
        heavy && view.gpus(job) <= view.free().total() ? room.anywhere(view, job, cost) : null;
    double loss =
        scattered == null ? Double.POSITIVE_INFINITY : room.lossSeconds(view, job, scattered);
    if (rules.preempts() && victims.anyBehind(key)) {
      Placement cleared = victims.search(view, cost.nearest(), demand, key, Room.end(view, job, 1));
      double harm = weight(victims.found()) * (runs + view.cluster().restartSeconds());
      boolean pays = rank.isElder(job) || Rules.HARM_WEIGHT * harm < Math.min(wait, loss);
      if (cleared != null && pays) {
        reasons.put(job, Kind.EVICTED_OTHERS, victims.found().size(), Math.min(wait, loss));
        evict(view, decisions, rank.isElder(job));
        return room.map(view, job, cleared);
      }
    }
    if (scattered != null && (!rules.waits() || wait >= Rules.WAIT_OVER_SCATTERING * loss)) {
      reasons.put(job, Kind.SCATTERED, wait, loss);
      return scattered;
    }
    if (rank.isElder(job)) {
      // By then nobody who may be stopped is new any more.
      elderSeconds = view.nowSeconds() + Rules.LEAST_RUN_SECONDS;
    }
    lookAgain.put(kin(view, job), new Look(job, view.nowSeconds() + LOOK_AGAIN * wait));
    if (mayReserve) {
      reservations.reserve(cost.nearest(), demand, runs);
      reasons.put(job, Kind.RESERVES, wait, 0);
    } else {
      reasons.put(job, Kind.WAITS);
    }
    return null;
  }

  /**
   * When it is worth weighing again what was weighed in vain. Waits and losses change slowly, so
   * they need not be looked at whenever a job ends somewhere.
   */
  private double lookAgainSeconds(View view, int job) {
    Look last = lookAgain.get(kin(view, job));
    return last == null || last.job != job ? Double.NEGATIVE_INFINITY : last.seconds;
  }

  /** How many jobs, each counted once more for every time that it was stopped before. */
  private int weight(IntList jobs) {
    int weight = jobs.size();
    for (int i = 0; i < jobs.size(); i++) {
      weight += evictions[jobs.get(i)];
    }
    return weight;
  }

  private void evict(View view, Decisions decisions, boolean byElder) {
    victims
        .found()
        .forEach(job -> {
          victims.touch(view.placement(job));
          room.ends().remove(job);
          decisions.suspend(job);
          evictions[job]++;
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
