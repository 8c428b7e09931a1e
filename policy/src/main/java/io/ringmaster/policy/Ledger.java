package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which GPUs, and the one place where a decision is checked. The simulator and the live
 * plane both drive policies through it: they open a pass, let the policy decide, and carry out the
 * difference.
 */
public final class Ledger implements Decisions {

  /** What the ledger must know of a job to check a decision. */
  public interface Gangs {
    int minGpus(int job);

    int maxGpus(int job);

    /** What the job takes on this cluster beside GPUs. */
    Demand demand(int job);

    /** Whether the job goes on where it was after a stop; if not, it keeps its place to its end. */
    default boolean resumable(int job) {
      return true;
    }

    /** The job's name for messages. */
    String id(int job);
  }

  private static final byte ABSENT = 0;
  private static final byte WAITING = 1;
  private static final byte RUNNING = 2;

  private final String policy;
  private final Cluster cluster;
  private final Gangs gangs;
  private final FreeServers free;
  private final IntList touched = new IntList();
  private byte[] state = new byte[0];
  private @Nullable Placement[] placements = new Placement[0];
  private @Nullable Placement[] before = new Placement[0];
  private boolean[] inPass = new boolean[0];
  private double[] learningRate = new double[0];
  private double nowSeconds;
  private double wakeSeconds = Double.POSITIVE_INFINITY;

  public Ledger(String policy, Cluster cluster, Gangs gangs, int expectedJobs) {
    this.policy = policy;
    this.cluster = cluster;
    this.gangs = gangs;
    this.free = new FreeServers(cluster);
    ensure(expectedJobs - 1);
  }

  private Ledger(Ledger other, Cluster cluster) {
    policy = other.policy;
    this.cluster = cluster;
    gangs = other.gangs;
    free = new FreeServers(cluster);
    state = other.state;
    placements = other.placements;
    before = other.before;
    inPass = other.inPass;
    learningRate = other.learningRate;
    nowSeconds = other.nowSeconds;
  }

  /**
   * A ledger of other servers, all free. It takes over from this one, which must have forgotten all
   * jobs and is of no use any more.
   */
  public Ledger on(Cluster other) {
    open(nowSeconds);
    return new Ledger(this, other);
  }

  /** A job is not there any more. It keeps its GPUs from others: for {@link #on} alone. */
  public void forget(int job) {
    state[job] = ABSENT;
    placements[job] = null;
  }

  private void ensure(int job) {
    if (job >= state.length) {
      int length = Math.max(job + 1, state.length + (state.length >> 1));
      state = Arrays.copyOf(state, length);
      placements = Arrays.copyOf(placements, length);
      before = Arrays.copyOf(before, length);
      inPass = Arrays.copyOf(inPass, length);
    }
  }

  public FreeServers free() {
    return free;
  }

  public boolean waiting(int job) {
    return state(job) == WAITING;
  }

  public boolean running(int job) {
    return state(job) == RUNNING;
  }

  private byte state(int job) {
    return job < state.length ? state[job] : ABSENT;
  }

  public Placement placement(int job) {
    Placement placement = job < placements.length ? placements[job] : null;
    if (placement == null) {
      throw new IllegalArgumentException("job " + gangs.id(job) + " is not running");
    }
    return placement;
  }

  /** A job arrived and waits. */
  public void submit(int job) {
    ensure(job);
    state[job] = WAITING;
  }

  /** A waiting job was cancelled, or is not to be started for now. */
  public void withdraw(int job) {
    if (!waiting(job)) {
      throw new IllegalArgumentException("job " + gangs.id(job) + " is not waiting");
    }
    state[job] = ABSENT;
  }

  /** A running job ended: its GPUs are free. Returns where it was. */
  public Placement end(int job) {
    Placement was = placement(job);
    free.release(was, gangs.demand(job));
    placements[job] = null;
    state[job] = ABSENT;
    return was;
  }

  /** Opens a pass: from here on, changes are noted in {@link #touched}. */
  public void open(double now) {
    for (int i = 0; i < touched.size(); i++) {
      int job = touched.get(i);
      before[job] = null;
      inPass[job] = false;
    }
    touched.clear();
    nowSeconds = now;
    wakeSeconds = Double.POSITIVE_INFINITY;
  }

  /** Jobs decided on in this pass, in the order of the first decision on each. */
  public IntList touched() {
    return touched;
  }

