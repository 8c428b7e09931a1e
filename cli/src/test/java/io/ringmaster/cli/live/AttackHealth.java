package io.ringmaster.cli.live;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a server all the time whether it is well, as whoever started it would. */
final class AttackHealth implements Runnable {
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 500;
  private static final int MOST_TOLD = 5;

  /** Then it is taken for dead. */
  private static final int MOST_FAILED_IN_A_ROW = 2;

  private final ServerProcess server;
  private final Latencies latencies = new Latencies();
  private final List<String> failed = new ArrayList<>();
  private final long began = System.nanoTime();
  private int failures;
  private volatile int failedInARow;
  private volatile boolean over;

  AttackHealth(ServerProcess server) {
    this.server = server;
  }

  @Override
  public void run() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      while (!over) {
        boolean well = ask(http, "/healthz");
        well &= ask(http, "/readyz");
        failedInARow = well ? 0 : failedInARow + 1;
        Client.pause(PAUSE_MILLIS);
      }
    }
  }

  private boolean ask(HttpClient http, String path) {
    long asked = System.nanoTime();
    String came;
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(ANSWER).build(),
              HttpResponse.BodyHandlers.ofString());
      latencies.add(path, (System.nanoTime() - asked) / 1e9);
      if (answer.statusCode() == 200) {
        return true;
      }
      came = "status " + answer.statusCode() + ", " + answer.body().strip();
    } catch (IOException e) {
      came = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      over = true;
      return true;
    }
    if (!over) {
      tell("%s after %.0f s: %s".formatted(path, (System.nanoTime() - began) / 1e9, came));
    }
    return false;
  }

  private synchronized void tell(String what) {
    failures++;
    if (failed.size() < MOST_TOLD) {
      failed.add(what);
    }
  }

  boolean isDead() {
    return !server.isAlive() || failedInARow >= MOST_FAILED_IN_A_ROW;
  }

  void end() {
    over = true;
  }

  Latencies latencies() {
    return latencies;
  }

  synchronized List<String> failed() {
    List<String> told = new ArrayList<>(failed);
    if (failures > told.size()) {
      told.add("%d questions about its health failed in all".formatted(failures));
    }
    return told;
  }
}
