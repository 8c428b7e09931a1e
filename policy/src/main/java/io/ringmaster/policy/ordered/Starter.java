package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Seating;
import org.jspecify.annotations.Nullable;

/**
 * Starts waiting jobs in the order of a line, with or without reservations.
 *
 * <p>With reservations, a job that communicates much (scattered, its iterations take more than
 * theta times as long) is given as few servers as it can have. If they are not free it reserves
 * those that clear first, unless starting at once on scattered GPUs costs it less time than waiting
 * for them. What is reserved, later jobs may use only in ways that do not delay it. Designed after
 * the finding that this, more than the order, is what makes A-SRPT (Luo, Liu, Lee, Shroff, INFOCOM
 * 2025) fast where the network is slow.
 */
public final class Starter {
  /** Whether jobs that communicate much reserve servers. */
  public static final Parameter RESERVE =
      Parameter.flag("reserve", false)
          .saying(
              "jobs that would lose much by being scattered reserve the servers that clear first;"
                  + " others use those only if they do not delay them");

  /** How much slower scattered a job must be to reserve. */
  public static final Parameter THETA =
      Parameter.number("theta", 1.1, 1, Double.POSITIVE_INFINITY)
          .saying(
              "with reserve: jobs communicate much whose iterations, scattered, take over this many"
                  + " times as long");

  /** How many jobs of a size that cannot start a pass looks at. */
  private static final int DEPTH = 64;

  /** How many jobs may hold reservations in a pass, or wait for those who do. */
  private static final int MOST_RESERVING = 32;

  private final PossiblePlaces places;
  private final boolean reserving;
  private final double theta;

  public Starter(Cluster cluster, Seating seating, boolean reserving, double theta) {
    this.places = new PossiblePlaces(cluster, seating);
    this.reserving = reserving;
    this.theta = theta;
  }

  public static Starter of(Settings settings, Cluster cluster, Seating seating) {
    return new Starter(
        cluster, seating, settings.flag(RESERVE.name()), settings.number(THETA.name()));
  }

  public Costs costs() {
    return places.costs();
  }

  /** How a line is served. */
  public enum Rule {
    /** The first job that can neither start nor reserve holds up all behind it. */
    STRICT,
    /** Jobs that cannot start are passed over. */
    SKIP,
    /** The same, and nothing is reserved: jobs that communicate much start on few servers only. */
    EARLY
  }

  /**
   * Begins a pass. Returns whether one is worth its time: that jobs outlived their estimates, or
   * that others slow them down, frees no GPU.
   */
  public boolean open(View view) {
    if (reserving) {
      places.open(view);
    }
    return view.arrived().size() > 0 || view.ended().size() > 0;
  }

  /**
   * Starts what can start of a line, and takes it out.
   *
   * @param fewestLater the fewest GPUs of jobs that are served after this line: once there are not
   *     even so many, nobody is left whom a reservation could hold back
   */
  public void serve(View view, Decisions decisions, WaitingLine line, Rule rule, int fewestLater) {
    FreeServers free = view.free();
    if (Math.min(line.fewestGpus(), fewestLater) > free.total()) {
      return;
    }
    WaitingLine.Walk walk = line.walk(DEPTH);
    for (int job = walk.next(); job >= 0; job = walk.next()) {
      if (Math.min(walk.fewestGpus(), fewestLater) > free.total()) {
        return;
      }
      Cost cost = costs().of(view, job);
      boolean reserves = reserving && cost.communicates(theta);
      Placement placement =
          reserves ? nearOrReserve(view, job, cost, rule) : places.anywhere(view, job, cost);
      if (placement != null) {
        walk.take();
        start(view, decisions, job, placement);
      } else if (rule == Rule.STRICT && !reserves) {
        return;
      } else if (reserving) {
        walk.passOver();
      } else {
        walk.closeAll();
      }
    }
  }

  private void start(View view, Decisions decisions, int job, Placement placement) {
    if (reserving) {
      places.started(view, job, placement);
    }
    decisions.start(job, placement);
  }

  private @Nullable Placement nearOrReserve(View view, int job, Cost cost, Rule rule) {
    Placement near = places.near(view, job, cost);
    if (near != null) {
      return near;
    }
    Reservations reservations = places.reservations();
    if (rule == Rule.EARLY || reservations.jobs() >= MOST_RESERVING) {
      return null;
    }
    Demand demand = view.demand(job);
    double wait = reservations.search(view, cost.nearest(), demand) - view.nowSeconds();
    Placement scattered =
        view.gpus(job) <= view.free().total() ? places.anywhere(view, job, cost) : null;
    if (scattered != null) {
      double lost = (places.slowdown(view, job, scattered) - 1) * view.remainingSeconds(job);
      if (lost <= wait) {
        return scattered;
      }
    }
    reservations.reserve(cost.nearest(), demand, view.remainingSeconds(job));
    return null;
  }
}
