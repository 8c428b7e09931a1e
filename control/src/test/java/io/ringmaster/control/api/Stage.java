package io.ringmaster.control.api;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.plane.Inbox;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.PlaneThread;
import io.ringmaster.control.plane.StartOver;
import io.ringmaster.control.plane.StoreExplainer;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** A whole server: store, plane, API and server, with an engine in memory and 2 nodes of 4 GPUs. */
final class Stage implements AutoCloseable {
  static final List<Node> NODES = List.of(new Node("s0001", 4, true), new Node("s0002", 4, true));
  static final String JOB = "{\"command\":[\"sleep\",\"printed\"],\"gpus\":2}";

  final Store store = Store.open("sqlite::memory:");

  /** Added to the real time, so that a test can let it pass. */
  final AtomicReference<Double> laterSeconds = new AtomicReference<>(0.0);

  /** What is told of the plane; null: the truth. */
  final AtomicReference<@Nullable PlaneHealth> health = new AtomicReference<>();

  /** Where logs are read; the engine's, unless a test says otherwise. */
  final AtomicReference<Logs> logs = new AtomicReference<>();

  final Metrics metrics = new Metrics();
  final HistoryTail history;
  final PlaneThread plane;
  final Api api;
  final HttpServer server;
  final HttpClient client = HttpClient.newHttpClient();

  Stage() {
    this(Limits.usual());
  }

  Stage(Limits limits) {
    DoubleSupplier now = () -> System.currentTimeMillis() / 1e3 + laterSeconds.get();
    PlaneConfig config =
        new PlaneConfig(
            Cluster.uniform(2, 4, Network.None.USUAL, 0),
            true,
            ModelTable.standard(),
            "fifo",
            Map.of(),
            Map.of(),
            1,
            5,
            3,
            UserLimits.usual(),
            Policies::named);
    history = new HistoryTail(store, 0);
    plane =
        new PlaneThread(
            config,
            store,
            () -> new PuppetEngine(NODES),
            new PlaneListener() {
              @Override
              public void decided(double tookSeconds, Made made) {
                metrics.decided(tookSeconds, made);
              }

              @Override
              public void startedOver(StartOver reason) {
                metrics.startedOver(reason);
              }

              @Override
              public void lost(double seconds, double gpuSeconds) {
                metrics.lost(seconds, gpuSeconds);
              }

              @Override
              public void stored(double tookSeconds, int rows, long lastEntry) {
                metrics.stored(tookSeconds, rows, lastEntry);
                history.published(lastEntry);
              }
            },
            now);
    logs.set((attempt, rank, stream, from) ->
        plane.engine().orElseThrow().log(attempt, rank, stream, from));
    await(plane::leads);
    await(() -> store.nodes().stream().filter(node -> node.up()).count() == NODES.size());
    api =
        new Api(
            new ApiDependencies(
                store,
                new Inbox() {
                  @Override
                  public void post(Message message) {
                    plane.post(message);
                  }

                  @Override
                  public PlaneHealth health() {
                    PlaneHealth set = health.get();
                    return set == null ? plane.health() : set;
                  }
                },
                (attempt, rank, stream, from) -> logs.get().log(attempt, rank, stream, from),
                new StoreExplainer(config, store, now),
                new Site(config, "operator"),
                limits,
                now,
                Runnable::run,
                metrics,
                new Cleanup(store, plane::engine, Retention.USUAL, now)));
    server = new HttpServer(api, history, "127.0.0.1", 0);
  }

  /** Waits for what is bound to happen. */
  static void await(BooleanSupplier condition) {
    try {
      for (int i = 0; i < 3000; i++) {
        if (condition.getAsBoolean()) {
          return;
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new AssertionError("it did not happen within 30 s");
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
  }

  /**
   * Asks.
   *
   * @param headers names and values in turn
   */
  HttpResponse<String> ask(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> get(String path, String... headers) {
    return ask("GET", path, "", headers);
  }

  /** Sends JSON, with a token or none. */
  HttpResponse<String> send(String method, String path, String body, String token) {
    return token.isEmpty()
        ? ask(method, path, body, "Content-Type", "application/json")
        : ask(
            method,
            path,
            body,
            "Content-Type",
            "application/json",
            "Authorization",
            "Bearer " + token);
  }

  /** Makes a token and returns its secret. */
  String token(String user, String role, String with) {
    HttpResponse<String> reply =
        send(
            "POST",
            "/api/v1/tokens",
            "{\"user\":\"%s\",\"role\":\"%s\"}".formatted(user, role),
            with);
    return String.valueOf(map(reply.body()).get("token"));
  }

  /** Submits a job and returns its id. */
  long submit(String body, String token) {
    HttpResponse<String> reply = send("POST", "/api/v1/jobs", body, token);
    if (reply.statusCode() != 201) {
      throw new AssertionError(reply.body());
    }
    return Long.parseLong(String.valueOf(map(reply.body()).get("id")));
  }

  String state(long job) {
    return store.job(job).orElseThrow().state().text();
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(String json) {
    return (Map<String, Object>) Objects.requireNonNull(Json.parse(json));
  }

  @Override
  public void close() {
    server.close();
    plane.close();
    store.close();
    client.close();
  }
}
