package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Somebody who means harm in one way, again and again. Being refused is fine; what must hold
 * nevertheless is expected aloud.
 */
final class HostileUser {
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int MOST_TOLD = 5;
  private static final int LONGEST_TOLD = 300;

  /** Another machine than that of honest users, as far as a server can tell. */
  private static final String ADDRESS = "127.0.0.2";

  private static final double TIME_LIMIT_SECONDS = 30;

  private final Target target;
  private final String user;
  private final String token;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .localAddress(new InetSocketAddress(ADDRESS, 0).getAddress())
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicInteger actions = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final Map<String, String> told = new LinkedHashMap<>();

  HostileUser(Target target, String user, String token) {
    this.target = target;
    this.user = user;
    this.token = token;
  }

  /**
   * What came back.
   *
   * @param status 0: nothing, the connection was cut or took too long
   */
  record Answer(int status, String body) {
    boolean isGood() {
      return status >= 200 && status < 300;
    }

    Fields fields() {
      try {
        return Fields.of(Json.parse(body));
      } catch (BadInput e) {
        return Fields.of(Map.of());
      }
    }
  }

  String token() {
    return token;
  }

  Target target() {
    return target;
  }

  /** One round of harm; which one, counted from 0. */
  int nextRound() {
    return rounds.getAndIncrement();
  }

  int rounds() {
    return rounds.get();
  }

  int actions() {
    return actions.get();
  }

  int refused() {
    return refused.get();
  }

  int broken() {
    return broken.get();
  }

  List<String> told() {
    synchronized (told) {
      return List.copyOf(told.values());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // Nobody else has the annotation on the class path.
  void expect(boolean holds, String what, Object... values) {
    if (!holds && target.isOn()) {
      broken.incrementAndGet();
      synchronized (told) {
        // The same of another job says nothing new.
        if (told.size() < MOST_TOLD && !told.containsKey(what)) {
          String line = what.formatted(values).replaceAll("\\s+", " ");
          told.put(what, JobText.shortened(line, LONGEST_TOLD));
        }
      }
    }
  }

  void did(boolean wasRefused) {
    actions.incrementAndGet();
    if (wasRefused) {
      refused.incrementAndGet();
    }
  }

  Answer get(String path) {
    return send("GET", path, "");
  }

  Answer post(String path, Map<String, ?> body) {
    return send("POST", path, Json.text(body));
  }

  Answer send(String method, String path, String body) {
    return sendLater(method, path, body).join();
  }

  CompletableFuture<Answer> sendLater(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(target.url() + "/api/v1" + path))
            .timeout(ANSWER)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .handle((answer, failed) -> {
          Answer came =
              failed == null ? new Answer(answer.statusCode(), answer.body()) : new Answer(0, "");
          did(!came.isGood());
          return came;
        });
  }

  /** Sends the same several times at once. */
  List<Answer> atOnce(int count, String method, String path, String body) {
    List<CompletableFuture<Answer>> under = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      under.add(sendLater(method, path, body));
    }
    return under.stream().map(CompletableFuture::join).toList();
  }

  List<Answer> atOnce(int count, String path) {
    return atOnce(count, "GET", path, "");
  }

  /** A shell program as a job, which nobody has to wait for longer than a while. */
  Map<String, Object> shell(String program) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", user);
    job.put("command", List.of("sh", "-c", program, "sh", target.data().toString()));
    job.put("env", Map.of(Target.MARK, target.mark()));
    job.put("gpus", 1);
    job.put("grace_s", 1);
    job.put("time_limit_s", TIME_LIMIT_SECONDS);
    return job;
  }

  /** The id of the new job, if it was taken. */
  OptionalLong submit(Map<String, ?> job) {
    Answer answer = post("/jobs", job);
    return answer.isGood() ? OptionalLong.of(answer.fields().whole("id")) : OptionalLong.empty();
  }

  OptionalLong submit(String program) {
    return submit(shell(program));
  }

  /**
   * Waits until a job is as wanted.
   *
   * @return as it was last seen
   */
  Fields await(long id, double seconds, Predicate<Fields> wanted) {
    long began = System.nanoTime();
    Fields job = Fields.of(Map.of());
    while (target.isOn() && (System.nanoTime() - began) / 1e9 < seconds) {
      Answer answer = get("/jobs/" + id);
      if (answer.isGood()) {
        job = answer.fields();
        if (wanted.test(job)) {
          break;
        }
      }
      Client.pause(200);
    }
    return job;
  }

  static boolean isRunning(Fields job) {
    return job.text("state").equals("running");
  }

  /** A connection on which anything can be sent. */
  Socket connect() throws IOException {
    URI url = URI.create(target.url());
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(ADDRESS, 0));
    socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), 5000);
    socket.setSoTimeout(5000);
    return socket;
  }
}
