package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.control.store.Token;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may do what, as tokens come and go. */
class AccessTest {
  private final Stage stage = new Stage();

  @AfterEach
  void end() {
    stage.close();
  }

  @Test
  void withoutTokensTheOperatorIsAdminUntilTheFirstToken() {
    long job = stage.submit(Stage.JOB, "");
    assertThat(stage.store.job(job).orElseThrow().user()).isEqualTo("operator");
    HttpResponse<String> first =
        stage.send("POST", "/api/v1/tokens", "{\"user\":\"ann\",\"role\":\"user\"}", "");
    assertThat(first.statusCode()).isEqualTo(409);
    assertThat(first.body()).contains("the first token must be an admin's");

    String root = stage.token("root", "admin", "");
    assertThat(root).matches("rm_[A-Za-z0-9_-]{43}");
    assertThat(stage.get("/api/v1/jobs").statusCode()).isEqualTo(401);
    assertThat(stage.send("GET", "/api/v1/jobs", "", root).statusCode()).isEqualTo(200);

    String tokens = stage.send("GET", "/api/v1/tokens", "", root).body();
    assertThat(tokens).contains("\"user\":\"root\"").doesNotContain(root).doesNotContain("hash");
    assertThat(tokens).doesNotContain(TokenSecrets.hash(root));
  }

  @Test
  void anAdminIsAlwaysLeft() {
    String first = stage.token("root", "admin", "");
    String second = stage.token("root", "admin", first);
    assertThat(stage.send("DELETE", "/api/v1/tokens/1", "", second).statusCode()).isEqualTo(204);
    assertThat(stage.send("GET", "/api/v1/tokens", "", first).statusCode()).isEqualTo(401);
    HttpResponse<String> last = stage.send("DELETE", "/api/v1/tokens/2", "", second);
    assertThat(last.statusCode()).isEqualTo(409);
    assertThat(last.body()).contains("token 2 is the last one of an admin");
  }

  /** A name of another site that was made to point to this machine. */
  @Test
  void withoutTokensTheHostMustBeThisMachine() throws IOException {
    String request = "GET /api/v1/jobs HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n";
    for (String host : List.of("localhost", "127.0.0.1:8080", "[::1]:80", "LOCALHOST:1")) {
      assertThat(RawSocket.ask(stage.server.port(), request.formatted(host)))
          .as(host)
          .startsWith("HTTP/1.1 200 ");
    }
    for (String host : List.of("evil.example", "localhost.evil.example:8080", "127.0.0.2")) {
      assertThat(RawSocket.ask(stage.server.port(), request.formatted(host)))
          .as(host)
          .startsWith("HTTP/1.1 421 ")
          .contains("is not this machine");
    }
    stage.token("root", "admin", "");
    assertThat(RawSocket.ask(stage.server.port(), request.formatted("gpu.example")))
        .startsWith("HTTP/1.1 401 ");
  }

  @Test
  void withoutTokensOtherMachinesAreNotServed() {
    Response reply =
        stage
            .api
            .handle(new Request("GET", "/api/v1/jobs", Map.of(), Map.of(), "", "10.0.0.7"))
            .join();
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.body()).contains("only callers on the server's machine");
  }

  @Test
  void withoutTokensTheDoorOpensToThisMachineOnly() {
    try (HistoryTail history = new HistoryTail(stage.store, 0)) {
      assertThatThrownBy(() -> new HttpServer(stage.api, history, "0.0.0.0", 0))
          .isInstanceOf(BadInput.class)
          .hasMessageContaining("there is no token yet");
      assertThatThrownBy(() -> new HttpServer(stage.api, history, "127.0.0.1", stage.server.port()))
          .isInstanceOf(BadInput.class)
          .hasMessageContaining("is taken by another program");
    }
    stage.token("root", "admin", "");
    try (HistoryTail history = new HistoryTail(stage.store, 0);
        HttpServer server = new HttpServer(stage.api, history, "0.0.0.0", 0)) {
      assertThat(server.port()).isPositive();
    }
  }

  @Test
  void aServerThatStandsByOnlyReads() {
    stage.submit(Stage.JOB, "");
    stage.health.set(new PlaneHealth(false, "server 7 leads", 1, 1, 1, ""));
    assertThat(stage.get("/api/v1/jobs/1").statusCode()).isEqualTo(200);
    HttpResponse<String> ready = stage.get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).isEqualTo("{\"role\":\"standby\",\"reason\":\"server 7 leads\"}\n");
    HttpResponse<String> submission = stage.send("POST", "/api/v1/jobs", Stage.JOB, "");
    assertThat(submission.statusCode()).isEqualTo(503);
    assertThat(submission.headers().firstValue("Retry-After")).contains("1");
    assertThat(submission.body()).contains("this server stands by");
  }

  @Test
  void aPageOfThisServerMayChangeThings() {
    String origin = "http://127.0.0.1:" + stage.server.port();
    HttpResponse<String> reply =
        stage.ask(
            "POST",
            "/api/v1/jobs",
            Stage.JOB,
            "Content-Type",
            "application/json; charset=UTF-8",
            "Origin",
            origin);
    assertThat(reply.statusCode()).isEqualTo(201);
    assertThat(reply.headers().firstValue("Location")).contains("/api/v1/jobs/1");
  }

  @Test
  void aRepeatedSubmissionGetsTheFirstOnesJob() {
    String[] headers = {"Content-Type", "application/json", "Idempotency-Key", "night-7"};
    HttpResponse<String> first = stage.ask("POST", "/api/v1/jobs", Stage.JOB, headers);
    HttpResponse<String> second = stage.ask("POST", "/api/v1/jobs", Stage.JOB, headers);
    assertThat(Stage.map(second.body()).get("id")).isEqualTo(Stage.map(first.body()).get("id"));
    HttpResponse<String> odd =
        stage.ask(
            "POST",
            "/api/v1/jobs",
            Stage.JOB,
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            "two words");
    assertThat(odd.statusCode()).isEqualTo(400);
    assertThat(odd.body()).contains("Idempotency-Key: 'two words'");
  }

  /** A row that no version of this program wrote: its token is refused, and others go on. */
  @Test
  void aTokenOfAnUnknownRoleIsRefusedAndNoOther() {
    String root = stage.token("root", "admin", "");
    stage.store.addToken("eve", Token.Role.UNKNOWN, TokenSecrets.hash("rm_odd"), 1, Double.NaN);
    assertThat(stage.send("GET", "/api/v1/jobs", "", "rm_odd").statusCode()).isEqualTo(401);
    assertThat(stage.send("GET", "/api/v1/jobs", "", root).statusCode()).isEqualTo(200);
    assertThat(stage.send("GET", "/api/v1/tokens", "", root).body()).contains("unknown");
  }
}
