package io.ringmaster.cli.live;

import io.ringmaster.cli.live.HostileUser.Answer;
import io.ringmaster.workload.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Harm that is done by requests alone. */
final class HostileRequests {
  private static final int MEGABYTE = 1 << 20;

  /** As the API promises for streams: they look at their token at each heartbeat, of 15 s. */
  private static final double STREAM_END_SECONDS = 90;

  private static final int HALF_SENT = 600;
  private static final int AT_ONCE = 10;
  private static final int LARGE_SPECS = 100;
  private static final int STUFFED = 250;
  private static final int MOST_STUFFED = 20_000;
  private static final int EXPLAINED_AT_ONCE = 40;
  private static final int STREAMS = 250;
  private static final int FLOOD = 1500;
  private static final int GPUS = AttackRun.SLOTS;

  private HostileRequests() {}

  static List<Harm> all() {
    return List.of(
        new Harm("bodies half sent without a token", "nobody", 5, HostileRequests::halfSent),
        new Harm("jobs of 1 MB by the hundred", "large", 5, HostileRequests::large),
        new Harm("queue stuffed, then explained", "stuffer", 3, HostileRequests::stuffed),
        new Harm("event streams left open", "streams", 5, HostileRequests::streams),
        new Harm("stream of a removed token", "leaver", 2, HostileRequests::removedToken),
        new Harm("broken bodies and control characters", "broken", 2, HostileRequests::broken),
        new Harm("404 and OPTIONS floods", "requests", 5, HostileRequests::requests));
  }

