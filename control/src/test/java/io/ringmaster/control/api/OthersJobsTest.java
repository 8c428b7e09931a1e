package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user learns of another's job, by every route: nothing, not even that there is one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OthersJobsTest {
  private static final String NEVER_GIVEN = "987654";

  private final Stage stage = new Stage();
  private String bob = "";
  private String root = "";

  /** Ann's jobs: one runs, one waits for it, one succeeded, one was cancelled. */
  private static final List<Integer> HERS = List.of(1, 2, 3, 4);

  @BeforeAll
  void people() {
    root = stage.token("root", "admin", "");
    String ann = stage.token("ann", "user", root);
    bob = stage.token("bob", "user", root);
    stage.submit("{\"name\":\"secret-a\",\"command\":[\"sleep\"],\"gpus\":1}", ann);
    stage.submit("{\"name\":\"secret-b\",\"command\":[\"x\"],\"gpus\":1,\"after\":[1]}", ann);
    stage.submit(
        "{\"name\":\"secret-c\",\"group\":\"secret-group\",\"command\":[\"finish\"],\"gpus\":1}",
        ann);
    stage.submit("{\"name\":\"secret-d\",\"command\":[\"sleep\"],\"gpus\":1}", ann);
    stage.send("POST", "/api/v1/jobs/4/cancel", "", ann);
    stage.submit("{\"command\":[\"sleep\"],\"gpus\":1}", bob); // job 5
    Stage.await(() ->
        stage.state(1).equals("running")
            && stage.state(3).equals("succeeded")
            && stage.state(4).equals("cancelled")
            && stage.state(5).equals("running"));
  }

  @AfterAll
  void end() {
    stage.close();
  }

  /** A request that names a job as ID. */
  record Row(String method, String path, String body) {}

  static Stream<Row> rows() {
    return Stream.of(
        new Row("GET", "/api/v1/jobs/ID", ""),
        new Row("POST", "/api/v1/jobs/ID/cancel", ""),
        new Row("GET", "/api/v1/jobs/ID/logs", ""),
        new Row("GET", "/api/v1/jobs/ID/logs?attempt=1&stream=stderr", ""),
        new Row("GET", "/api/v1/jobs/ID/explain", ""),
        new Row("GET", "/api/v1/jobs/ID/progress", ""),
        new Row("GET", "/api/v1/progress?jobs=ID", ""),
        new Row("POST", "/api/v1/jobs", "{\"command\":[\"x\"],\"gpus\":1,\"after\":[ID]}"),
        new Row("POST", "/api/v1/jobs", "{\"command\":[\"x\"],\"gpus\":1,\"after\":[5,ID]}"),
        new Row("POST", "/api/v1/jobs", "{\"command\":[\"x\"],\"gpus\":99,\"after\":[ID]}"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void oneIsAsGoodAsNone(Row row) {
    HttpResponse<String> none = ask(row, NEVER_GIVEN);
    for (int id : HERS) {
      HttpResponse<String> hers = ask(row, String.valueOf(id));
      assertThat(hers.statusCode()).isEqualTo(none.statusCode());
      assertThat(hers.body()).isEqualTo(none.body().replace(NEVER_GIVEN, String.valueOf(id)));
      assertThat(headers(hers)).isEqualTo(headers(none));
    }
  }

  private HttpResponse<String> ask(Row row, String id) {
    return stage.send(
        row.method(), row.path().replace("ID", id), row.body().replace("ID", id), bob);
  }

  private static Map<String, List<String>> headers(HttpResponse<String> reply) {
    Map<String, List<String>> headers = new TreeMap<>(reply.headers().map());
    headers.remove("date");
    // An id is as long as it is.
    headers.remove("content-length");
    return headers;
  }

  /** What lists all there is does so without names, users and groups of others. */
  @Test
  void noListNamesThem() {
    for (Route route : stage.api.routes()) {
      if (route.method().equals("GET")
          && !route.path().contains("{")
          && !route.path().endsWith("/events")) {
        assertThat(stage.send("GET", route.path(), "", bob).body())
            .as(route.path())
            .doesNotContain("secret-", "\"ann\"");
      }
    }
    assertThat(stage.send("GET", "/api/v1/jobs?user=ann", "", bob).body())
        .isEqualTo(stage.send("GET", "/api/v1/jobs?user=nobody", "", bob).body());
  }

  @Test
  void anAdminMayWaitForAnybodysButIsToldOfItsOwnOnly() {
    long job = stage.submit("{\"command\":[\"x\"],\"gpus\":1,\"after\":[1]}", root);
    String said = stage.send("GET", "/api/v1/jobs/" + job + "/explain", "", root).body();
    assertThat(said).contains("it waits for job 1 of another user").doesNotContain("secret");
    assertThat(Objects.requireNonNull(Stage.map(said).get("state"))).isEqualTo("submitted");
  }
}
