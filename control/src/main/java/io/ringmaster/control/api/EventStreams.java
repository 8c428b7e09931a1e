package io.ringmaster.control.api;

import io.ringmaster.control.store.Entry;
import io.ringmaster.workload.json.Json;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Server-sent events. Each listener has its thread, which waits for history and writes. One that
 * does not read blocks that thread until the connection's idle timeout ends it.
 */
final class EventStreams {
  private static final double HEARTBEAT_SECONDS = 15;

  private final HistoryTail history;
  private final Semaphore places;

  EventStreams(HistoryTail history, int listeners) {
    this.history = history;
    this.places = new Semaphore(listeners);
  }

  /** Takes a place for one more listener; {@link #serve} gives it back. */
  boolean tryEnter() {
    return places.tryAcquire();
  }

  static Response full() {
    return Response.error(503, "too many listen for events already; try again later")
        .with("Retry-After", "10");
  }

  void serve(Response.Feed feed, HttpServletResponse response)
      throws IOException, InterruptedException {
    try {
      OutputStream out = response.getOutputStream();
      long position = feed.after() < 0 ? history.newest() : feed.after();
      write(out, ": history after %d\n\n".formatted(position));
      response.flushBuffer();
      while (!history.isClosed()) {
        List<Entry> entries = history.after(position, HEARTBEAT_SECONDS);
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
          position = entry.serial();
          if (feed.user().isEmpty() || feed.user().equals(entry.user())) {
            text.append("id: ").append(entry.serial()).append('\n');
            text.append("data: ").append(Json.text(Shapes.Event.of(entry))).append("\n\n");
          }
        }
        write(out, entries.isEmpty() ? ": still here\n\n" : text.toString());
        response.flushBuffer();
      }
    } finally {
      places.release();
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