  /** All but the last bytes of a body, on many connections: nothing of it is to be kept. */
  private static void halfSent(HostileUser me) {
    byte[] most = new byte[MEGABYTE - 16];
    String head =
        "POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n".formatted(MEGABYTE);
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < HALF_SENT && me.target().isOn(); i++) {
        boolean cut = false;
        try {
          Socket socket = me.connect();
          sockets.add(socket);
          OutputStream out = socket.getOutputStream();
          out.write(head.getBytes(StandardCharsets.US_ASCII));
          out.write(most);
          out.flush();
        } catch (IOException e) {
          cut = true;
        }
        me.did(cut);
      }
      hold(me);
    } finally {
      sockets.forEach(HostileRequests::close);
    }
  }

  /** Keeps connections for a while. */
  private static void hold(HostileUser me) {
    for (int i = 0; i < 80 && me.target().isOn(); i++) {
      Client.pause(100);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed anyway.
    }
  }

  /** Jobs that wait for ever, as large as they may be. */
  private static void large(HostileUser me) {
    Map<String, Object> job = me.shell("true");
    job.put("command", Collections.nCopies(31, "x".repeat(32_768)));
    job.put("priority", -1000);
    job.put("gpus", GPUS);
    for (int i = 0; i < LARGE_SPECS && me.target().isOn(); i += AT_ONCE) {
      me.atOnce(AT_ONCE, "POST", "/jobs", Json.text(job));
    }
    me.get("/jobs?limit=1000");
  }

  /** A queue that only grows, of jobs for the whole cluster, and many who ask about it at once. */
  private static void stuffed(HostileUser me) {
    Map<String, Object> job = me.shell("true");
    job.put("gpus", GPUS);
    job.put("priority", -1000);
    job.put("duration_s", 1e6);
    int before = me.rounds() * STUFFED;
    for (int i = 0; i < STUFFED && before + i < MOST_STUFFED; i += AT_ONCE) {
      if (me.target().isOn()) {
        me.atOnce(AT_ONCE, "POST", "/jobs", Json.text(job));
      }
    }
    List<Fields> jobs = me.get("/jobs?limit=1").fields().objects("jobs");
    if (!jobs.isEmpty()) {
      me.atOnce(EXPLAINED_AT_ONCE, "/jobs/" + jobs.getFirst().whole("id") + "/explain");
      me.atOnce(AT_ONCE, "/jobs?limit=1000");
    }
  }

  /** Streams that are opened and forgotten; half of them are cut without a word. */
  private static void streams(HostileUser me) {
    List<Socket> sockets = new ArrayList<>();
    String head =
        "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(me.token());
    try {
      for (int i = 0; i < STREAMS && me.target().isOn(); i++) {
        boolean refused = true;
        try {
          Socket socket = me.connect();
          sockets.add(socket);
          socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          byte[] first = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
          refused = !new String(first, StandardCharsets.US_ASCII).endsWith(" 200");
        } catch (IOException _) {
          // Cut: refused.
        }
        me.did(refused);
      }
      hold(me);
    } finally {
      sockets.forEach(HostileRequests::close);
    }
  }

  /** Who may not ask any more does not hear any more. */
  private static void removedToken(HostileUser me) throws IOException {
    Fields token =
        me.target()
            .admin()
            .once("token", "POST", "/tokens", Map.of("user", "leaver", "role", "user"));
    Client client = new Client(URI.create(me.target().url()), token.text("token"));
    HttpResponse<InputStream> answer = client.stream("/events", 0);
    me.did(answer.statusCode() != 200);
    me.target().admin().once("token", "DELETE", "/tokens/" + token.whole("id"), Map.of());
    if (answer.statusCode() != 200) {
      return;
    }
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try (BufferedReader lines =
              new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            while (lines.readLine() != null) {
              // What it says does not matter.
            }
          } catch (IOException _) {
            // The same as its end.
          }
          ended.complete(true);
        });
    long began = System.nanoTime();
    while (!ended.isDone()
        && me.target().isOn()
        && (System.nanoTime() - began) / 1e9 < STREAM_END_SECONDS) {
      Client.pause(100);
    }
    me.expect(ended.isDone(), "a stream went on for %.0f s without a token", STREAM_END_SECONDS);
    answer.body().close();
  }

  private static final List<String> BROKEN =
      List.of(
          "",
          "{",
          "null",
          "[]",
          "\"",
          "{\"command\":",
          "{\"command\": \"sh\", \"gpus\": 1}",
          "{\"command\": [], \"gpus\": 1}",
          "{\"command\": [1], \"gpus\": 1}",
          "{\"command\": [\"true\"], \"gpus\": 1e999}",
          "{\"command\": [\"true\"], \"gpus\": -1}",
          "{\"command\": [\"true\"], \"gpus\": 0.5}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"grace_s\": 1e308}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"priority\": 9223372036854775808}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"after\": [\"1 OR 1=1\"]}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"name\": \"\\u001b]0;x\\u0007\\u001b[31m\"}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"name\": \"a\\nb\"}",
          "{\"command\": [\"tr\\u0000ue\"], \"gpus\": 1}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"env\": {\"A=B\": \"c\"}}",
          "{\"\\u001b[2J\": 1}",
          "{\"command\": [\"true\"], \"gpus\": 1, \"directory\": \"a\\u0000b\"}",
          "[".repeat(100_000),
          "{\"a\":".repeat(50_000),
          "9".repeat(200_000));

  private static void broken(HostileUser me) {
    for (String body : BROKEN) {
      Answer answer = me.send("POST", "/jobs", body);
      String shown = body.substring(0, Math.min(60, body.length()));
      me.expect(
          answer.status() == 0 || (answer.status() >= 400 && answer.status() < 500),
          "status %d for %s",
          answer.status(),
          shown);
      me.expect(
          answer.body().chars().noneMatch(c -> c < ' ' && c != '\n'),
          "control characters came back for %s",
          shown);
    }
    Random random = new Random(me.rounds());
    byte[] noise = new byte[4000];
    random.nextBytes(noise);
    for (String head :
        List.of(
            "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
            "GET /" + "a".repeat(40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "\0\0\0\0")) {
      raw(me, head, noise);
    }
  }

  private static void raw(HostileUser me, String head, byte[] noise) {
    try (Socket socket = me.connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(noise);
      out.flush();
      byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 500".length());
      me.did(true);
      me.expect(
          !new String(status, StandardCharsets.US_ASCII).contains(" 500"),
          "status 500 for %s",
          head.substring(0, Math.min(60, head.length())).strip());
    } catch (IOException e) {
      me.did(true);
    }
  }

  /** What leads nowhere counts for the rate limit too. */
  private static void requests(HostileUser me) {
    for (String method : List.of("GET", "OPTIONS")) {
      List<CompletableFuture<Answer>> under = new ArrayList<>();
      int limited = 0;
      long began = System.nanoTime();
      for (int i = 0; i < FLOOD && me.target().isOn(); i++) {
        under.add(me.sendLater(method, "/nothing/" + i, ""));
        if (under.size() == 50) {
          limited += limited(under);
          under.clear();
        }
      }
      limited += limited(under);
      // Where all is slow they may come no faster than they may. Twice as much may come at once.
      double allowed = AttackRun.REQUESTS_PER_SECOND * ((System.nanoTime() - began) / 1e9 + 3);
      me.expect(
          limited > 0 || FLOOD < allowed, "%d %s of nothing, and none was too many", FLOOD, method);
      Client.pause(2000);
    }
  }

  private static int limited(List<CompletableFuture<Answer>> under) {
    return (int) under.stream().filter(each -> each.join().status() == 429).count();
  }
}
