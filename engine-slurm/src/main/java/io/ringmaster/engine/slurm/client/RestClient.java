package io.ringmaster.engine.slurm.client;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Speaks to a slurmrestd, in the newest version of its interface that both know. The token is read
 * for each call, so that who writes a new one need not tell.
 */
final class RestClient {
  /** The last number of a version: 38 is v0.0.38, of Slurm 22.05. */
  static final int OLDEST = 38;

  static final int NEWEST = 45;

  private static final int NOT_FOUND = 404;

  /** Statuses of who is not known, or may not. */
  private static final Set<Integer> REFUSED = Set.of(401, 403);

  /** Slurm's own numbers for the same: Protocol authentication error, and Invalid credential. */
  private static final Set<Long> ABOUT_TOKENS = Set.of(1007L, 6000L);

  private static final long UNSPECIFIED = -1;

  /** So much of what it says is shown. */
  private static final int SHOWN = 300;

  private final URI server;
  private final Path tokenFile;
  private final Duration limit;
  private final HttpClient http;
  private volatile int version;

  RestClient(URI server, Path tokenFile, Duration limit) {
    this.server = server;
    this.tokenFile = tokenFile;
    this.limit = limit;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limit)
            .build();
  }

  /**
   * What it answered.
   *
   * @param errors those that it names, in its words; empty: all is well
   */
  record Answer(Map<?, ?> fields, List<RestError> errors) {}

  /** A code of Slurm's own, and its words. */
  record RestError(long number, String text) {}

  Answer get(String path) throws IOException {
    return call("GET", path, null);
  }

  Answer post(String path, Map<String, ?> body) throws IOException {
    return call("POST", path, body);
  }

  Answer delete(String path) throws IOException {
    return call("DELETE", path, null);
  }

  /** The version that is spoken; asked for once. */
  int version() throws IOException {
    int known = version;
    if (known == 0) {
      known = found();
      version = known;
    }
    return known;
  }

  private int found() throws IOException {
    for (int number = NEWEST; number >= OLDEST; number--) {
      HttpResponse<byte[]> response = send("GET", number, "ping", null);
      if (response.statusCode() != NOT_FOUND) {
        checked("ping", response);
        return number;
      }
    }
    throw new IOException(
        "slurmrestd at %s has none of the versions v0.0.%d to v0.0.%d: is it one, and was it started with their plugins (slurmrestd -s list, -d list)?"
            .formatted(server, OLDEST, NEWEST));
  }

  private Answer call(String method, String path, @Nullable Map<String, ?> body)
      throws IOException {
    int known = version();
    HttpResponse<byte[]> response = send(method, known, path, body);
    if (response.statusCode() == NOT_FOUND && !isDocument(response)) {
      // Another slurmrestd may stand there by now.
      version = 0;
    }
    return checked(path, response);
  }

  private HttpResponse<byte[]> send(
      String method, int number, String path, @Nullable Map<String, ?> body) throws IOException {
    RestToken token = RestToken.read(tokenFile);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("%s/slurm/v0.0.%d/%s".formatted(server, number, path)))
            .timeout(limit)
            .header("Accept", "application/json")
            .header("X-SLURM-USER-TOKEN", token.text());
    if (!token.user().isEmpty()) {
      request.header("X-SLURM-USER-NAME", token.user());
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
      request.method(method, HttpRequest.BodyPublishers.ofString(Json.text(body)));
    } else {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    }
    // The client's own limit ends with the first line of an answer.
    CompletableFuture<HttpResponse<byte[]>> reply =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    try {
      return reply.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "slurmrestd at %s did not answer within %d s".formatted(server, limit.toSeconds()), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String said = cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
      throw new IOException(
          "no slurmrestd answers at %s%s; is it up, and does 'rest' name it?"
              .formatted(server, said),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the call of slurmrestd was interrupted", e);
    } finally {
      reply.cancel(true);
    }
  }

  private static boolean isDocument(HttpResponse<byte[]> response) {
    return fields(response).isPresent();
  }

  private static Optional<Map<?, ?>> fields(HttpResponse<byte[]> response) {
    try {
      return Json.parse(new String(response.body(), StandardCharsets.UTF_8))
              instanceof Map<?, ?> fields
          ? Optional.of(fields)
          : Optional.empty();
    } catch (BadInput e) {
      return Optional.empty();
    }
  }

  private Answer checked(String path, HttpResponse<byte[]> response) throws IOException {
    int status = response.statusCode();
    Optional<Map<?, ?>> fields = fields(response);
    List<RestError> errors = RestShapes.errors(fields.orElse(Map.of()));
    RestToken token = RestToken.read(tokenFile);
    Instant now = Instant.now();
    boolean isRefused = REFUSED.contains(status);
    for (RestError error : errors) {
      isRefused |= ABOUT_TOKENS.contains(error.number()) || token.isExpired(now);
    }
    if (isRefused) {
      throw new IOException(
          "slurmrestd does not accept the token of %s: %s; write a new one with: scontrol token username=USER lifespan=86400 >%s"
              .formatted(tokenFile, token.whyRefused(now), tokenFile));
    }
    if (fields.isEmpty()) {
      String text = new String(response.body(), StandardCharsets.UTF_8).strip();
      throw new IOException(
          "slurmrestd at %s answered %s with status %d and no JSON: %s"
              .formatted(server, path, status, text.substring(0, Math.min(SHOWN, text.length()))));
    }
    if (status >= 300 && errors.isEmpty()) {
      errors = List.of(new RestError(0, "status " + status));
    }
    return new Answer(fields.get(), errors.stream().map(this::explained).toList());
  }

  /** One that it has no words for, as it says of a slurmctld that refuses, or that is away. */
  private RestError explained(RestError error) {
    return error.number() != UNSPECIFIED
        ? error
        : new RestError(
            UNSPECIFIED,
            "%s; slurmctld does not accept the token of %s, or does not answer"
                .formatted(error.text(), tokenFile));
  }
}
