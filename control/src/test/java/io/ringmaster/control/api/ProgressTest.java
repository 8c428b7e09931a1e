package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobBuilder;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Entry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What jobs say of their progress, as it is told. */
class ProgressTest {
  private final Stage stage = new Stage();

  @AfterEach
  void end() {
    stage.close();
  }

  private static List<Map<String, Object>> list(Map<String, Object> map, String name) {
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> list = (List<Map<String, Object>>) map.getOrDefault(name, List.of());
    return list;
  }

  private Job running() {
    long id = stage.submit(Stage.JOB, "");
    Stage.await(() -> stage.state(id).equals("running"));
    return stage.store.job(id).orElseThrow();
  }

  @Test
  void linesOfNoUseAreLeftOut() {
    Job job = running();
    Map<String, Object> reply =
        Stage.map(stage.get("/api/v1/jobs/%d/progress".formatted(job.id())).body());
    assertThat(list(reply, "attempts")).hasSize(1);
    assertThat(list(reply, "attempts").getFirst())
        .containsEntry("attempt", 1)
        .containsEntry("workers", 2)
        .containsEntry("from_s", job.startedSeconds())
        .containsEntry("to_s", null);
    List<Map<String, Object>> points = list(reply, "points");
    assertThat(points).extracting(point -> point.get("done")).containsExactly(0.0, 0.25, 0.5, 0.75);
    assertThat(points.get(1)).containsEntry("iteration", 100.0).containsEntry("loss", null);
    assertThat(points.get(2)).containsEntry("at_s", null).containsEntry("loss", 1.5);
    assertThat(points.get(3)).containsEntry("samples", 9600.0).containsEntry("attempt", 1);
  }

  @Test
  void anEndedAttemptSaysWhen() {
    Job job = running();
    stage.send("POST", "/api/v1/jobs/%d/cancel".formatted(job.id()), "", "");
    Stage.await(() -> stage.state(job.id()).equals("cancelled"));
    Map<String, Object> reply =
        Stage.map(stage.get("/api/v1/jobs/%d/progress".formatted(job.id())).body());
    assertThat(list(reply, "attempts").getFirst())
        .containsEntry("to_s", stage.store.job(job.id()).orElseThrow().endedSeconds());
  }

  /** Logs of two attempts with so many lines each, done being the number of the line by 1000. */
  private static Logs lines(int first, int second) {
    return (attempt, rank, stream, from) -> {
      assertThat(stream).isEqualTo(Engine.Stream.PROGRESS);
      String text =
          IntStream.range(0, attempt.attempt() == 1 ? first : second)
              .mapToObj(i -> "{\"done\": %s}\n".formatted(i / 1e6))
              .collect(Collectors.joining());
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int begin = (int) Math.min(from, bytes.length);
      return new ByteArrayInputStream(bytes, begin, bytes.length - begin);
    };
  }

  private static List<Integer> thinned(Job job, int attempts, Logs logs, int most)
      throws IOException {
    List<Entry> history =
        IntStream.rangeClosed(1, attempts)
            .mapToObj(
                i -> new Entry(i, i, 1, "u", JobState.PLACED, JobState.STARTING, i, "s0001:2", ""))
            .toList();
    return Progress.of(job, history, logs, most).points().stream()
        .map(point -> (int) Math.round(point.done() * 1e6))
        .toList();
  }

  @Test
  void theEndsOfAttemptsAreKept() throws IOException {
    Job job = JobBuilder.like(running()).attempt(2).build();
    assertThat(thinned(job, 2, lines(3, 2), 5)).containsExactly(0, 1, 2, 0, 1);
    // Ten and one lines: three are ends. Of the 8 others two stretches of 4, whose middles are the
    // third and the seventh of them: lines 3 and 7.
    assertThat(thinned(job, 2, lines(10, 1), 5)).containsExactly(0, 3, 7, 9, 0);
    assertThat(thinned(job, 2, lines(10, 10), 2)).containsExactly(0, 9);
    assertThat(thinned(job, 2, lines(1000, 1000), 500)).hasSize(500).startsWith(0).endsWith(999);
    assertThat(thinned(job, 2, lines(0, 0), 500)).isEmpty();
  }