  /** Where a touched job was when the pass opened; null if it was waiting. */
  public @Nullable Placement before(int job) {
    return before[job];
  }

  /** Where a touched job is now; null if it waits. */
  public @Nullable Placement after(int job) {
    return placements[job];
  }

  /** When the policy wants to be asked again; infinity if it does not. */
  public double wakeSeconds() {
    return wakeSeconds;
  }

  private void touch(int job) {
    if (!inPass[job]) {
      inPass[job] = true;
      before[job] = placements[job];
      touched.add(job);
    }
  }

  @Override
  public void start(int job, Placement placement) {
    if (state(job) != WAITING) {
      throw broken(job, "cannot start: it is not waiting");
    }
    touch(job);
    occupy(job, placement);
  }

  @Override
  public void resize(int job, Placement placement) {
    if (state(job) != RUNNING) {
      throw broken(job, "cannot be resized: it is not running");
    }
    checkMayLeave(job, "moved or resized");
    touch(job);
    Placement old = placement(job);
    free.release(old, gangs.demand(job));
    try {
      occupy(job, placement);
    } catch (BrokenDecision e) {
      free.take(old, gangs.demand(job));
      throw e;
    }
  }

  @Override
  public void suspend(int job) {
    if (state(job) != RUNNING) {
      throw broken(job, "cannot be suspended: it is not running");
    }
    checkMayLeave(job, "suspended");
    touch(job);
    free.release(placement(job), gangs.demand(job));
    placements[job] = null;
    state[job] = WAITING;
  }

  /** What this pass decided of a job that waited when it opened may still be changed. */
  private void checkMayLeave(int job, String what) {
    boolean ranBefore = !inPass[job] || before[job] != null;
    if (ranBefore && !gangs.resumable(job)) {
      throw broken(job, "cannot be " + what + ": it is not resumable");
    }
  }

  @Override
  public void scaleLearningRate(int job, double factor) {
    if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
      throw broken(job, "cannot multiply its learning rate by " + factor);
    }
    if (state(job) != RUNNING) {
      throw broken(job, "cannot be told a learning rate: it is not running");
    }
    learningRate = Grow.ensure(learningRate, job + 1);
    learningRate[job] = factor;
  }

  /** What a job multiplies its learning rate by; 0 if it was never told. */
  public double learningRate(int job) {
    return job < learningRate.length ? learningRate[job] : 0;
  }

  @Override
  public void wakeAt(double seconds) {
    if (!(seconds > nowSeconds)) {
      throw new BrokenDecision(
          "policy %s: asked to be woken at %s, which is not after %s"
              .formatted(policy, seconds, nowSeconds));
    }
    wakeSeconds = Math.min(wakeSeconds, seconds);
  }

  private void occupy(int job, Placement placement) {
    int workers = placement.workers();
    if (workers < gangs.minGpus(job) || workers > gangs.maxGpus(job)) {
      throw broken(
          job,
          "takes %d to %d workers, not %d"
              .formatted(gangs.minGpus(job), gangs.maxGpus(job), workers));
    }
    for (int i = 0; i < placement.size(); i++) {
      checkServer(job, placement, i);
    }
    Demand demand = gangs.demand(job);
    if (!free.holds(placement, demand)) {
      throw broken(
          job, "takes %s beside GPUs, which is not free on %s".formatted(demand, placement));
    }
    free.take(placement, demand);
    placements[job] = placement;
    state[job] = RUNNING;
  }

  private void checkServer(int job, Placement placement, int i) {
    int server = placement.server(i);
    if (server < 0 || server >= cluster.size() || placement.gpus(i) < 1) {
      throw broken(job, "has a placement that cannot be: " + placement);
    }
    if (placement.gpus(i) > free.gpus(server)) {
      throw broken(
          job,
          "wants %d GPUs of %s, where %d are free"
              .formatted(placement.gpus(i), cluster.server(server).name(), free.gpus(server)));
    }
    for (int k = 0; k < i; k++) {
      if (placement.server(k) == server) {
        throw broken(job, "names " + cluster.server(server).name() + " twice");
      }
    }
  }

  private BrokenDecision broken(int job, String what) {
    return new BrokenDecision(
        "policy %s at %s s: job %s %s".formatted(policy, nowSeconds, gangs.id(job), what));
  }
}
