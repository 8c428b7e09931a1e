package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Server-sent events over a real connection. */
class EventsTest {
  private final Stage stage = new Stage(Limits.usual().with(Limit.LISTENERS, 1));

  @AfterEach
  void end() {
    stage.close();
  }

  private HttpResponse<InputStream> listen(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(stage.uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return stage.client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads so many events: their ids and data. */
  private static List<Map<String, Object>> read(HttpResponse<InputStream> reply, int count)
      throws IOException {
    List<Map<String, Object>> events = new ArrayList<>();
    // Closing it ends the connection, and gives the listener's place back.
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
      String id = "";
      while (events.size() < count) {
        String line = lines.readLine();
        if (line == null) {
          throw new AssertionError("the stream ended after " + events);
        }
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          events.add(Stage.map(line.substring(6)));
          assertThat(events.getLast().get("serial")).hasToString(id);
        } else {
          assertThat(line).matches("(:.*)?");
        }
      }
    }
    return events;
  }

  private void awaitPlace() {
    Stage.await(() -> {
      // A place is given back when the server notices that the connection is gone.
      stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", "");
      HttpResponse<InputStream> reply = listen("/api/v1/events");
      try (InputStream _ = reply.body()) {
        return reply.statusCode() == 200;
      } catch (IOException e) {
        return false;
      }
    });
  }

