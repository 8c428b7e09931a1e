package io.ringmaster.control.api;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/** A token bucket for each caller. It holds what comes in two seconds. */
final class RateLimiter {
  /** Full buckets say nothing and are dropped, once there are so many. */
  private static final int MANY = 10_000;

  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final double perSecond;
  private final double burst;
  private final DoubleSupplier nowSeconds;

  RateLimiter(double perSecond, DoubleSupplier nowSeconds) {
    this.perSecond = perSecond;
    this.burst = Math.max(1, 2 * perSecond);
    this.nowSeconds = nowSeconds;
  }

  /** Takes one from a caller's bucket; refuses if it is empty. */
  void take(String caller) {
    double now = nowSeconds.getAsDouble();
    if (buckets.size() > MANY) {
      buckets.values().removeIf(bucket -> bucket.isFull(now));
    }
    double missing = buckets.computeIfAbsent(caller, name -> new Bucket(now)).take(now);
    if (missing > 0) {
      throw refusal(missing);
    }
  }

  /** Refuses if a caller's bucket is empty, and takes nothing. */
  void check(String caller) {
    Bucket bucket = buckets.get(caller);
    double missing = bucket == null ? 0 : bucket.missing(nowSeconds.getAsDouble());
    if (missing > 0) {
      throw refusal(missing);
    }
  }

  private Problem refusal(double missing) {
    return new Problem(
            429,
            "too many requests: at most %s a second, %s at once; try again later"
                .formatted(Limit.text(perSecond), Limit.text(burst)))
        .with("Retry-After", String.valueOf((long) Math.ceil(missing / perSecond)));
  }

  private final class Bucket {
    private double tokens = burst;
    private double seconds;

    Bucket(double now) {
      seconds = now;
    }

    synchronized boolean isFull(double now) {
      fill(now);
      return tokens >= burst;
    }

    /** What is missing for one more; 0: nothing. */
    synchronized double missing(double now) {
      fill(now);
      return Math.max(0, 1 - tokens);
    }

    /** What is missing for one more; 0: it was taken. */
    synchronized double take(double now) {
      double missing = missing(now);
      if (missing == 0) {
        tokens--;
      }
      return missing;
    }

    private void fill(double now) {
      tokens = Math.min(burst, tokens + Math.max(0, now - seconds) * perSecond);
      seconds = now;
    }
  }
}
