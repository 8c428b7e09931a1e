package io.ringmaster.control.plane;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When the parts of a server last answered. Written by the threads that know, read by any. */
final class Vitals {
  private static final Logger LOG = LoggerFactory.getLogger(Vitals.class);

  /** An engine that takes longer than this for one thing is said to hang. */
  private static final double ENGINE_SECONDS = 30;

  private final LongSupplier nanos;
  private volatile boolean leads;
  private volatile String standsByBecause = "it has just started";
  private volatile @Nullable Long stepNanos;
  private volatile @Nullable Long engineNanos;
  private volatile @Nullable Long storeNanos;
  private volatile @Nullable Call call;
  private final Queue<Call> hanging = new ConcurrentLinkedQueue<>();
  private volatile String engineFailure = "";

  /** What the engine was asked and has not answered. */
  private record Call(String what, long sinceNanos) {}

  /**
   * Nothing has answered yet.
   *
   * @param nanos a clock that only goes forward
   */
  Vitals(LongSupplier nanos) {
    this.nanos = nanos;
  }

  boolean leads() {
    return leads;
  }

  void led() {
    standsByBecause = "";
    leads = true;
    LOG.info("leads");
  }

  /** This server does not lead, or no longer. Told once, as long as the reason stays the same. */
  void standsBy(String why) {
    leads = false;
    call = null;
    hanging.clear();
    if (!why.equals(standsByBecause)) {
      standsByBecause = why;
      LOG.warn("stands by: {}", why);
    }
  }

  void stepped() {
    stepNanos = nanos.getAsLong();
  }

  void stored() {
    storeNanos = nanos.getAsLong();
  }

  /** The engine is asked for something. */
  void asks(String what) {
    call = new Call(what, nanos.getAsLong());
  }

  /** It did so, or said that it cannot. */
  void returned() {
    call = null;
  }

  /** What it was asked last is not waited for any more. */
  void hangs() {
    Call now = call;
    if (now != null) {
      hanging.add(now);
    }
    call = null;
  }

  /** What was not waited for any more came back after all. */
  void hangsNoMore(String what) {
    hanging.removeIf(each -> each.what().equals(what));
  }

  /** The engine told all that it knows. */
  void observed() {
    engineNanos = nanos.getAsLong();
    engineFailure = "";
  }

  void failed(String what) {
    engineFailure = what;
  }

  PlaneHealth health(String trouble) {
    String why = standsByBecause;
    return new PlaneHealth(
        leads,
        why,
        since(stepNanos),
        since(engineNanos),
        since(storeNanos),
        trouble.isEmpty() ? engineTrouble() : trouble);
  }

  private String engineTrouble() {
    Call longest = hanging.peek();
    Call now = longest == null ? call : longest;
    double hangs = now == null ? 0 : since(now.sinceNanos());
    if (now != null && hangs >= ENGINE_SECONDS) {
      return "the engine has not answered for %.0f s: %s".formatted(hangs, now.what());
    }
    double silent = since(engineNanos);
    return leads && silent >= ENGINE_SECONDS && !engineFailure.isEmpty()
        ? "the engine has not told its jobs for %.0f s: %s".formatted(silent, engineFailure)
        : "";
  }

  private double since(@Nullable Long then) {
    return then == null ? Double.NaN : Math.max(0, (nanos.getAsLong() - then) * 1e-9);
  }
}
