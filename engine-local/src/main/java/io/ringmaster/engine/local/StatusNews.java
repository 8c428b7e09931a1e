package io.ringmaster.engine.local;

import io.ringmaster.control.job.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What changed in attempts and was not told yet. It is added under an engine's lock, and told
 * without: a listener may take its time.
 */
public final class StatusNews {
  private final Queue<Status> untold = new ConcurrentLinkedQueue<>();
  private final Object telling = new Object();
  private volatile @Nullable Consumer<Status> listener;

  public void add(Status status) {
    untold.add(status);
  }

  public void listen(Consumer<Status> changes) {
    listener = changes;
    tell();
  }

  /** Tells what is new, in the order in which it happened. */
  public void tell() {
    synchronized (telling) {
      Consumer<Status> to = listener;
      if (to == null) {
        return;
      }
      for (Status status = untold.poll(); status != null; status = untold.poll()) {
        to.accept(status);
      }
    }
  }
}
