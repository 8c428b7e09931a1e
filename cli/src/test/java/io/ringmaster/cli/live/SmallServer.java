package io.ringmaster.cli.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A server that answers as it was told, and remembers what it was asked. */
final class SmallServer implements AutoCloseable {
  /** What was asked: {@code POST /jobs?x=1}, its body, its headers. */
  record Asked(String line, String body, Map<String, String> headers) {}

  private record Answer(int status, String body, Map<String, String> headers, boolean cut) {}

  private final HttpServer http;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  final List<Asked> asked = new ArrayList<>();

  SmallServer() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::handle);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Answers a request so; several for one request are given in turn, the last for ever. */
  SmallServer on(String line, int status, @Nullable Object body) {
    return on(line, status, Json.text(body), Map.of());
  }

  SmallServer on(String line, int status, String body, Map<String, String> headers) {
    answers
        .computeIfAbsent(line, _ -> new ArrayDeque<>())
        .add(new Answer(status, body, headers, false));
    return this;
  }

  /** Takes a request and ends the connection without an answer. */
  SmallServer cut(String line) {
    answers.computeIfAbsent(line, _ -> new ArrayDeque<>()).add(new Answer(0, "", Map.of(), true));
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String uri = exchange.getRequestURI().toString().replaceFirst("^/api/v1", "");
    String line = exchange.getRequestMethod() + " " + uri;
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> headers = new ConcurrentHashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    Answer answer;
    synchronized (asked) {
      asked.add(new Asked(line, body, headers));
      Deque<Answer> queue = answers.getOrDefault(line, new ArrayDeque<>());
      answer =
          queue.isEmpty()
              ? new Answer(404, Json.text(Map.of("error", "no " + line)), Map.of(), false)
              : queue.size() == 1 ? queue.getFirst() : queue.removeFirst();
    }
    if (answer.cut) {
      exchange.close();
      return;
    }
    answer.headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  List<String> lines() {
    synchronized (asked) {
      return asked.stream().map(Asked::line).toList();
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
