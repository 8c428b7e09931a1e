package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Puts an {@link Api} on a port, and adds nothing of its own: every request becomes a {@link
 * Request}, whatever its method and path, so that there is one router and one way to refuse.
 *
 * <p>A few platform threads see to all connections and never wait; {@link Transport} says what runs
 * where.
 */
public final class HttpServer implements AutoCloseable {
  private static final int HEADER_BYTES = 16 << 10;
  private static final int CLOSING_SECONDS = 5;
  private static final int THREADS = 16;
  private static final int SELECTORS = 2;
  private static final long SWEEP_MILLIS = 1000;

  private final HistoryTail history;
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final Transport transport;
  private final Server server;
  private final ServerConnector connector;

  /**
   * @param history closed with it
   * @param port 0: any that is free
   * @throws BadInput if the port is taken, or if whoever can reach it would be admin
   */
  public HttpServer(Api api, HistoryTail history, String host, int port) {
    checkReach(api, host);
    this.history = history;
    Connections connections = new Connections(api.limits());
    this.transport =
        new Transport(api, connections, new EventStreams(history, api.limits()), requests);
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = connector(api.limits(), host, port);
    connector.addBean(connections);
    server.addConnector(connector);
    server.setErrorHandler(new ErrorResponses());
    server.setHandler(transport);
    try {
      server.start();
    } catch (Exception e) {
      requests.close();
      throw notStarted(e, host, port);
    }
    sweep(connections);
  }

  private static RuntimeException notStarted(Exception e, String host, int port) {
    return e instanceof IOException
        ? new BadInput(
            "port %d of %s is taken by another program; choose another".formatted(port, host))
        : new IllegalStateException(e);
  }

  private ServerConnector connector(Limits limits, String host, int port) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    // RequestTarget is stricter, and says why.
    http.setUriCompliance(UriCompliance.UNSAFE);
    long idleMillis = (long) (limits.number(Limit.IDLE_S) * 1000);
    http.setIdleTimeout(idleMillis);
    ServerConnector made =
        new ServerConnector(server, 1, SELECTORS, new HttpConnectionFactory(http));
    made.setHost(host);
    made.setPort(port);
    made.setIdleTimeout(idleMillis);
    return made;
  }

  private void sweep(Connections connections) {
    connector
        .getScheduler()
        .schedule(
            () -> {
              connections.sweep();
              sweep(connections);
            },
            SWEEP_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private static void checkReach(Api api, String host) {
    try {
      if (InetAddress.getByName(host).isLoopbackAddress() || !api.isOpen()) {
        return;
      }
    } catch (UnknownHostException e) {
      throw new BadInput(
          "host '%s' is not an address of this machine".formatted(JobSpecs.shown(host)));
    }
    throw new BadInput(
        "host '%s' can be reached from other machines, and there is no token yet; listen on"
                .formatted(JobSpecs.shown(host))
            + " 127.0.0.1 and make an admin's token first");
  }

  public int port() {
    return connector.getLocalPort();
  }

  /** Takes no more requests, lets those under way end for a while, then stops. */
  @Override
  public void close() {
    transport.goDown();
    history.close();
    try {
      for (int i = 0; i < CLOSING_SECONDS * 100 && transport.serving() > 0; i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      requests.shutdownNow();
    }
  }
}
