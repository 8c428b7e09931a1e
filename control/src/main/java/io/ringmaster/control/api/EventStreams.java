package io.ringmaster.control.api;

import io.ringmaster.control.store.Entry;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events. Each listener has its thread, which waits for history and writes. One that
 * does not read blocks that thread until the connection's idle timeout ends it. Whatever happens or
 * is not for its eyes, something is written at each heartbeat: so one that is gone is noticed, and
 * its place is given back.
 */
final class EventStreams {
  private final HistoryTail history;
  private final Turns places;
  private final Limits limits;

  @FunctionalInterface
  interface Output {
    void write(byte[] text) throws IOException;
  }

  EventStreams(HistoryTail history, Limits limits) {
    this.history = history;
    this.limits = limits;
    this.places = new Turns(limits.whole(Limit.LISTENERS), limits.whole(Limit.USER_LISTENERS));
  }

  /** Takes a place for one more listener, which {@link #leave} gives back; or says why not. */
  @Nullable Response enter(Response.Feed feed) throws InterruptedException {
    if (places.begin(feed.caller().user(), 0)) {
      return null;
    }
    return Response.error(
            503,
            "too many listen for events already: at most %d in all, and %d of one user; try again later"
                .formatted(limits.whole(Limit.LISTENERS), limits.whole(Limit.USER_LISTENERS)))
        .with("Retry-After", "10");
  }

  void leave(Response.Feed feed) {
    places.end(feed.caller().user());
  }

  void serve(Response.Feed feed, Output out) throws IOException, InterruptedException {
    long position = feed.after() < 0 ? history.newest() : feed.after();
    write(out, ": history after %d\n\n".formatted(position));
    double heartbeatSeconds = limits.number(Limit.HEARTBEAT_S);
    long beatNanos = System.nanoTime();
    while (!history.isClosed()) {
      double left = heartbeatSeconds - (System.nanoTime() - beatNanos) * 1e-9;
      List<Entry> entries = history.after(position, Math.max(0, left));
      StringBuilder text = new StringBuilder();
      for (Entry entry : entries) {
        position = entry.serial();
        if (feed.caller().sees(entry.user())) {
          text.append("id: ").append(entry.serial()).append('\n');
          text.append("data: ").append(Json.text(Shapes.Event.of(entry))).append("\n\n");
        }
      }
      if ((System.nanoTime() - beatNanos) * 1e-9 >= heartbeatSeconds) {
        beatNanos = System.nanoTime();
        @Nullable String over = feed.whyOver().get();
        if (over != null) {
          write(out, "event: end\ndata: %s\n\n".formatted(Json.text(new Shapes.Failure(over))));
          return;
        }
        text.append(": still here\n\n");
      }
      if (!text.isEmpty()) {
        write(out, text.toString());
      }
    }
  }

  private static void write(Output out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
