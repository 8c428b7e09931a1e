package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random requests over raw connections, nearly right ones and noise: never a 500, errors always in
 * one shape, and the server goes on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzTest {
  private static final int SEEDS = 600;

  private static final List<String> METHODS =
      List.of(
          "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "X-Y", "get");

  private static final List<String> PATHS =
      List.of(
          "/api/v1/jobs",
          "/api/v1/jobs?limit=3&state=queued,running",
          "/api/v1/jobs/1",
          "/api/v1/jobs/2/cancel",
          "/api/v1/jobs/1/logs?from=3&rank=0&stream=stderr",
          "/api/v1/jobs/1/explain",
          "/api/v1/forecast",
          "/api/v1/events?after=x&before=y",
          "/api/v1/nodes",
          "/api/v1/nodes/s0001/drain",
          "/api/v1/nodes/s0001/resume",
          "/api/v1/policy",
          "/api/v1/tokens/5",
          "/api/v1/openapi.yaml",
          "/healthz",
          "/readyz",
          "/metrics",
          "/%2e%2e/%2e%2e/etc/passwd",
          "/api/v1/jobs/%00",
          "*");

  private static final List<String> BODIES =
      List.of(
          "",
          Stage.JOB,
          "{\"command\":[\"finish\",\"x\"],\"gpus\":3,\"min_gpus\":1,\"env\":{\"A\":\"b\"}}",
          "{\"command\":[\"finish\"],\"gpus\":1,\"after\":[1],\"duration_s\":1e3,\"priority\":-4}",
          "{\"reason\":\"a \\u00e9 \\ud83c\\udfaa\"}",
          "{\"policy\":\"srtf\",\"settings\":{\"placement\":\"pack\"}}",
          "{}",
          "[[[[]]]]");

  private static final Pattern HEAD =
      Pattern.compile("HTTP/1\\.[01] ([0-9]{3}) [^\r\n]*\r\n(.*?)\r\n\r\n(.*)", Pattern.DOTALL);

  private final Stage stage = new Stage();

  @AfterAll
  void end() {
    stage.close();
  }

  @Test
  void nothingBreaksTheServer() {
    stage.submit(Stage.JOB, "");
    Seeds.each(
        SEEDS,
        (random, seed) -> {
          byte[] request = random.nextInt(8) == 0 ? noise(random) : request(random);
          try {
            check(new String(request, StandardCharsets.ISO_8859_1), ask(request));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertThat(stage.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(stage.get("/api/v1/jobs/1").statusCode()).isEqualTo(200);
    assertThat(stage.get("/metrics").body()).doesNotContain("status=\"500\"");
  }

  private String ask(byte[] request) throws IOException {
    return RawSocket.ask(stage.server.port(), request);
  }

  /** No answer at all is fine for what is no request. */
  private static void check(String request, String reply) {
    if (reply.isEmpty()) {
      return;
    }
    Matcher parts = HEAD.matcher(reply);
    assertThat(parts.matches()).as("%s -> %s", request, reply).isTrue();
    int status = Integer.parseInt(parts.group(1));
    String head = parts.group(2);
    assertThat(status).as("%s -> %s", request, reply).isNotEqualTo(500);
    assertThat(head).doesNotContainIgnoringCase("\nServer:").doesNotContain("Set-Cookie");
    if (status >= 400 && !request.startsWith("HEAD ")) {
      assertThat(head).as("%s -> %s", request, reply).contains("Content-Type: application/json");
      String body = parts.group(3);
      assertThat(body).as(request).startsWith("{\"").endsWith("}\n");
      if (!body.contains("\"role\"")) {
        HostileRequestsTest.assertIsError(body);
      }
      assertThat(body).doesNotContain("Exception").doesNotContain("\tat ");
    }
  }

  private static byte[] noise(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] request(RandomGenerator random) {
    byte[] body = mutated(random, pick(random, BODIES).getBytes(StandardCharsets.UTF_8));
    String method = pick(random, METHODS);
    String path =
        new String(
            mutated(random, pick(random, PATHS).getBytes(StandardCharsets.UTF_8)),
            StandardCharsets.ISO_8859_1);
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(' ').append("HTTP/1.1\r\n");
    head.append("Host: ").append(random.nextInt(20) == 0 ? "evil.example" : "localhost");
    head.append("\r\nConnection: close\r\n");
    if (random.nextInt(8) > 0) {
      head.append("Content-Type: application/json\r\n");
    }
    switch (random.nextInt(12)) {
      case 0 -> head.append("Authorization: Bearer rm_").append(random.nextLong()).append("\r\n");
      case 1 -> head.append("Origin: http://localhost\r\n");
      case 2 -> head.append("Idempotency-Key: ").append(random.nextLong()).append("\r\n");
      case 3 -> head.append("Last-Event-ID: x\r\nAccept: application/openmetrics-text\r\n");
      case 4 -> head.append("Sec-WebSocket-Key: AA\r\nUpgrade: websocket\r\n");
      case 5 -> head.append("Expect: 200-ok\r\n");
      default -> {}
    }
    boolean chunked = random.nextInt(10) == 0;
    if (chunked) {
      head.append("Transfer-Encoding: chunked\r\n\r\n");
      head.append(Integer.toHexString(body.length)).append("\r\n");
    } else if (body.length > 0 || random.nextBoolean()) {
      int length = random.nextInt(20) == 0 ? random.nextInt(1000) : body.length;
      head.append("Content-Length: ").append(length).append("\r\n\r\n");
    } else {
      head.append("\r\n");
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    request.writeBytes(body);
    if (chunked && random.nextInt(3) > 0) {
      request.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }
    return request.toByteArray();
  }

  private static <T> T pick(RandomGenerator random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Half of the time as it is, otherwise with a few bytes changed, doubled or left out. */
  private static byte[] mutated(RandomGenerator random, byte[] bytes) {
    byte[] result = bytes;
    for (int i = random.nextInt(6) - 3; i >= 0 && result.length > 0; i--) {
      int at = random.nextInt(result.length);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(result, 0, at);
      switch (random.nextInt(5)) {
        case 0 -> out.write(random.nextInt(256));
        case 1 -> out.write("\"{}[]:,%&?=/0-9\\".charAt(random.nextInt(15)));
        case 2 -> out.writeBytes(bytes);
        case 3 -> out.writeBytes("99999999999".getBytes(StandardCharsets.ISO_8859_1));
        default -> {}
      }
      out.write(result, at + 1, result.length - at - 1);
      result = out.toByteArray();
    }
    return result;
  }
}
