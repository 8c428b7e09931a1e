package io.ringmaster.control.api;

import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.Inbox;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the API is connected to.
 *
 * @param store for reads
 * @param inbox for writes; tells whether this server leads: one that stands by only reads
 * @param nowSeconds seconds since 1970
 * @param executor where answers of the plane are put into words: not on the plane's own thread
 * @param watched the queue of another scheduler, on a server that looks at one and changes nothing
 */
public record ApiDependencies(
    Store store,
    Inbox inbox,
    Logs logs,
    Explainer explainer,
    Site site,
    Limits limits,
    DoubleSupplier nowSeconds,
    Executor executor,
    Metrics metrics,
    Cleanup cleanup,
    Optional<Supplier<WatchedQueue>> watched) {

  /** For a server that runs jobs. */
  public ApiDependencies(
      Store store,
      Inbox inbox,
      Logs logs,
      Explainer explainer,
      Site site,
      Limits limits,
      DoubleSupplier nowSeconds,
      Executor executor,
      Metrics metrics,
      Cleanup cleanup) {
    this(
        store,
        inbox,
        logs,
        explainer,
        site,
        limits,
        nowSeconds,
        executor,
        metrics,
        cleanup,
        Optional.empty());
  }

  <T> CompletableFuture<Response> then(CompletableFuture<T> reply, Function<T, Response> words) {
    return reply.thenApplyAsync(words, executor);
  }
}
