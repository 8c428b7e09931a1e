package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.workload.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The description and the server say the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");
  private static final String EVERYTHING =
      """
      {"name": "a", "command": ["sleep", "1"], "env": {"A": "b"}, "directory": "/tmp", "gpus": 2,
       "min_gpus": 1, "max_gpus": 4, "model": "bert-large", "duration_s": 60, "iterations": 100,
       "group": "g", "priority": 3, "after": [1], "time_limit_s": 600, "grace_s": 1.5,
       "checkpoint_s": 30, "retries": 2, "cpus_per_gpu": 1, "memory_gb_per_gpu": 2,
       "piece_gpus": 1, "nodes_marked": "", "resumable": false}\
      """;

  private final Stage stage = new Stage();
  private final OpenApiFile file = new OpenApiFile(stage.get("/api/v1/openapi.yaml").body());

  @AfterAll
  void end() {
    stage.close();
  }

  /** A call that is in order. */
  private record Example(String method, String path, String concrete, String body) {}

  private static List<Example> examples() {
    return List.of(
        new Example("POST", "/api/v1/jobs", "/api/v1/jobs", Stage.JOB),
        new Example("POST", "/api/v1/jobs", "/api/v1/jobs", EVERYTHING),
        new Example("GET", "/api/v1/jobs", "/api/v1/jobs?limit=1&state=running,queued", ""),
        new Example("GET", "/api/v1/jobs", "/api/v1/jobs?user=root&below=99", ""),
        new Example("GET", "/api/v1/jobs/{id}", "/api/v1/jobs/1", ""),
        new Example("POST", "/api/v1/gc", "/api/v1/gc", "{\"dry_run\": true}"),
        new Example("GET", "/api/v1/jobs/{id}/explain", "/api/v1/jobs/1/explain", ""),
        new Example("GET", "/api/v1/jobs/{id}/explain", "/api/v1/jobs/2/explain", ""),
        new Example(
            "GET",
            "/api/v1/jobs/{id}/logs",
            "/api/v1/jobs/1/logs?attempt=1&rank=0&stream=stdout&from=2",
            ""),
        new Example("GET", "/api/v1/jobs/{id}/progress", "/api/v1/jobs/1/progress?points=3", ""),
        new Example("GET", "/api/v1/progress", "/api/v1/progress?jobs=1,2,99", ""),
        new Example("GET", "/api/v1/forecast", "/api/v1/forecast", ""),
        new Example("GET", "/api/v1/users/{user}", "/api/v1/users/ann", ""),
        new Example("GET", "/api/v1/history", "/api/v1/history?span=hour", ""),
        new Example(
            "POST", "/api/v1/jobs/{id}/priority", "/api/v1/jobs/1/priority", "{\"priority\": 5}"),
        new Example("POST", "/api/v1/jobs/{id}/cancel", "/api/v1/jobs/2/cancel", "{}"),
        new Example("GET", "/api/v1/nodes", "/api/v1/nodes", ""),
        new Example(
            "POST",
            "/api/v1/nodes/{name}/drain",
            "/api/v1/nodes/s0002/drain",
            "{\"reason\":\"x\"}"),
        new Example("POST", "/api/v1/nodes/{name}/resume", "/api/v1/nodes/s0002/resume", ""),
        new Example("GET", "/api/v1/policies", "/api/v1/policies", ""),
        new Example("GET", "/api/v1/me", "/api/v1/me", ""),
        new Example("GET", "/", "/", ""),
        new Example("GET", "/dashboard.js", "/dashboard.js", ""),
        new Example("GET", "/dashboard.css", "/dashboard.css", ""),
        new Example("GET", "/api/v1/policy", "/api/v1/policy", ""),
        new Example(
            "PUT", "/api/v1/policy", "/api/v1/policy", "{\"policy\":\"srtf\",\"settings\":{}}"),
        new Example("GET", "/api/v1/policy", "/api/v1/policy", ""),
        new Example(
            "POST",
            "/api/v1/policy/preview",
            "/api/v1/policy/preview",
            "{\"policy\":\"las\",\"settings\":{\"placement\":\"pack\"}}"),
        new Example("GET", "/api/v1/queue", "/api/v1/queue", ""),
        new Example("GET", "/api/v1/measured", "/api/v1/measured", ""),
        new Example(
            "POST",
            "/api/v1/tokens",
            "/api/v1/tokens",
            "{\"user\":\"ann\",\"role\":\"user\",\"expires_in_s\":3600}"),
        new Example("GET", "/api/v1/tokens", "/api/v1/tokens", ""),
        new Example("DELETE", "/api/v1/tokens/{id}", "/api/v1/tokens/3", ""),
        new Example("GET", "/api/v1/openapi.yaml", "/api/v1/openapi.yaml", ""),
        new Example("GET", "/healthz", "/healthz", ""),
        new Example("GET", "/readyz", "/readyz", ""),
        new Example("GET", "/metrics", "/metrics", ""));
  }

  @Test
  void everyRouteIsDescribedAndTheOtherWayRound() {
    TreeSet<String> described = new TreeSet<>();
    file.paths()
        .forEach((path, operations) -> {
          for (Object method : OpenApiFile.map(operations).keySet()) {
            if (!method.equals("parameters")) {
              described.add(method + " " + path);
            }
          }
        });
    assertThat(stage.api.routes())
        .extracting(route -> route.method().toLowerCase(Locale.ROOT) + " " + route.path())
        .containsExactlyInAnyOrderElementsOf(described);
  }

  @Test
  void everyParameterIsDescribedAndTheOtherWayRound() {
    for (Route route : stage.api.routes()) {
      assertThat(file.parameters(route.method(), route.path(), "query"))
          .as(route.path())
          .containsExactlyInAnyOrderElementsOf(route.parameters());
      assertThat(file.parameters(route.method(), route.path(), "path"))
          .as(route.path())
          .containsExactlyInAnyOrderElementsOf(
              VARIABLE.matcher(route.path()).results().map(found -> found.group(1)).toList());
    }
  }

  @Test
  void whoNeedsATokenIsDescribed() {
    for (Route route : stage.api.routes()) {
      Object security = file.operation(route.method(), route.path()).get("security");
      assertThat(List.of().equals(security))
          .as(route.path())
          .isEqualTo(route.access() == Route.Access.ANYBODY);
      assertThat(file.operation(route.method(), route.path()).containsKey("requestBody"))
          .as(route.path())
          .isEqualTo(route.effect() == Route.Effect.WRITES && !route.method().equals("DELETE"));
    }
  }

  @Test
  void statesAreThose() {
    List<String> states = Arrays.stream(JobState.values()).map(JobState::text).toList();
    assertThat(OpenApiFile.list(file.schema("State").get("enum"))).isEqualTo(states);
    assertThat(file.wrong(Json.parse(EVERYTHING), file.schema("JobSpec"))).isEmpty();
    assertThat(Stage.map(EVERYTHING).keySet())
        .containsExactlyInAnyOrderElementsOf(
            OpenApiFile.map(file.schema("JobSpec").get("properties")).keySet().stream()
                .map(String::valueOf)
                .toList());
  }

  /** In one test, since examples build on each other. */
  @Test
  void everyAnswerIsAsDescribed() throws IOException, InterruptedException {
    String root = stage.token("root", "admin", "");
    String eve = stage.token("eve", "user", root);
    List<String> seen = new ArrayList<>();
    for (Example example : examples()) {
      HttpResponse<String> reply =
          stage.send(example.method(), example.concrete(), example.body(), root);
      assertThat(reply.statusCode()).as(reply.body()).isBetween(200, 204);
      assertAsDescribed(example, reply);
      seen.add(example.method() + " " + example.path());
      if (seen.size() == 1) {
        Stage.await(() -> stage.state(1).equals("running"));
      }
    }
    checkEvents(root);
    seen.add("GET /api/v1/events");
    assertThat(new TreeSet<>(seen))
        .containsExactlyInAnyOrderElementsOf(
            stage.api.routes().stream()
                .map(route -> route.method() + " " + route.path())
                .collect(Collectors.toSet()));
    for (Example example : examples()) {
      for (HttpResponse<String> reply : wrongCalls(example, root, eve)) {
        assertAsDescribed(example, reply);
      }
    }
  }

  private List<HttpResponse<String>> wrongCalls(Example example, String root, String eve) {
    String method = example.method();
    String path = example.concrete();
    String bearer = "Bearer " + root;
    List<HttpResponse<String>> replies = new ArrayList<>();
    replies.add(stage.send(method, path, example.body(), eve));
    replies.add(stage.send(method, path, example.body(), ""));
    replies.add(stage.send(method, path, "{", root));
    replies.add(
        stage.send(
            method,
            path.replaceFirst("(jobs|tokens|nodes)/[s0-9]+", "$1/77"),
            example.body(),
            root));
    replies.add(stage.send(method, path + (path.contains("?") ? "&" : "?") + "zz=1", "", root));
    replies.add(stage.ask(method, path, "{}", "Content-Type", "a/b", "Authorization", bearer));
    replies.add(stage.ask(method, path, "", "Origin", "http://x", "Authorization", bearer));
    stage.health.set(new PlaneHealth(false, "another leads", 1, 1, 1, ""));
    replies.add(stage.send(method, path, example.body(), root));
    stage.health.set(null);
    return replies;
  }

  private void assertAsDescribed(Example example, HttpResponse<String> reply) {
    String what =
        "%s %s: %d %s"
            .formatted(example.method(), example.concrete(), reply.statusCode(), reply.body());
    Map<?, ?> response = file.response(example.method(), example.path(), reply.statusCode());
    assertThat(response).as(what).isNotEmpty();
    Map<?, ?> content = OpenApiFile.map(response.get("content"));
    String type = reply.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
    if (content.isEmpty()) {
      assertThat(reply.body()).as(what).isEmpty();
      assertThat(type).as(what).isEmpty();
      return;
    }
    assertThat(content.containsKey(type)).as("%s of %s", type, what).isTrue();
    Object value = type.equals("application/json") ? Json.parse(reply.body()) : reply.body();
    assertThat(file.wrong(value, OpenApiFile.map(content.get(type)).get("schema")))
        .as(what)
        .isEmpty();
    for (Object header : OpenApiFile.map(response.get("headers")).keySet()) {
      if (!header.equals("Retry-After") || !example.path().equals("/readyz")) {
        assertThat(reply.headers().firstValue(String.valueOf(header))).as(what).isPresent();
      }
    }
  }

  private void checkEvents(String root) throws IOException, InterruptedException {
    HttpResponse<InputStream> reply =
        stage.client.send(
            HttpRequest.newBuilder(stage.uri("/api/v1/events?after=0"))
                .header("Authorization", "Bearer " + root)
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
      for (int events = 0; events < 3; ) {
        String line = lines.readLine();
        if (line.startsWith("data: ")) {
          events++;
          assertThat(file.wrong(Json.parse(line.substring(6)), file.schema("Event"))).isEmpty();
        }
      }
    }
  }
}