  @Test
  void aJobsLifeIsToldAndCanBeResumed() throws IOException {
    HttpResponse<InputStream> live = listen("/api/v1/events");
    assertThat(live.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    long job = stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", "");
    Stage.await(() -> stage.state(job).equals("succeeded"));
    int count = stage.store.history(job).size();
    List<Map<String, Object>> events = read(live, count);
    assertThat(events.getFirst().get("from")).isNull();
    assertThat(events.getFirst().get("user")).isEqualTo("operator");
    assertThat(events.getLast().get("to")).isEqualTo("succeeded");
    assertThat(events).extracting(event -> event.get("job")).containsOnly((int) job);
  }

  @Test
  void historyIsToldFromAnySerial() throws IOException {
    long job = stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", "");
    Stage.await(() -> stage.state(job).equals("succeeded"));
    int count = stage.store.history(job).size();
    assertThat(read(listen("/api/v1/events?after=0"), count))
        .extracting(event -> event.get("serial"))
        .startsWith(1, 2)
        .hasSize(count);
  }

  @Test
  void theHeaderGoesBeforeTheParameter() throws IOException {
    stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", "");
    Stage.await(() -> stage.state(1).equals("succeeded"));
    assertThat(read(listen("/api/v1/events?after=0", "Last-Event-ID", "2"), 1))
        .extracting(event -> event.get("serial"))
        .containsExactly(3);
  }

  @Test
  void usersHearOfTheirOwnJobsOnly() throws IOException {
    String root = stage.token("root", "admin", "");
    String ann = stage.token("ann", "user", root);
    String bob = stage.token("bob", "user", root);
    stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", ann);
    stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", bob);
    Stage.await(() -> stage.state(1).equals("succeeded") && stage.state(2).equals("succeeded"));
    int count = stage.store.history(2).size();
    assertThat(read(listen("/api/v1/events?after=0", "Authorization", "Bearer " + bob), count))
        .extracting(event -> event.get("job"))
        .containsOnly(2);
  }

  @Test
  void onlySoManyMayListen() throws IOException {
    // To ask for the head only takes no place.
    assertThat(stage.ask("HEAD", "/api/v1/events", "").statusCode()).isEqualTo(200);
    HttpResponse<InputStream> first = listen("/api/v1/events");
    assertThat(first.statusCode()).isEqualTo(200);
    HttpResponse<InputStream> second = listen("/api/v1/events");
    assertThat(second.statusCode()).isEqualTo(503);
    second.body().close();
    first.body().close();
    awaitPlace();
  }

  /** A listener that is far behind reads from the store, page by page, and misses nothing. */
  @Test
  void oneThatIsFarBehindMissesNothing() throws InterruptedException {
    try (HistoryTail late = new HistoryTail(stage.store, 0)) {
      for (int i = 0; i < 30; i++) {
        stage.submit("{\"command\":[\"finish\"],\"gpus\":1}", "");
      }
      Stage.await(() -> stage.state(30).equals("succeeded"));
      long last = stage.store.load().lastEntry();
      late.published(last);
      long position = 0;
      List<Long> serials = new ArrayList<>();
      while (position < last) {
        for (var entry : late.after(position, 30)) {
          position = entry.serial();
          serials.add(position);
        }
      }
      assertThat(serials).isSorted().doesNotHaveDuplicates().hasSize((int) last);
    }
  }

  private static HttpResponse<InputStream> listen(Stage other, String token) {
    try {
      return other.client.send(
          HttpRequest.newBuilder(other.uri("/api/v1/events"))
              .header("Authorization", "Bearer " + token)
              .build(),
          HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneUserLeavesPlacesForOthers() throws IOException {
    Limits limits = Limits.usual().with(Limit.LISTENERS, 3).with(Limit.USER_LISTENERS, 2);
    try (Stage other = new Stage(limits)) {
      String root = other.token("root", "admin", "");
      String eve = other.token("eve", "user", root);
      List<HttpResponse<InputStream>> hers = List.of(listen(other, eve), listen(other, eve));
      assertThat(hers).extracting(HttpResponse::statusCode).containsOnly(200);
      HttpResponse<InputStream> third = listen(other, eve);
      assertThat(third.statusCode()).isEqualTo(503);
      assertThat(new String(third.body().readAllBytes(), StandardCharsets.UTF_8))
          .contains("at most 3 in all, and 2 of one user");
      HttpResponse<InputStream> roots = listen(other, root);
      assertThat(roots.statusCode()).isEqualTo(200);
      for (HttpResponse<InputStream> each : hers) {
        each.body().close();
      }
      roots.body().close();
    }
  }

  /**
   * Events that a listener may not see are no reason to be silent: only so the dead are noticed.
   */
  @Test
  void aDeadListenerGivesItsPlaceBackWhateverIsFilteredOut() throws IOException {
    Limits limits = Limits.usual().with(Limit.LISTENERS, 1).with(Limit.HEARTBEAT_S, 0.05);
    try (Stage other = new Stage(limits)) {
      String root = other.token("root", "admin", "");
      String eve = other.token("eve", "user", root);
      HttpResponse<InputStream> first = listen(other, eve);
      assertThat(first.statusCode()).isEqualTo(200);
      first.body().close();
      // Something happens all the time, and nothing of it is hers.
      Stage.await(() -> {
        other.submit("{\"command\":[\"finish\"],\"gpus\":1}", root);
        HttpResponse<InputStream> next = listen(other, eve);
        try (InputStream _ = next.body()) {
          return next.statusCode() == 200;
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
    }
  }

  @Test
  void aStreamEndsWithItsToken() throws IOException {
    Limits limits = Limits.usual().with(Limit.HEARTBEAT_S, 0.05);
    try (Stage other = new Stage(limits)) {
      String root = other.token("root", "admin", "");
      String removed = other.token("eve", "user", root); // token 2
      HttpResponse<InputStream> hers = listen(other, removed);
      HttpResponse<InputStream> roots = listen(other, root);
      assertThat(other.send("DELETE", "/api/v1/tokens/2", "", root).statusCode()).isEqualTo(204);
      assertThat(new String(hers.body().readAllBytes(), StandardCharsets.UTF_8))
          .endsWith(
              "event: end\ndata: {\"error\":\"the token is not known: it was removed, or is"
                  + " misspelt\"}\n\n");
      Map<String, Object> made =
          Stage.map(
              other
                  .send(
                      "POST",
                      "/api/v1/tokens",
                      "{\"user\":\"old\",\"role\":\"admin\",\"expires_in_s\":60}",
                      root)
                  .body());
      HttpResponse<InputStream> old = listen(other, String.valueOf(made.get("token")));
      assertThat(old.statusCode()).isEqualTo(200);
      other.laterSeconds.set(61.0);
      assertThat(new String(old.body().readAllBytes(), StandardCharsets.UTF_8))
          .contains("event: end\n", "has expired");
      roots.body().close();
    }
  }
}
