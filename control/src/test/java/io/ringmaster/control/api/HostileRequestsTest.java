package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong or meant ill, over a real connection: status and words. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {
  private final Stage stage = new Stage();
  private String admin = "";
  private String ann = "";
  private String bob = "";
  private String expired = "";

  @BeforeAll
  void people() {
    admin = stage.token("root", "admin", "");
    ann = stage.token("ann", "user", admin);
    bob = stage.token("bob", "user", admin);
    expired =
        String.valueOf(
            Stage.map(
                    stage
                        .send(
                            "POST",
                            "/api/v1/tokens",
                            "{\"user\":\"old\",\"role\":\"admin\",\"expires_in_s\":60}",
                            admin)
                        .body())
                .get("token"));
    stage.laterSeconds.set(61.0);
    stage.submit(Stage.JOB, ann); // job 1
    Stage.await(() -> stage.state(1).equals("running"));
  }

  @AfterAll
  void end() {
    stage.close();
  }

  /** One row: who, what, and what must come back. */
  record Row(
      String who, String method, String path, String body, String type, int status, String words) {
    @Override
    public String toString() {
      return "%s %s %s %.60s".formatted(who, method, path, body);
    }
  }

  private static Row post(String path, String body, int status, String words) {
    return new Row("admin", "POST", path, body, "application/json", status, words);
  }

  private static Row job(String body, int status, String words) {
    return post("/api/v1/jobs", body, status, words);
  }

  private static Row get(String who, String path, int status, String words) {
    return new Row(who, "GET", path, "", "", status, words);
  }

  private static Row get(String path, int status, String words) {
    return get("admin", path, status, words);
  }

  static Stream<Row> bodies() {
    return Stream.of(
        job("", 400, "the body is empty"),
        job("{", 400, "not JSON: line 1"),
        job("{\"gpus\":1,\"gpus\":2}", 400, "uplicate"),
        job("{} {}", 400, "not JSON"),
        job("[]", 400, "a job is a mapping"),
        job("null", 400, "a job is a mapping"),
        job("\"x\"", 400, "a job is a mapping"),
        job("{\"command\":[\"x\"]}", 400, "gpus: is missing"),
        job("{\"command\":[\"x\"],\"gpus\":\"2\"}", 400, "gpus: '2' is not a whole number"),
        job("{\"command\":[\"x\"],\"gpus\":1e999}", 400, "gpus: 'Infinity'"),
        job("{\"command\":[\"x\"],\"gpus\":" + "9".repeat(400) + "}", 400, "gpus: '999"),
        job("{\"command\":[\"x\"],\"gpus\":" + "9".repeat(4000) + "}", 400, "not JSON"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"gpu\":1}", 400, "unknown key 'gpu' of a job"),
        job("{\"command\":\"x\",\"gpus\":1}", 400, "command: 'x' is not a list"),
        job("{\"command\":[1],\"gpus\":1}", 400, "command: '1' is not a text"),
        job("{\"command\":[\"a\\u0000b\"],\"gpus\":1}", 400, "NUL"),
        job("{\"command\":[\"a\\ud800b\"],\"gpus\":1}", 400, "surrogate"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"name\":\"../../etc\"}", 400, "name: '../../etc'"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"name\":\"a/b\"}", 400, "name: 'a/b'"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"directory\":\"tmp\"}", 400, "is not absolute"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"env\":{\"A=B\":\"c\"}}", 400, "env: 'A=B'"),
        job("{\"command\":[\"x\"],\"gpus\":1,\"after\":[99]}", 400, "99"),
        job("{\"a\":".repeat(3000) + "1" + "}".repeat(3000), 400, "not JSON"),
        job("{\"command\":[\"" + "x".repeat(1 << 20) + "\"]}", 413, "larger than 1048576 bytes"),
        new Row("admin", "POST", "/api/v1/jobs", Stage.JOB, "text/plain", 415, "text/plain"),
        new Row("admin", "POST", "/api/v1/jobs", Stage.JOB, "", 415, "application/json"),
        new Row(
            "admin",
            "POST",
            "/api/v1/jobs",
            Stage.JOB,
            "application/json; charset=latin1",
            415,
            "UTF-8"),
        new Row("admin", "GET", "/api/v1/jobs", "{}", "application/json", 400, "takes no body"),
        post("/api/v1/jobs/1/cancel", "{\"hard\":true}", 400, "unknown field 'hard'"),
        post("/api/v1/jobs/1/cancel", "{\"force\":1}", 400, "force"),
        post("/api/v1/nodes/s0001/drain", "{\"reason\":1}", 400, "reason: '1' is not a text"),
        post("/api/v1/nodes/s0001/drain", "[]", 400, "not a mapping"),
        post("/api/v1/nodes/s0009/drain", "{}", 404, "s0009"),
        post("/api/v1/nodes/..%2f..%2fetc/drain", "{}", 400, "path:"),
        post("/api/v1/tokens", "{\"user\":\"x\"}", 400, "role: is missing"),
        post("/api/v1/tokens", "{\"user\":\"x y\",\"role\":\"user\"}", 400, "user: 'x y'"),
        post("/api/v1/tokens", "{\"user\":\"x\",\"role\":\"god\"}", 400, "role: 'god' is not"),
        post(
            "/api/v1/tokens",
            "{\"user\":\"x\",\"role\":\"user\",\"expires_in_s\":-1}",
            400,
            "expires_in_s: '-1'"),
        new Row("admin", "DELETE", "/api/v1/tokens/1", "", "", 409, "last one of an admin"),
        new Row("admin", "DELETE", "/api/v1/tokens/99", "", "", 404, "there is no token 99"),
        new Row("admin", "DELETE", "/api/v1/tokens/x", "", "", 400, "id: 'x'"),
        new Row("admin", "PUT", "/api/v1/policy", "{}", "application/json", 400, "policy: is"),
        new Row(
            "admin",
            "PUT",
            "/api/v1/policy",
            "{\"policy\":\"best\"}",
            "application/json",
            400,
            "'best'"),
        new Row(
            "admin",
            "PUT",
            "/api/v1/policy",
            "{\"policy\":\"fifo\",\"settings\":{\"x\":[]}}",
            "application/json",
            400,
            "settings.x: '[]'"));
  }

  static Stream<Row> addresses() {
    return Stream.of(
        get("/api/v1/jobs?limit=0", 400, "limit: '0' is not a whole number from 1 to 1000"),
        get("/api/v1/jobs?limit=1001", 400, "limit: '1001'"),
        get("/api/v1/jobs?limit=ten", 400, "limit: 'ten'"),
        get("/api/v1/jobs?limit=1&limit=2", 400, "'limit' is given twice"),
        get("/api/v1/jobs?below=-1", 400, "below: '-1'"),
        get("/api/v1/jobs?below=99999999999999999999", 400, "below: '999"),
        get("/api/v1/jobs?state=running,sleeping", 400, "state: 'sleeping' is not a state"),
        get("/api/v1/jobs?sort=id", 400, "unknown parameter 'sort'"),
        get("/api/v1/jobs?state=%ff", 400, "percent-encoded"),
        get("/api/v1/jobs?state=%00", 400, "percent-encoded"),
        get("/api/v1/jobs/abc", 400, "id: 'abc' is not an id"),
        get("/api/v1/jobs/0", 400, "id: '0'"),
        get("/api/v1/jobs/-1", 400, "id: '-1'"),
        get("/api/v1/jobs/%D9%A1", 400, "is not an id"),
        get("/api/v1/jobs/99999999999999999999", 400, "is not an id"),
        get("/api/v1/jobs/99", 404, "there is no job 99"),
        get("/api/v1/jobs/1%2f..%2f2", 400, "path:"),
        get("/api/v1/jobs/%2e%2e", 400, "path:"),
        get("/api/v1/jobs/1%5c2", 400, "path:"),
        get("/api/v1/../../etc/passwd", 400, "path:"),
        get("/api/v1/jobs/1/", 404, "there is no '/api/v1/jobs/1/'"),
        get("/api/v1//jobs", 404, "there is no"),
        get("/api/v1/jobs;a=b", 404, "there is no"),
        get("/index.html", 404, "openapi.yaml"),
        get("/api/v1/jobs/1/logs?stream=../x", 400, "stream: '../x' is not stdout or stderr"),
        get("/api/v1/jobs/1/logs?rank=-1", 400, "rank: '-1'"),
        get("/api/v1/jobs/1/logs?rank=7", 404, "attempt 1.1 has no rank 7; it has ranks 0 to 1"),
        get("/api/v1/jobs/1/logs?attempt=2", 404, "job 1 has no attempt 2"),
        get("/api/v1/jobs/1/logs?from=x", 400, "from: 'x'"),
        get("/api/v1/events?after=x", 400, "after: 'x'"),
        get("/healthz?x", 400, "it takes none"),
        new Row("admin", "PATCH", "/api/v1/jobs", "", "", 405, "GET, HEAD, OPTIONS, POST"),
        new Row("admin", "DELETE", "/api/v1/jobs/1", "", "", 405, "GET, HEAD, OPTIONS"),
        new Row("admin", "BREW", "/healthz", "", "", 405, "GET, HEAD, OPTIONS"));
  }

  static Stream<Row> access() {
    return Stream.of(
        get("", "/api/v1/jobs", 401, "needs a token"),
        get("garbage", "/api/v1/jobs", 401, "not known"),
        get("expired", "/api/v1/jobs", 401, "of old has expired"),
        get("", "/metrics", 401, "needs a token"),
        get("ann", "/metrics", 200, "ringmaster_jobs"),
        get("", "/healthz", 200, "ok"),
        get("", "/readyz", 200, "leader"),
        get("", "/api/v1/openapi.yaml", 200, "openapi: 3.1"),
        get("ann", "/api/v1/jobs/1", 200, "\"user\":\"ann\""),
        get("bob", "/api/v1/jobs/1", 404, "there is no job 1"),
        get("bob", "/api/v1/jobs/1/logs", 404, "there is no job 1"),
        get("bob", "/api/v1/jobs/1/explain", 404, "there is no job 1"),
        new Row("bob", "POST", "/api/v1/jobs/1/cancel", "", "", 404, "there is no job 1"),
        get("bob", "/api/v1/jobs", 200, "\"jobs\":[]"),
        get("bob", "/api/v1/jobs?user=ann", 200, "\"running\":0"),
        get("bob", "/api/v1/nodes", 200, "\"jobs\":[]"),
        get("ann", "/api/v1/nodes", 200, "\"jobs\":[1]"),
        get("ann", "/api/v1/tokens", 403, "is for admins; the token is one of user ann"),
        new Row("ann", "POST", "/api/v1/nodes/s0001/drain", "", "", 403, "is for admins"),
        new Row("ann", "POST", "/api/v1/nodes/s0001/resume", "", "", 403, "is for admins"),
        new Row("ann", "PUT", "/api/v1/policy", "{}", "application/json", 403, "is for admins"),
        new Row("ann", "DELETE", "/api/v1/tokens/1", "", "", 403, "is for admins"));
  }

  @ParameterizedTest
  @MethodSource({"bodies", "addresses", "access"})
  void isAnsweredInOneLine(Row row) {
    HttpResponse<String> reply =
        row.type().isEmpty()
            ? stage.ask(row.method(), row.path(), row.body(), "Authorization", bearer(row.who()))
            : stage.ask(
                row.method(),
                row.path(),
                row.body(),
                "Authorization",
                bearer(row.who()),
                "Content-Type",
                row.type());
    assertThat(reply.body()).contains(row.words());
    assertThat(reply.statusCode()).isEqualTo(row.status());
    if (row.status() >= 400) {
      assertIsError(reply.body());
    }
    if (row.status() == 401) {
      assertThat(reply.headers().firstValue("WWW-Authenticate").orElse(""))
          .startsWith("Bearer realm=\"ringmaster\"");
    }
    if (row.status() == 405) {
      assertThat(reply.headers().firstValue("Allow").orElse("")).isEqualTo(row.words());
    }
    assertThat(reply.headers().firstValue("Server")).isEmpty();
  }

  private String bearer(String who) {
    return switch (who) {
      case "admin" -> "Bearer " + admin;
      case "ann" -> "Bearer " + ann;
      case "bob" -> "bearer " + bob;
      case "expired" -> "Bearer " + expired;
      default -> who.isEmpty() ? "" : "Bearer " + who;
    };
  }

  static void assertIsError(String body) {
    assertThat(Json.parse(body)).isInstanceOf(Map.class);
    assertThat(Stage.map(body).keySet()).containsExactly("error");
    assertThat(String.valueOf(Stage.map(body).get("error"))).doesNotContain("\n").isNotBlank();
  }

  @Test
  void aBodyThatIsNotUtf8IsRefused() throws IOException {
    String reply =
        RawSocket.ask(
            stage.server.port(),
            RawSocket.head(
                    "POST /api/v1/jobs HTTP/1.1",
                    "Host: localhost",
                    "Authorization: " + bearer("ann"),
                    "Content-Type: application/json",
                    "Connection: close",
                    "Content-Length: 2")
                + "\u00c3(");
    assertThat(reply).startsWith("HTTP/1.1 400 ").contains("the body is not UTF-8");
  }

  @Test
  void thereAreNoWebSocketsAndNoSessions() throws IOException {
    String reply =
        RawSocket.ask(
            stage.server.port(),
            RawSocket.head(
                "GET /healthz HTTP/1.1",
                "Host: localhost",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13"));
    assertThat(reply)
        .as("answered as if no other protocol had been asked for")
        .startsWith("HTTP/1.1 200 ")
        .doesNotContain("Upgrade", "Set-Cookie");
  }

  @Test
  void aPageOfAnotherSiteChangesNothing() {
    HttpResponse<String> reply =
        stage.ask(
            "POST",
            "/api/v1/jobs/1/cancel",
            "",
            "Authorization",
            bearer("ann"),
            "Origin",
            "https://evil.example");
    assertThat(reply.statusCode()).isEqualTo(403);
    assertThat(reply.body()).contains("'https://evil.example' is another site");
    HttpResponse<String> nowhere =
        stage.ask(
            "POST", "/api/v1/jobs/1/cancel", "", "Authorization", bearer("ann"), "Origin", "null");
    assertThat(nowhere.statusCode()).isEqualTo(403);
    assertThat(stage.state(1)).isEqualTo("running");
  }

  @Test
  void headAndOptionsAreSane() {
    HttpResponse<String> head =
        stage.ask("HEAD", "/api/v1/jobs/1", "", "Authorization", bearer("ann"));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    HttpResponse<String> options = stage.ask("OPTIONS", "/api/v1/jobs", "");
    assertThat(options.statusCode()).isEqualTo(204);
    assertThat(options.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS, POST");
  }
}
