package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server. An answer that is a refusal becomes an error of one line, which begins with what
 * was asked.
 */
public final class Client {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  private final URI server;
  private final String token;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

  /** Whether the server was there: then a lost one is likely to come back. */
  private boolean met;

  public Client(URI server, String token) {
    this.server = server;
    this.token = token;
  }

  /**
   * How long to try again when the connection is lost or the server says that it cannot serve now.
   * A server that never answered is not waited for.
   */
  enum Patience {
    NONE(Duration.ZERO),
    /** For what may be repeated without harm. */
    SHORT(Duration.ofSeconds(30)),
    /** For those who wait anyway. */
    LONG(Duration.ofMinutes(10));

    private final Duration time;

    Patience(Duration time) {
      this.time = time;
    }
  }

  public Fields get(String asked, String path) {
    return get(asked, path, Patience.NONE);
  }

  Fields get(String asked, String path, Patience patience) {
    return document(asked, send(asked, request(path).GET().build(), patience));
  }

  /**
   * Asks for somebody who does not wait; nothing if the server is not that quick. The clock of a
   * connection runs while it is waited for; that of an HttpClient, while its classes are loaded.
   */
  Optional<Fields> atOnce(String path, Duration within) {
    try {
      URLConnection connection = at(path).toURL().openConnection();
      connection.setConnectTimeout((int) within.toMillis());
      connection.setReadTimeout((int) within.toMillis());
      if (!token.isEmpty()) {
        connection.setRequestProperty("Authorization", "Bearer " + token);
      }
      try (InputStream in = connection.getInputStream()) {
        return Optional.of(
            Fields.of(Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))));
      }
    } catch (IOException | BadInput e) {
      return Optional.empty();
    }
  }

  /** Sends what may be sent twice without harm. */
  public Fields change(String asked, String method, String path, Map<String, ?> body) {
    return document(asked, send(asked, request(method, path, body).build(), Patience.SHORT));
  }

  /** Sends what must not be sent twice. */
  Fields once(String asked, String method, String path, Object body) {
    return document(asked, send(asked, request(method, path, body).build(), Patience.NONE));
  }

  /** Sends what must be done once, under a key by which the server knows a repetition. */
  public Fields submit(String asked, String path, Map<String, ?> body, String key) {
    HttpRequest request = request("POST", path, body).header("Idempotency-Key", key).build();
    return document(asked, send(asked, request, Patience.SHORT));
  }

  private HttpRequest.Builder request(String method, String path, Object body) {
    return request(path)
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(Json.text(body)));
  }

  /** Bytes as they are. */
  HttpResponse<byte[]> raw(String asked, String path, Patience patience) {
    return send(asked, request(path).GET().build(), patience);
  }

  /** Lines as they come, until the server ends. */
  HttpResponse<InputStream> stream(String path, long lastEvent) throws IOException {
    HttpRequest request =
        authorized(HttpRequest.newBuilder(at(path)))
            .header("Accept", "text/event-stream")
            .header("Last-Event-ID", Long.toString(lastEvent))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** A text as a part of a path. */
  static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private URI at(String path) {
    return URI.create(server + "/api/v1" + path);
  }

  private HttpRequest.Builder request(String path) {
    return authorized(HttpRequest.newBuilder(at(path))).timeout(ANSWER);
  }

  private HttpRequest.Builder authorized(HttpRequest.Builder request) {
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpResponse<byte[]> send(String asked, HttpRequest request, Patience patience) {
    long deadline = System.nanoTime() + patience.time.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      boolean last = System.nanoTime() - deadline >= 0;
      try {
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        met = true;
        if (answer.statusCode() != 503 || last) {
          return checked(asked, answer);
        }
      } catch (IOException e) {
        boolean unreached =
            e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
        if (last || (unreached && !met)) {
          throw lost(asked, e, unreached);
        }
        met = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Unanswered(Unanswered.FAILED, "interrupted");
      }
      pause(pause);
      pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
    }
  }

  private Unanswered lost(String asked, IOException e, boolean unreached) {
    return new Unanswered(
        Unanswered.UNAVAILABLE,
        unreached
            ? "nothing answers at %s; start one with: ringmaster serve".formatted(server)
            : "%s: the connection to %s was lost: %s".formatted(asked, server, e.getMessage()));
  }

  private HttpResponse<byte[]> checked(String asked, HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    if (status < 300) {
      return answer;
    }
    String line = asked + ": " + error(answer);
    if (status == 401 && token.isEmpty()) {
      line += "; put a token into RINGMASTER_TOKEN or into " + TokenFile.usual();
    }
    if (status >= 400 && status < 500) {
      throw new BadInput(line);
    }
    throw new Unanswered(status == 503 ? Unanswered.UNAVAILABLE : Unanswered.FAILED, line);
  }

  /** The server's own line, or what there is instead. */
  private String error(HttpResponse<byte[]> answer) {
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    try {
      String error = Fields.of(Json.parse(body)).text("error");
      if (!error.isEmpty()) {
        return error;
      }
    } catch (BadInput _) {
      // Not from a Ringmaster.
    }
    return "%s answered with status %d and no reason; is it a Ringmaster server?"
        .formatted(server, answer.statusCode());
  }

  private Fields document(String asked, HttpResponse<byte[]> answer) {
    if (answer.body().length == 0) {
      return Fields.of(Map.of());
    }
    try {
      @Nullable Object value = Json.parse(new String(answer.body(), StandardCharsets.UTF_8));
      return Fields.of(value);
    } catch (BadInput e) {
      throw new Unanswered(
          Unanswered.FAILED,
          "%s: %s answered with something else than JSON; is it a Ringmaster server?"
              .formatted(asked, server));
    }
  }

  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unanswered(Unanswered.FAILED, "interrupted");
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException io = new InterruptedIOException("interrupted");
    io.initCause(e);
    return io;
  }
}
