package io.ringmaster.cli.live;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Advisor;
import io.ringmaster.advise.Check;
import io.ringmaster.advise.Clock;
import io.ringmaster.advise.Queue;
import io.ringmaster.advise.SitePolicy;
import io.ringmaster.cli.advise.LiveQueue;
import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.ApiDependencies;
import io.ringmaster.control.api.HistoryTail;
import io.ringmaster.control.api.HttpServer;
import io.ringmaster.control.api.Limits;
import io.ringmaster.control.api.Metrics;
import io.ringmaster.control.api.Site;
import io.ringmaster.control.api.WatchedQueue;
import io.ringmaster.control.plane.MonotonicClock;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.registry.Policies;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that looks at the queue of another scheduler again and again, and tells what is to be
 * expected of it. It has no plane, no engine, and nothing on disk; it never writes to the
 * scheduler.
 */
final class Watching implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watching.class);
  private static final int DRAWS = 100;
  private static final int DRAWS_OF_PAST = 20;
  private static final int PAST_MOMENTS = 16;
  private static final long SEED = 1;

  private final Watched watched;
  private final Optional<String> policy;
  private final String host;
  private final HttpServer server;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private volatile WatchedQueue queue;

  /**
   * Starts it.
   *
   * @param watched closed at the end
   * @param policy the site's; none: as its settings have it
   */
  Watching(ServeConfig.Address address, Watched watched, Optional<String> policy) {
    this.watched = watched;
    this.queue = WatchedQueue.notYet(watched.scheduler());
    this.policy = policy;
    this.host = address.host();
    try {
      open.push(watched);
      MonotonicClock clock = new MonotonicClock();
      Store store = opened(Store.open("sqlite::memory:"));
      HistoryTail history = opened(new HistoryTail(store, 0));
      Api api =
          new Api(
              new ApiDependencies(
                  store,
                  message -> {
                    throw new IllegalStateException("nothing can be asked of a server that looks");
                  },
                  (_, _, _, _) -> {
                    throw new IllegalStateException("there are no logs");
                  },
                  _ -> Optional.empty(),
                  site(),
                  Limits.usual(),
                  clock,
                  opened(Executors.newVirtualThreadPerTaskExecutor()),
                  new Metrics(),
                  new Cleanup(store, Optional::empty, Retention.USUAL, clock),
                  Optional.of(() -> queue)));
      this.server = opened(new HttpServer(api, history, address.host(), address.port()));
      ScheduledExecutorService looks =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("look").factory());
      open.push(looks::shutdownNow);
      var _ = looks.scheduleWithFixedDelay(this::look, 0, watched.everySeconds(), TimeUnit.SECONDS);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  /** The plane that is not there. */
  private static Site site() {
    String user = System.getProperty("user.name", "");
    PlaneConfig none =
        new PlaneConfig(
            Cluster.uniform(1, 1, Network.None.USUAL, 0),
            false,
            ModelTable.standard(),
            ServeConfig.POLICY,
            Map.of(),
            Map.of(),
            1,
            1,
            1,
            UserLimits.usual(),
            Policies::named);
    return new Site(none, Token.USER.matcher(user).matches() ? user : "operator");
  }

  String url() {
    return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, server.port());
  }

  /** Whatever goes wrong, the next look may go well. */
  private void look() {
    try {
      Optional<LiveQueue> news = watched.look();
      if (news.isPresent()) {
        queue = told(news.get());
      }
    } catch (BadInput e) {
      queue = queue.failing(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("a look failed", e);
      queue = queue.failing("the last look failed; the server's log says more");
    }
  }

  private WatchedQueue told(LiveQueue live) {
    Queue now = live.site().at(live.atSeconds());
    SitePolicy of = SitePolicy.of(now, policy, live.site().policy());
    Advice advice =
        new Advisor(
                now,
                of,
                new Check(live.site(), Optional.of(of.name()))
                    .correction(now.nowSeconds(), PAST_MOMENTS, DRAWS_OF_PAST, SEED, 1),
                DRAWS,
                SEED,
                1,
                Clock.of(now, ZoneId.systemDefault()))
            .advise(List.of(), _ -> {});
    return WatchedLive.of(live, advice);
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        LOG.warn("while stopping: {}", e.toString());
      }
    }
  }
}