  /** 400,000 lines of some 18 bytes are 7 MB: the first and the last 2 MB are read. */
  @Test
  void ofALongFileTheEndsAreRead() throws IOException {
    List<Integer> points = thinned(running(), 1, lines(400_000, 0), 1000);
    assertThat(points).hasSize(1000).startsWith(0).endsWith(399_999).isSorted();
    assertThat(points).noneMatch(line -> line > 150_000 && line < 250_000);
  }

  @Test
  void onlyTheOwnerAndAdminsSeeIt() {
    String root = stage.token("root", "admin", "");
    String ann = stage.token("ann", "user", root);
    String eve = stage.token("eve", "user", root);
    long job = stage.submit(Stage.JOB, ann);
    String curve = "/api/v1/jobs/%d/progress".formatted(job);
    assertThat(stage.send("GET", curve, "", ann).statusCode()).isEqualTo(200);
    assertThat(stage.send("GET", curve, "", eve).statusCode()).isEqualTo(404);
    String several = "/api/v1/progress?jobs=%d,77".formatted(job);
    assertThat(stage.send("GET", several, "", root).body()).contains("\"id\":" + job);
    assertThat(stage.send("GET", several, "", eve).body()).isEqualTo("{\"jobs\":[]}\n");
    assertThat(stage.send("GET", "/api/v1/me", "", eve).body())
        .isEqualTo(
            "{\"user\":\"eve\",\"role\":\"user\",\"needs_token\":true,\"read_only\":false}\n");
  }

  /** Two hold all 8 GPUs for 100 and for 300 seconds; the third starts when the first ends. */
  @Test
  void theForecastSaysOfEachJobWhatExplainDoes() {
    for (int seconds : List.of(100, 300, 50, 50)) {
      stage.submit("{\"command\":[\"sleep\"],\"gpus\":4,\"duration_s\":%d}".formatted(seconds), "");
    }
    Stage.await(() -> stage.state(2).equals("running"));
    Map<String, Object> reply = Stage.map(stage.get("/api/v1/forecast").body());
    List<Map<String, Object>> jobs = list(reply, "jobs");
    assertThat(jobs).extracting(job -> job.get("id")).containsExactly(1, 2, 3, 4);
    assertThat(jobs).extracting(job -> job.get("place")).containsExactly(null, null, 1, 2);
    for (Map<String, Object> job : jobs) {
      Map<String, Object> explained =
          Stage.map(stage.get("/api/v1/jobs/%s/explain".formatted(job.get("id"))).body());
      assertThat(job)
          .containsEntry("start_s", explained.get("predicted_start_s"))
          .containsEntry("end_s", explained.get("predicted_end_s"));
    }
    assertThat((String) reply.get("basis"))
        .contains("a simulation of the present queue under fifo");
  }

  @Test
  void wrongParametersAreNamed() {
    running();
    assertThat(stage.get("/api/v1/jobs/1/progress?points=1").body())
        .contains("points: '1' is not a whole number from 2 to 10000");
    assertThat(stage.get("/api/v1/progress?jobs=1,x").body())
        .contains("jobs: 'x' is not a whole number from 1");
    assertThat(stage.get("/api/v1/progress?jobs=" + "1,".repeat(200) + "1").body())
        .contains("jobs: '201 ids' is not at most 200 ids");
  }

  @Test
  void thePageIsForAnybodyAndAllowsNothingFromElsewhere() {
    stage.token("root", "admin", "");
    for (String path : List.of("/", "/dashboard.js", "/dashboard.css")) {
      HttpResponse<String> reply = stage.get(path);
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(reply.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(reply.headers().firstValue("Cache-Control")).contains("no-store");
    }
    assertThat(stage.get("/").body())
        .contains("src=\"/dashboard.js\"", "href=\"/dashboard.css\"")
        .doesNotContain("<style")
        .doesNotContainPattern("<script[^>]*>[^<]");
    assertThat(stage.get("/api/v1/jobs").statusCode()).isEqualTo(401);
  }
}
