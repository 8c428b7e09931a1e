package io.ringmaster.bench;

import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.ApiDependencies;
import io.ringmaster.control.api.HistoryTail;
import io.ringmaster.control.api.HttpServer;
import io.ringmaster.control.api.Limit;
import io.ringmaster.control.api.Limits;
import io.ringmaster.control.api.Metrics;
import io.ringmaster.control.api.Site;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.PlaneThread;
import io.ringmaster.control.plane.StoreExplainer;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Postgres;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The live plane under load, over real HTTP and a real store: how fast jobs are taken in, how long
 * a decision takes while very many wait and hundreds run, and how long the list of jobs takes.
 * Processes are left out: the engine only keeps time.
 */
final class LiveRun {
  private static final int SERVERS = 64;
  private static final int GPUS = 8;
  private static final int CLIENTS = 256;
  private static final double MEAN_RUN_SECONDS = 2;
  private static final double WATCH_SECONDS = 20;
  private static final int LOOKS = 50;

  private final int jobs;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private LiveRun(int jobs) {
    this.jobs = jobs;
  }

  /** Takes {@code --jobs N}. */
  public static void main(String[] args) throws Exception {
    int jobs = args.length == 2 && args[0].equals("--jobs") ? Integer.parseInt(args[1]) : 100_000;
    System.out.printf("%d jobs, %d GPUs, %d clients%n", jobs, SERVERS * GPUS, CLIENTS);
    System.out.printf(
        "%-12s %-6s %12s %28s %28s %28s%n",
        "store",
        "policy",
        "submits/s",
        "decision ms p50/p99/max",
        "list ms p50/p99/max",
        "explain ms p50/p99/max");
    LiveRun run = new LiveRun(jobs);
    for (String policy : List.of("fifo", "srtf")) {
      Path folder = Files.createTempDirectory("ringmaster-live");
      run.measure("sqlite", "sqlite:" + folder.resolve("store.db"), policy);
      delete(folder);
    }
    if (!Postgres.isInstalled()) {
      System.out.println("postgresql   left out: " + Postgres.MISSING);
      return;
    }
    try (Postgres postgres = Postgres.start()) {
      for (String policy : List.of("fifo", "srtf")) {
        run.measure("postgresql", postgres.newDatabase(), policy);
      }
    }
  }

  private void measure(String name, String url, String policy) throws Exception {
    Cluster cluster = Cluster.uniform(SERVERS, GPUS, Network.None.USUAL, 0);
    List<Node> nodes =
        cluster.servers().stream().map(s -> new Node(s.name(), s.gpus(), true)).toList();
    PlaneConfig config =
        new PlaneConfig(
            cluster,
            true,
            ModelTable.standard(),
            policy,
            Map.of(),
            Map.of(),
            5,
            10,
            5,
            UserLimits.usual(),
            Policies::named);
    List<Double> decisions = Collections.synchronizedList(new ArrayList<>());
    Metrics metrics = new Metrics();
    try (Store store = Store.open(url);
        ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();
        HistoryTail history = new HistoryTail(store, 0);
        PlaneThread plane =
            new PlaneThread(
                config,
                store,
                () -> new TimedEngine(nodes, MEAN_RUN_SECONDS),
                new PlaneListener() {
                  @Override
                  public void decided(double tookSeconds, Made made) {
                    decisions.add(tookSeconds * 1e3);
                    metrics.decided(tookSeconds, made);
                  }

                  @Override
                  public void stored(double tookSeconds, int rows, long lastEntry) {
                    metrics.stored(tookSeconds, rows, lastEntry);
                    history.published(lastEntry);
                  }
                },
                LiveRun::nowSeconds);
        HttpServer server =
            new HttpServer(
                new Api(
                    new ApiDependencies(
                        store,
                        plane,
                        (_, _, _, _) -> {
                          throw new IOException("there are no logs");
                        },
                        new StoreExplainer(config, store, LiveRun::nowSeconds),
                        new Site(config, "bench"),
                        unlimited(),
                        LiveRun::nowSeconds,
                        answers,
                        metrics,
                        new Cleanup(store, Optional::empty, Retention.USUAL, LiveRun::nowSeconds))),
                history,
                "127.0.0.1",
                0)) {
      URI base = URI.create("http://127.0.0.1:" + server.port() + "/api/v1/");
      while (!plane.leads()) {
        Thread.sleep(10);
      }
      double began = System.nanoTime();
      submit(base);
      double rate = jobs / ((System.nanoTime() - began) * 1e-9);
      decisions.clear();
      Thread.sleep((long) (WATCH_SECONDS * 1e3));
      List<Double> whileBusy = List.copyOf(decisions);
      List<Double> lists = times(base.resolve("jobs?limit=100"), LOOKS);
      List<Double> explains = times(base.resolve("jobs/" + jobs + "/explain"), 5);
      System.out.printf(
          "%-12s %-6s %12.0f %28s %28s %28s%n",
          name, policy, rate, quantiles(whileBusy), quantiles(lists), quantiles(explains));
    }
  }

  private static double nowSeconds() {
    return System.currentTimeMillis() / 1e3;
  }

  private static Limits unlimited() {
    return Limits.usual().with(Limit.REQUESTS_PER_SECOND, 1e9);
  }

  /** Clients that keep their connections, as plain as can be: they share the machine. */
  private void submit(URI base) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofVirtual().start(() -> submit(base, next)));
    }
    for (Thread each : clients) {
      each.join();
    }
    if (next.get() < jobs) {
      throw new IllegalStateException("a client failed");
    }
  }

  private void submit(URI base, AtomicInteger next) {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int job = next.getAndIncrement(); job < jobs; job = next.getAndIncrement()) {
        out.write(request(base, job));
        out.flush();
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 201")) {
          throw new IllegalStateException(status);
        }
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
            length = Integer.parseInt(header.substring(15).strip());
          }
        }
        in.skipNBytes(length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] request(URI base, int job) {
    String body =
        """
        {"name": "job-%d", "command": ["train", "--seed", "%d"], "gpus": %d, "duration_s": %d}\
        """
            .formatted(job, job, 1 << (job % 4), 60 + (job * 7919L) % 36_000);
    return """
    POST /api/v1/jobs HTTP/1.1\r
    Host: %s:%d\r
    Content-Type: application/json\r
    Content-Length: %d\r
    \r
    %s\
    """
        .formatted(base.getHost(), base.getPort(), body.length(), body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server hung up");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private List<Double> times(URI uri, int count) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long from = System.nanoTime();
      send(HttpRequest.newBuilder(uri).GET().build(), 200);
      times.add((System.nanoTime() - from) * 1e-6);
    }
    return times;
  }

  private void send(HttpRequest request, int expected) {
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != expected) {
        throw new IllegalStateException(response.statusCode() + ": " + response.body());
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String quantiles(List<Double> values) {
    if (values.isEmpty()) {
      return "none";
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return "%.1f / %.1f / %.1f (%d)"
        .formatted(
            sorted[sorted.length / 2],
            sorted[(int) (sorted.length * 0.99)],
            Arrays.stream(sorted).max().getAsDouble(),
            sorted.length);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
