package io.ringmaster.cli.live;

import io.ringmaster.workload.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits for the end of a job. The server's events only wake it: what has become of the job is then
 * asked for, so an event that is lost costs time and nothing else.
 */
final class Watch {
  private static final long ASK_ANYWAY_SECONDS = 15;
  private static final long PAUSE_MILLIS = 500;

  /** What no line can be. */
  private static final String END = "\n";

  private final Client client;
  private final long id;
  private final Consumer<Fields> changes;
  private long lastSerial;

  /**
   * @param changes told of each line of its history, in order
   */
  Watch(Client client, long id, Consumer<Fields> changes) {
    this.client = client;
    this.id = id;
    this.changes = changes;
  }

  /** The job, once it has ended. */
  Fields end() {
    Fields job = ask();
    while (!JobText.hasEnded(job)) {
      listen();
      job = ask();
    }
    return job;
  }

  private Fields ask() {
    Fields job = client.get("job " + id, "/jobs/" + id, Client.Patience.LONG);
    for (Fields entry : job.objects("history")) {
      if (entry.whole("serial") > lastSerial) {
        lastSerial = entry.whole("serial");
        changes.accept(entry);
      }
    }
    return job;
  }

  /** Returns when there may be news. */
  private void listen() {
    try {
      HttpResponse<InputStream> answer = client.stream("/events", lastSerial);
      try (InputStream in = answer.body()) {
        if (answer.statusCode() != 200) {
          Client.pause(PAUSE_MILLIS);
          return;
        }
        await(in);
      }
    } catch (IOException _) {
      // The server went away: whoever asks next finds out whether it comes back.
      Client.pause(PAUSE_MILLIS);
    }
  }

  /** A connection may die without a word: so nobody waits for a line for ever. */
  private void await(InputStream in) {
    LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(in, lines));
    try {
      while (true) {
        String line = lines.poll(ASK_ANYWAY_SECONDS, TimeUnit.SECONDS);
        // The last: the token holds no more, which whoever asks next is told.
        if (line == null || line.equals(END) || line.equals("event: end")) {
          return;
        }
        if (line.startsWith("data:") && concerns(line.substring("data:".length()))) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unanswered(Unanswered.FAILED, "interrupted");
    }
  }

  private static void read(InputStream in, LinkedBlockingQueue<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException _) {
      // The same as the end.
    }
    lines.add(END);
  }

  private boolean concerns(String data) {
    return Fields.of(Json.parse(data)).whole("job") == id;
  }
}
