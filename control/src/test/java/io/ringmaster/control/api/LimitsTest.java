package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.registry.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How much one may ask for. */
class LimitsTest {
  @Test
  void aBucketFillsWithTime() {
    AtomicReference<Double> now = new AtomicReference<>(100.0);
    RateLimiter rates = new RateLimiter(1.5, now::get);
    for (int i = 0; i < 3; i++) {
      rates.take("ann");
    }
    // Empty, and one takes 2/3 s to come.
    assertThatThrownBy(() -> rates.take("ann"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.reply().status()).isEqualTo(429);
              assertThat(problem.reply().headers()).containsEntry("Retry-After", "1");
            });
    rates.take("bob");
    now.set(100.5); // 0.75: one needs a sixth of a second more, which rounds up to 1.
    assertThatThrownBy(() -> rates.take("ann"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.reply().headers()).containsEntry("Retry-After", "1"));
    now.set(100.7);
    rates.take("ann");
    now.set(1000.0);
    for (int i = 0; i < 3; i++) {
      rates.take("ann");
    }
    assertThatThrownBy(() -> rates.take("ann")).isInstanceOf(Problem.class);
  }

  @Test
  void tooManyRequestsAreToldWhenToComeBack() {
    try (Stage stage = new Stage(Limits.usual().with(Limit.REQUESTS_PER_SECOND, 1e-3))) {
      assertThat(stage.get("/api/v1/jobs").statusCode()).isEqualTo(200);
      HttpResponse<String> third = stage.get("/api/v1/jobs");
      assertThat(third.statusCode()).isEqualTo(429);
      assertThat(third.body()).contains("too many requests");
      assertThat(third.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(990L, 1000L);
    }
  }

  @Test
  void aPlaneThatDoesNotAnswerIsNotWaitedForLong() {
    Store store = Store.open("sqlite::memory:");
    Limits limits = Limits.usual().with(Limit.ANSWER_S, 0.05);
    Api api =
        new Api(
            new ApiDependencies(
                store,
                message -> {},
                (attempt, rank, stream, from) -> InputStream.nullInputStream(),
                job -> Optional.empty(),
                new Site(
                    new PlaneConfig(
                        Cluster.uniform(2, 4, Network.None.USUAL, 0),
                        true,
                        ModelTable.standard(),
                        "fifo",
                        Map.of("a", "1"),
                        Map.of(),
                        1,
                        5,
                        3,
                        UserLimits.usual(),
                        Policies::named),
                    "operator"),
                limits,
                () -> 0,
                Runnable::run,
                new Metrics(),
                new Cleanup(store, Optional::empty, Retention.USUAL, () -> 0)));
    try (store;
        HttpServer server = new HttpServer(api, new HistoryTail(store, 0), "127.0.0.1", 0)) {
      String reply =
          RawSocket.ask(
              server.port(),
              RawSocket.head(
                      "POST /api/v1/jobs HTTP/1.1",
                      "Host: localhost",
                      "Connection: close",
                      "Content-Type: application/json",
                      "Content-Length: " + Stage.JOB.length())
                  + Stage.JOB);
      assertThat(reply).startsWith("HTTP/1.1 503 ").contains("did not answer in time");
      Request call = new Request("GET", "/api/v1/nodes", Map.of(), Map.of(), "", "127.0.0.1");
      assertThat(api.handle(call).join().body())
          .as("nodes that the engine has not told of yet")
          .contains("\"name\":\"s0001\",\"gpus\":4,\"free_gpus\":4,\"up\":false");
      Request policy = new Request("GET", "/api/v1/policy", Map.of(), Map.of(), "", "::1");
      assertThat(api.handle(policy).join().body())
          .isEqualTo(
              "{\"policy\":\"fifo\",\"settings\":{\"a\":\"1\"},\"lengths\":\"none\",\"error\":null}\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pagesOfJobsFollowEachOther() {
    try (Stage stage = new Stage()) {
      for (int i = 0; i < 5; i++) {
        stage.submit(Stage.JOB, "");
      }
      Map<String, Object> first = Stage.map(stage.get("/api/v1/jobs?limit=2").body());
      assertThat(ids(first)).containsExactly(5, 4);
      assertThat(first.get("next")).isEqualTo(4);
      Map<String, Object> last = Stage.map(stage.get("/api/v1/jobs?limit=3&below=4").body());
      assertThat(ids(last)).containsExactly(3, 2, 1);
      assertThat(last.get("next")).isNull();
    }
  }

  private static List<Object> ids(Map<String, Object> page) {
    return OpenApiFile.list(page.get("jobs")).stream()
        .<Object>map(job -> Objects.requireNonNull(OpenApiFile.map(job).get("id")))
        .toList();
  }

  @Test
  void logsComeInPiecesWithTheirBytesIntact() throws Exception {
    try (Stage stage = new Stage(Limits.usual().with(Limit.LOG_BYTES, 4))) {
      // The engine prints a text as Latin-1: bytes that are no UTF-8.
      stage.submit("{\"command\":[\"finish\",\"\u00e9\u00ff6789\"],\"gpus\":1}", "");
      Stage.await(() -> stage.state(1).equals("succeeded"));
      HttpResponse<byte[]> first =
          stage.client.send(
              HttpRequest.newBuilder(stage.uri("/api/v1/jobs/1/logs")).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(first.body()).containsExactly(0xe9, 0xff, '6', '7');
      assertThat(first.headers().firstValue("Ringmaster-Next-Byte")).contains("4");
      assertThat(first.headers().firstValue("Ringmaster-Ended")).contains("false");
      HttpResponse<String> second = stage.get("/api/v1/jobs/1/logs?from=4");
      assertThat(second.body()).isEqualTo("89");
      assertThat(second.headers().firstValue("Ringmaster-Next-Byte")).contains("6");
      assertThat(second.headers().firstValue("Ringmaster-Ended")).contains("true");
      assertThat(second.headers().firstValue("Ringmaster-Attempt")).contains("1");
      assertThat(stage.get("/api/v1/jobs/1/logs?stream=stderr").body()).isEmpty();
      assertThat(stage.get("/api/v1/jobs/1/logs?rank=3").statusCode()).isEqualTo(404);
    }
  }

  /** Whoever asks for what is not there, or without a token, is counted by address. */
  @Test
  void whateverIsRefusedCounts() {
    Map<String, String> host = Map.of("host", "localhost");
    List<Request> requests =
        List.of(
            new Request("GET", "/nowhere", Map.of(), host, "", "10.0.0.1"),
            new Request("OPTIONS", "/api/v1/jobs", Map.of(), host, "", "10.0.0.1"),
            new Request("BREW", "/api/v1/jobs", Map.of(), host, "", "10.0.0.1"),
            new Request("GET", "/api/v1/jobs", Map.of(), host, "", "10.0.0.1"),
            new Request(
                "GET",
                "/api/v1/jobs",
                Map.of(),
                Map.of("authorization", "Bearer rm_guess"),
                "",
                "10.0.0.1"),
            new Request("GET", "/", Map.of(), host, "", "10.0.0.1"));
    Limits limits = Limits.usual().with(Limit.ANONYMOUS_REQUESTS_PER_SECOND, 1e-3);
    for (Request request : requests) {
      try (Stage stage = new Stage(limits)) {
        String root = stage.token("root", "admin", "");
        assertThat(stage.api.handle(request).join().status()).isNotEqualTo(429);
        assertThat(stage.api.handle(request).join().status())
            .as("%s %s", request.method(), request.path())
            .isEqualTo(429);
        assertThat(stage.api.unreadable("10.0.0.1", "GET", new BadInput("bad path")).status())
            .isEqualTo(429);
        assertThat(stage.send("GET", "/api/v1/jobs", "", root).statusCode())
            .as("others are not touched")
            .isEqualTo(200);
      }
    }
  }

  /** Guessing secrets costs no look into the store once an address has been refused too often. */
  @Test
  void aKnownTokenIsLetInFromABusyAddress() {
    try (Stage stage = new Stage(Limits.usual().with(Limit.ANONYMOUS_REQUESTS_PER_SECOND, 1e-3))) {
      String root = stage.token("root", "admin", "");
      assertThat(stage.send("GET", "/api/v1/me", "", root).statusCode()).isEqualTo(200);
      assertThat(stage.send("GET", "/api/v1/me", "", "rm_guess").statusCode()).isEqualTo(401);
      assertThat(stage.send("GET", "/api/v1/me", "", "rm_other").statusCode()).isEqualTo(429);
      assertThat(stage.send("GET", "/api/v1/me", "", root).statusCode()).isEqualTo(200);
    }
  }

  /** However long descriptions are, a page holds only so much of them, and the next goes on. */
  @Test
  void aPageOfJobsIsBoundedInBytes() {
    try (Stage stage = new Stage(Limits.usual().with(Limit.LIST_BYTES, 25_000))) {
      String job = "{\"command\":[\"sleep\",\"%s\"],\"gpus\":1}".formatted("x".repeat(10_000));
      for (int i = 0; i < 5; i++) {
        stage.submit(job, "");
      }
      Map<String, Object> first = Stage.map(stage.get("/api/v1/jobs?limit=100").body());
      assertThat(ids(first)).containsExactly(5, 4);
      assertThat(first.get("next")).isEqualTo(4);
      Map<String, Object> last = Stage.map(stage.get("/api/v1/jobs?below=3").body());
      assertThat(ids(last)).containsExactly(2, 1);
      assertThat(last.get("next")).isNull();
    }
    try (Stage stage = new Stage(Limits.usual().with(Limit.LIST_BYTES, 1))) {
      stage.submit(Stage.JOB, "");
      stage.submit(Stage.JOB, "");
      assertThat(ids(Stage.map(stage.get("/api/v1/jobs").body()))).as("one at least").hasSize(1);
    }
  }
}
