package io.ringmaster.cli.live;

import io.ringmaster.cli.advise.LiveKubernetes;
import io.ringmaster.cli.advise.LiveQueue;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.kubernetes.look.KubernetesWatch;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Kubernetes, which tells of each change. */
final class WatchedKubernetes implements Watched {
  /** Changes of so long are taken together: each answer is a simulation. */
  private static final long EVERY_SECONDS = 5;

  /** So often in any case: jobs that run get older. */
  private static final long STALE_NANOS = 60_000_000_000L;

  private @Nullable KubernetesWatch watch;
  private long changes = -1;
  private long lastNanos;

  @Override
  public String scheduler() {
    return LiveKubernetes.NAME;
  }

  @Override
  public String does() {
    return "watches Kubernetes";
  }

  @Override
  public long everySeconds() {
    return EVERY_SECONDS;
  }

  @Override
  public synchronized Optional<LiveQueue> look() {
    KubernetesWatch now = watch;
    if (now == null) {
      now = new KubernetesWatch(Kubernetes.connect(""), Clock.systemUTC());
      watch = now;
    }
    long seen = now.changes();
    boolean isStale = System.nanoTime() - lastNanos > STALE_NANOS;
    if (seen == changes && !isStale) {
      return Optional.empty();
    }
    LiveKubernetes live = LiveKubernetes.of(now.look(), Map.of());
    changes = seen;
    lastNanos = System.nanoTime();
    return Optional.of(live);
  }

  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
