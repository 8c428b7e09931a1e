package io.ringmaster.policy.execution;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rings;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of each job is done, how fast it goes on, and when it is through. Work is counted in
 * ideal seconds: what a job does in a second when it is alone in its ideal place. The speed of a
 * ring changes at the moment that another comes to or leaves one of its servers.
 *
 * <p>It can be copied half-way, so that trials which begin alike share the beginning.
 */
public final class Progress {
  private final IdealRuns ideal;
  private final IterationTime time;
  private final Slots slots;
  private final Rings rings;
  private final IntList felt = new IntList();

  /** Ideal seconds done by {@link #from}, and how fast it goes on after that. */
  private double[] done;

  private double[] speed;
  private double[] from;

  /** Of the jobs that share links with others, and long enough for those. */
  private @Nullable Placement[] ringPlacements = {};

  private int ringCount;
  private double now;

  /**
   * Begins at time 0 with nothing under way.
   *
   * @param jobs how many there will be; if there are more, see {@link #ensure}
   */
  public Progress(IdealRuns ideal, Cluster cluster, int jobs) {
    this.ideal = ideal;
    this.time = IterationTime.of(cluster);
    this.slots = new Slots(cluster.network().slotSeconds());
    this.rings = new Rings(cluster.size(), time);
    this.done = new double[jobs];
    this.speed = new double[jobs];
    this.from = new double[jobs];
  }

  private Progress(Progress other) {
    ideal = other.ideal;
    time = other.time;
    slots = other.slots;
    rings = other.rings.copy();
    done = other.done.clone();
    speed = other.speed.clone();
    from = other.from.clone();
    ringPlacements = other.ringPlacements.clone();
    ringCount = other.ringCount;
    now = other.now;
  }

  public Progress copy() {
    return new Progress(this);
  }

  /** Makes room for so many jobs. */
  void ensure(int jobs) {
    done = Grow.ensure(done, jobs);
    speed = Grow.ensure(speed, jobs);
    from = Grow.ensure(from, jobs);
  }

  public Slots slots() {
    return slots;
  }

  public double nowSeconds() {
    return now;
  }

  public void goTo(double seconds) {
    now = seconds;
  }

  /**
   * A job begins to run, and does so from a time on.
   *
   * @return true: it has a speed; false: it shares links, and gets one by {@link #rerate}
   */
  public boolean start(int job, Placement placement, double fromSeconds) {
    from[job] = fromSeconds;
    if (!sharesLinks(job, placement)) {
      return rate(job, placement, 1);
    }
    rings.join(job, ideal.profile(job), placement);
    if (job >= ringPlacements.length) {
      int length = Math.max(job + 1, Math.min(done.length, 2 * job));
      ringPlacements = Arrays.copyOf(ringPlacements, length);
    }
    ringPlacements[job] = placement;
    ringCount++;
    return false;
  }

  private boolean sharesLinks(int job, Placement placement) {
    return placement.crossesServers() && time.neighboursMatter() && ideal.profile(job) != null;
  }

  /** A job runs no more. */
  public void stop(int job) {
    settle(job);
    speed[job] = 0;
    Placement ring = job < ringPlacements.length ? ringPlacements[job] : null;
    if (ring != null) {
      rings.leave(job, ring);
      ringPlacements[job] = null;
      ringCount--;
    }
  }

  /** Whether any speed can still change when a job stops. */
  public boolean anyRings() {
    return ringCount > 0;
  }

  /**
   * Finds the speeds of all rings anew that feel who came or went.
   *
   * @return the jobs whose speed is another now; for reading until this is called again
   */
  public IntList rerate() {
    felt.clear();
    if (rings.anyChanged()) {
      rings.drainFelt(felt);
      int changed = 0;
      for (int i = 0; i < felt.size(); i++) {
        int job = felt.get(i);
        Placement placement = Objects.requireNonNull(ringPlacements[job]);
        if (rate(job, placement, rings.contenders(job, placement))) {
          felt.set(changed++, job);
        }
      }
      while (felt.size() > changed) {
        felt.pop();
      }
    }
    return felt;
  }

  private boolean rate(int job, Placement placement, double contenders) {
    double next = speed(job, placement, contenders);
    if (next == speed[job]) {
      return false;
    }
    settle(job);
    speed[job] = next;
    return true;
  }

  /** Ideal seconds that a job would do in a second. */
  public double speed(int job, Placement placement, double contenders) {
    return speed(
        ideal.profile(job), ideal.gpus(job), ideal.iterationSeconds(job), placement, contenders);
  }

  double speed(
      @Nullable ModelProfile profile,
      int gpus,
      double iterationSeconds,
      Placement placement,
      double contenders) {
    double tau = time.seconds(profile, placement, contenders);
    return ((double) placement.workers() / gpus) * slots.speed(iterationSeconds, tau);
  }

  /** Ideal seconds that a job does in a second; 0 if it does not run. */
  public double speed(int job) {
    return speed[job];
  }

  /** Adds up what was done until now. */
  void settle(int job) {
    if (now > from[job]) {
      done[job] += speed[job] * (now - from[job]);
      from[job] = now;
    }
  }

  /** It is known how much of a job is done by now. */
  void correct(int job, double doneSeconds) {
    done[job] = doneSeconds;
    from[job] = now;
  }

  /** A job that runs no more has lost what it did beyond so much. */
  void goBack(int job, double keptSeconds) {
    done[job] = keptSeconds;
  }

  /**
   * A job makes progress from now on, neither earlier nor later.
   *
   * @return whether that is news
   */
  boolean countFromNow(int job) {
    boolean isNews = from[job] != now;
    from[job] = now;
    return isNews;
  }

  /** Ideal seconds done by now, also by a job that has just stopped. */
  public double done(int job) {
    return now > from[job] ? done[job] + speed[job] * (now - from[job]) : done[job];
  }

  /** When a job has done so many ideal seconds, if nothing changes. */
  public double endOf(int job, double idealSeconds) {
    return slots.atOrAfter(from[job] + (idealSeconds - done[job]) / speed[job]);
  }
}
