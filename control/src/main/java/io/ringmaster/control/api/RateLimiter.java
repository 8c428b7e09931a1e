package io.ringmaster.control.api;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/** A token bucket for each caller. */
final class RateLimiter {
  /** Full buckets say nothing and are dropped, once there are so many. */
  private static final int MANY = 10_000;

  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final double perSecond;
  private final double burst;
  private final DoubleSupplier nowSeconds;

  RateLimiter(Limits limits, DoubleSupplier nowSeconds) {
    this.perSecond = limits.requestsPerSecond();
    this.burst = limits.burst();
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
      throw new Problem(
              429,
              "too many requests: at most %.0f a second, %.0f at once; try again later"
                  .formatted(perSecond, burst))
          .with("Retry-After", String.valueOf((long) Math.ceil(missing / perSecond)));
    }
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

    /** What is missing for one more; 0: it was taken. */
    synchronized double take(double now) {
      fill(now);
      if (tokens < 1) {
        return 1 - tokens;
      }
      tokens--;
      return 0;
    }

    private void fill(double now) {
      tokens = Math.min(burst, tokens + Math.max(0, now - seconds) * perSecond);
      seconds = now;
    }
  }
}
