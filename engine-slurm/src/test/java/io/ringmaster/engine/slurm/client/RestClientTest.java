package io.ringmaster.engine.slurm.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a slurmrestd may answer, and what is said of it. */
class RestClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  @SuppressWarnings("NullAway.Init")
  private HttpServer server;

  @SuppressWarnings("NullAway.Init")
  private Path token;

  /** A status, and a body. */
  private record Reply(int status, String body) {}

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
    token = folder.resolve("token");
    Files.writeString(token, "SLURM_JWT=" + jwt("{\"exp\":4102444800,\"sun\":\"ada\"}") + "\n");
  }

  @AfterEach
  void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static String jwt(String claims) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return encoder.encodeToString("{\"alg\":\"HS256\"}".getBytes(UTF_8))
        + "."
        + encoder.encodeToString(claims.getBytes(UTF_8))
        + ".c2ln";
  }

  private void answers(Function<String, Reply> replies) {
    server.createContext("/", exchange -> answer(exchange, replies));
  }

  private void answer(HttpExchange exchange, Function<String, Reply> replies) {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  path,
                  exchange.getRequestHeaders().getFirst("X-SLURM-USER-NAME")));
      Reply reply = replies.apply(path);
      byte[] bytes = reply.body.getBytes(UTF_8);
      exchange.sendResponseHeaders(reply.status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RestClient client(Duration limit) {
    return new RestClient(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), token, limit);
  }

  private SlurmByRest slurm() {
    return new SlurmByRest(
        new SlurmCommands(List.of("false"), LIMIT),
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
        token);
  }

  private static boolean speaks(String path, int version) {
    return path.startsWith("/slurm/v0.0.%d/".formatted(version));
  }

  @Test
  void theNewestVersionThatBothKnowIsSpoken() throws IOException {
    answers(
        path -> speaks(path, 41) || speaks(path, 40) ? new Reply(200, "{}") : new Reply(404, "?"));
    RestClient client = client(LIMIT);
    client.get("nodes");
    client.get("jobs");
    assertThat(asked)
        .containsExactly(
            "GET /slurm/v0.0.45/ping ada",
            "GET /slurm/v0.0.44/ping ada",
            "GET /slurm/v0.0.43/ping ada",
            "GET /slurm/v0.0.42/ping ada",
            "GET /slurm/v0.0.41/ping ada",
            "GET /slurm/v0.0.41/nodes ada",
            "GET /slurm/v0.0.41/jobs ada");
  }

  @Test
  void noVersionThatBothKnow() {
    answers(_ -> new Reply(404, "no such page"));
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("has none of the versions v0.0.38 to v0.0.45")
        .hasMessageContaining("slurmrestd -s list");
  }

  @Test
  void aTokenThatExpired() throws IOException {
    answers(_ -> new Reply(401, "Authentication failure"));
    Files.writeString(token, jwt("{\"exp\":1794981609,\"sun\":\"ada\"}"));
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("slurmrestd does not accept the token of " + token)
        .hasMessageContaining("it expired at 2026-11-18T06:00:09Z")
        .hasMessageContaining("scontrol token username=USER lifespan=86400 >" + token);
  }

  @Test
  void aTokenOfAnotherKeyIsToldInSlurmsOwnWords() {
    answers(_ ->
        new Reply(
            500,
            "{\"errors\":[{\"error_number\":1007,\"error\":\"Protocol authentication error\"}]}"));
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("its key is not that of slurmctld's AuthAltParameters")
        .hasMessageContaining("does not know its user ada");
  }

  /** As 22.05 says of a token of another key. */
  @Test
  void anErrorWithoutWordsMayBeTheTokens() {
    answers(path ->
        path.endsWith("ping")
            ? new Reply(200, "{}")
            : new Reply(500, "{\"errors\":[{\"error\":\"Unspecified error\",\"errno\":-1}]}"));
    assertThatThrownBy(() -> slurm().nodes())
        .hasMessage(
            "slurmrestd refused nodes: Unspecified error; slurmctld does not accept the token of %s, or does not answer (-1)"
                .formatted(token));
  }

  @Test
  void aNewTokenIsReadWhenItIsThere() throws IOException {
    answers(_ -> new Reply(200, "{}"));
    RestClient client = client(LIMIT);
    client.get("jobs");
    Files.writeString(token, jwt("{\"sun\":\"operator\"}"));
    client.get("nodes");
    assertThat(asked.getLast()).isEqualTo("GET /slurm/v0.0.45/nodes operator");
  }

  @Test
  void whatIsNoToken() throws IOException {
    answers(_ -> new Reply(200, "{}"));
    Files.writeString(token, "hunter2\n");
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessage(
            "%s does not hold a token; write one with: scontrol token lifespan=86400 >%s"
                .formatted(token, token));
    Files.delete(token);
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("there is no token in " + token);
    assertThat(asked).isEmpty();
  }

  @Test
  void nobodyIsThere() {
    server.stop(0);
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("no slurmrestd answers at http://127.0.0.1:")
        .hasMessageContaining("does 'rest' name it?");
  }

  @Test
  void oneThatBeginsAnAnswerAndHangsIsGivenUp() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
        });
    assertThatThrownBy(() -> client(Duration.ofSeconds(1)).get("jobs"))
        .hasMessageContaining("did not answer within 1 s");
  }

  @Test
  void whatIsNoJson() {
    answers(path -> path.endsWith("ping") ? new Reply(200, "{}") : new Reply(502, "<html>proxy"));
    assertThatThrownBy(() -> client(LIMIT).get("jobs"))
        .hasMessageContaining("answered jobs with status 502 and no JSON: <html>proxy");
  }

  @Test
  void aJobThatIsNotThereIsNone() throws IOException {
    answers(path ->
        path.endsWith("ping")
            ? new Reply(200, "{}")
            : new Reply(500, "{\"errors\":[{\"error_code\":2017,\"error\":\"Invalid job id\"}]}"));
    assertThat(slurm().jobs(List.of("7"))).isEmpty();
    assertThatThrownBy(() -> slurm().release("7"))
        .hasMessage("slurmrestd refused job/7: Invalid job id (2017)");
  }

  /** From v0.0.39 on all of the array would be changed. */
  @Test
  void oneTaskOfAnArrayIsLeftToTheCommands() {
    answers(_ -> new Reply(200, "{}"));
    assertThatThrownBy(() -> slurm().release("7_3")).hasMessageContaining("scontrol failed");
    assertThatThrownBy(() -> slurm().hold(List.of("7", "7_3")))
        .hasMessageContaining("scontrol failed");
    assertThat(asked).last().isEqualTo("POST /slurm/v0.0.45/job/7 ada");
  }

  /** 2042: it is held; 2068: its node is drained. Both are queued. */
  @ParameterizedTest
  @ValueSource(ints = {2042, 2068})
  void oneThatIsTakenInWithARemarkIsTakenIn(int code) throws IOException {
    String said =
        "{\"job_id\":9,\"errors\":[{\"error_code\":" + code + ",\"error\":\"a remark\"}]}";
    answers(path -> new Reply(200, path.endsWith("submit") ? said : "{}"));
    assertThat(slurm().submit(List.of("--partition=ring"), "#!/bin/sh\n")).isEqualTo("9");
  }
}
