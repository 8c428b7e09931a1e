package io.ringmaster.cli.live;

import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.ApiDependencies;
import io.ringmaster.control.api.HistoryTail;
import io.ringmaster.control.api.HttpServer;
import io.ringmaster.control.api.Limit;
import io.ringmaster.control.api.Limits;
import io.ringmaster.control.api.Metrics;
import io.ringmaster.control.api.Site;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.ArrivalNotices;
import io.ringmaster.control.plane.ChosenPolicy;
import io.ringmaster.control.plane.Explainer;
import io.ringmaster.control.plane.Inventory;
import io.ringmaster.control.plane.MonotonicClock;
import io.ringmaster.control.plane.Outlooks;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.PlaneThread;
import io.ringmaster.control.plane.Refused;
import io.ringmaster.control.plane.StoreExplainer;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.store.FileIdentity;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.PrivateFiles;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.policy.registry.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server: store, plane, engine and server, wired. */
public final class Serving implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
  private static final double OBSERVE_SECONDS = 5;
  private static final double PATIENCE_SECONDS = 10;
  private static final int MOST_LOSSES = 3;
  private static final int LOOK_MILLIS = 20;
  private static final long FIRST_CLEANUP_SECONDS = 60;
  private static final long CLEANUP_SECONDS = 3600;
  private static final long NOTICE_SECONDS = 2;

  private final MonotonicClock clock = new MonotonicClock();
  private final ServeConfig config;
  private final EngineSetup setup;
  private final PlaneConfig planeConfig;
  private final FileIdentity folder;
  private final Store store;
  private final StoreMark mark;
  private final PlaneThread plane;
  private final HttpServer server;

  /** What is open, the last first. */
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Starts all of it; what was opened is closed again if something fails. */
  public Serving(ServeConfig config) {
    this.config = config;
    this.setup = new EngineSetup(config.data(), config.engineSettings(), config.cluster());
    try {
      this.folder = makeFolder();
      if (config.isAlone()) {
        opened(FolderLock.take(config.data()));
      }
      this.store = opened(Store.open(config.store()));
      this.mark = StoreMark.check(config.data(), store, config.shownStore());
      this.planeConfig =
          new PlaneConfig(
              config.cluster() == null ? found() : config.cluster(),
              config.cluster() != null,
              config.models(),
              config.policy(),
              config.set(),
              config.quotas(),
              OBSERVE_SECONDS,
              PATIENCE_SECONDS,
              MOST_LOSSES,
              userLimits(config.limits()),
              Policies::named);
      ExecutorService answers = opened(Executors.newVirtualThreadPerTaskExecutor());
      HistoryTail history = opened(new HistoryTail(store, store.load().lastEntry()));
      Metrics metrics = metrics(history);
      this.plane = opened(new PlaneThread(planeConfig, store, this::engine, metrics, clock));
      Cleanup cleanup = new Cleanup(store, plane::engine, config.retention(), clock);
      every("gc", FIRST_CLEANUP_SECONDS, CLEANUP_SECONDS, cleanup::runLogged);
      Explainer explainer =
          new StoreExplainer(
              planeConfig,
              store,
              clock,
              new Outlooks(
                  planeConfig,
                  store,
                  clock,
                  opened(Executors.newSingleThreadExecutor(Serving::explaining))),
              config.limits().number(Limit.EXPLAIN_S));
      ArrivalNotices notices = new ArrivalNotices(store, plane::engine, explainer);
      every("notices", NOTICE_SECONDS, NOTICE_SECONDS, notices::tell);
      Api api =
          new Api(
              new ApiDependencies(
                  store,
                  plane,
                  this::log,
                  explainer,
                  site(),
                  config.limits(),
                  clock,
                  answers,
                  metrics,
                  cleanup));
      this.server = opened(new HttpServer(api, history, config.host(), config.port()));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** On a thread of its own: a file system may take its time. */
  private void every(String name, long firstSeconds, long seconds, Runnable work) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
    open.push(timer::shutdownNow);
    var _ =
        timer.scheduleWithFixedDelay(
            () -> {
              if (plane.leads()) {
                work.run();
              }
            },
            firstSeconds,
            seconds,
            TimeUnit.SECONDS);
  }

  private static UserLimits userLimits(Limits limits) {
    return new UserLimits(
        limits.whole(Limit.OPEN_JOBS),
        (long) limits.number(Limit.SPEC_BYTES),
        limits.whole(Limit.PRIORITY),
        limits.number(Limit.GRACE_S),
        limits.whole(Limit.ADMIN_PRIORITY),
        limits.number(Limit.ADMIN_GRACE_S));
  }

  /** Simulates the queue for those who ask why they wait. */
  private static Thread explaining(Runnable work) {
    return Thread.ofPlatform().name("explain").daemon().unstarted(work);
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  /** Made for its owner alone; one that was open to others is so from now on. */
  private FileIdentity makeFolder() {
    try {
      if (PrivateFiles.makeFolder(config.data(), config.isPassable())) {
        LOG.warn("{} was open to others; from now on it is its owner's alone", config.data());
      }
      return FileIdentity.of(config.data());
    } catch (IOException e) {
      throw new BadInput(
          "%s: cannot be made or is no folder (%s); name another with --data"
              .formatted(config.data(), e.getMessage()));
    }
  }

  /** What became of the folder or the store that this server can never mend; empty: nothing. */
  String lost() {
    return folder.isThere()
        ? store.lost()
        : "%s was deleted or replaced while the server ran".formatted(config.data());
  }

  /** The nodes to begin with. An engine that does not answer now may do so later. */
  private Cluster found() {
    List<Node> nodes;
    try {
      nodes = config.engine().discover(setup);
    } catch (IOException e) {
      LOG.warn("engine {} does not tell its nodes: {}", config.engine().name(), e.toString());
      nodes = store.nodes().stream().map(NodeRow::node).toList();
    }
    if (nodes.stream().noneMatch(node -> node.gpus() > 0)) {
      throw new BadInput(
          "engine %s: no node with a GPU was found; name the nodes in a cluster file"
              .formatted(config.engine().name()));
    }
    return Inventory.found(config.engine().name(), nodes);
  }

  private Engine engine() {
    try {
      return config.engine().open(setup);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InputStream log(AttemptId attempt, int rank, Engine.Stream stream, long fromByte)
      throws IOException {
    return plane
        .engine()
        .orElseThrow(() ->
            new Refused(
                Refused.Kind.NOT_LEADING, "this server stands by: ask the one that leads for logs"))
        .log(attempt, rank, stream, fromByte);
  }

  private Metrics metrics(HistoryTail history) {
    return new Metrics(config.data()) {
      @Override
      public void stored(double tookSeconds, int rows, long lastEntry) {
        super.stored(tookSeconds, rows, lastEntry);
        mark.make();
        history.published(lastEntry);
      }
    };
  }

  private Site site() {
    String user = System.getProperty("user.name", "");
    return new Site(planeConfig, Token.USER.matcher(user).matches() ? user : "operator");
  }

  public String url() {
    String host = config.host();
    return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, server.port());
  }

  boolean leads() {
    return plane.leads();
  }

  /** Why it does not lead, in one line; empty: it leads. */
  String standsByBecause() {
    return plane.health().standsByBecause();
  }

  /** Returns when it leads, for those who are alone with it. */
  public void awaitLeading() throws InterruptedException {
    while (!plane.leads()) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** One line for whoever started it. */
  String summary() {
    return "%s: policy %s, %s, %s, store %s"
        .formatted(
            url(),
            ChosenPolicy.of(store.settings(), planeConfig).name(),
            JobText.count(planeConfig.cluster().size(), "node", "nodes"),
            JobText.count(planeConfig.cluster().totalGpus(), "GPU", "GPUs"),
            config.shownStore());
  }

  long running() {
    long running = 0;
    for (Map.Entry<JobState, Long> each : store.counts("").entrySet()) {
      running += each.getKey().holdsGpus() ? each.getValue() : 0;
    }
    return running;
  }

  /** Ends the server. Jobs go on. */
  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        System.err.printf(Locale.ROOT, "ringmaster: while stopping: %s%n", e.getMessage());
      }
    }
  }
}
