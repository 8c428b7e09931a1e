package io.ringmaster.control.api;

import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.Inbox;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * What the API is connected to.
 *
 * @param store for reads
 * @param inbox for writes; tells whether this server leads: one that stands by only reads
 * @param nowSeconds seconds since 1970
 * @param executor where answers of the plane are put into words: not on the plane's own thread
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
    Cleanup cleanup) {

  /** For a server that removes nothing. */
  public ApiDependencies(
      Store store,
      Inbox inbox,
      Logs logs,
      Explainer explainer,
      Site site,
      Limits limits,
      DoubleSupplier nowSeconds,
      Executor executor,
      Metrics metrics) {
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
        new Cleanup(store, Optional::empty, Retention.USUAL, nowSeconds));
  }

  <T> CompletableFuture<Response> then(CompletableFuture<T> reply, Function<T, Response> words) {
    return reply.thenApplyAsync(words, executor);
  }
}
