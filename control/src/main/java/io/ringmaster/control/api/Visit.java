package io.ringmaster.control.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request whose head was judged: refused already, or to be answered once its body is there. Each
 * is counted once.
 */
final class Visit {
  private final Caller caller;
  private final boolean hasBody;
  private final @Nullable Response refusal;
  private final Function<String, CompletableFuture<Response>> handler;
  private final Function<Response, Response> counted;

  private Visit(
      Caller caller,
      boolean hasBody,
      @Nullable Response refusal,
      Function<String, CompletableFuture<Response>> handler,
      Function<Response, Response> counted) {
    this.caller = caller;
    this.hasBody = hasBody;
    this.refusal = refusal;
    this.handler = handler;
    this.counted = counted;
  }

  static Visit over(
      Caller caller, boolean hasBody, Response answer, Function<Response, Response> counted) {
    return new Visit(
        caller,
        hasBody,
        counted.apply(answer),
        _ -> CompletableFuture.completedFuture(answer),
        counted);
  }

  static Visit admitted(
      Caller caller,
      boolean hasBody,
      Function<String, CompletableFuture<Response>> handler,
      Function<Response, Response> counted) {
    return new Visit(caller, hasBody, null, handler, counted);
  }

  /** Who asks; nobody, if that is not known. */
  Caller caller() {
    return caller;
  }

  boolean isKnown() {
    return !caller.user().isEmpty();
  }

  boolean hasBody() {
    return hasBody;
  }

  /** What is answered whatever the body says; null: its body counts. */
  @Nullable Response refusal() {
    return refusal;
  }

  /** It turned out that the body will not do. */
  Response refused(Response reply) {
    return counted.apply(reply);
  }

  /** Answers. Never fails: what goes wrong is an answer too. */
  CompletableFuture<Response> answer(String body) {
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    CompletableFuture<Response> reply;
    try {
      reply = handler.apply(body);
    } catch (RuntimeException | StackOverflowError e) {
      reply = CompletableFuture.failedFuture(e);
    }
    return reply.exceptionally(Api::refusal).thenApply(counted);
  }

  @Override
  public String toString() {
    return Objects.toString(refusal, "admitted: " + caller);
  }
}
