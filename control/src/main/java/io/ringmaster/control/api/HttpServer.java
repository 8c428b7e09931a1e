package io.ringmaster.control.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.model.BadInput;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts an {@link Api} on a port, and adds nothing of its own: every request becomes a {@link
 * Request}, whatever its method and path, so that there is one router and one way to refuse. Runs
 * each on a virtual thread, which may wait.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final int HEADER_BYTES = 16 << 10;
  private static final int IDLE_MILLIS = 60_000;
  private static final int CLOSING_SECONDS = 5;

  /** So much too much is read before it is refused; many clients do not listen while they send. */
  private static final int DISCARDED_BYTES = 16 << 20;

  private final Api api;
  private final HistoryTail history;
  private final EventStreams streams;
  private final Javalin server;
  private final AtomicInteger serving = new AtomicInteger();
  private volatile boolean closing;

  /**
   * Opens.
   *
   * @param history closed with it
   * @param port 0: any that is free
   * @throws BadInput if the port is taken, or if whoever can reach it would be admin
   */
  public HttpServer(Api api, HistoryTail history, String host, int port) {
    checkReach(api, host);
    this.api = api;
    this.history = history;
    this.streams = new EventStreams(history, api.limits().listeners());
    this.server = Javalin.create(config -> configure(config, host, port));
    try {
      server.start();
    } catch (JavalinBindException e) {
      throw new BadInput(
          "port %d of %s is taken by another program; choose another".formatted(port, host));
    }
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

  /** Where it listens. */
  public int port() {
    return server.port();
  }

  @SuppressWarnings("unchecked") // Javalin takes the steps of a request as varargs.
  private void configure(JavalinConfig config, String host, int port) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.jetty.modifyHttpConfiguration(http -> {
      http.setSendServerVersion(false);
      http.setSendXPoweredBy(false);
      http.setRequestHeaderSize(HEADER_BYTES);
      http.setIdleTimeout(IDLE_MILLIS);
      http.addCustomizer((request, headers) -> withoutWebSocket(request));
    });
    config.jetty.addConnector((jetty, http) -> {
      ServerConnector connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
      connector.setHost(host);
      connector.setPort(port);
      connector.setIdleTimeout(IDLE_MILLIS);
      return connector;
    });
    config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new ErrorResponses()));
    config.jetty.modifyServletContextHandler(
        context -> context.setErrorHandler(new ErrorResponses()));
    config.requestLifeCycle(
        (submit, servlet, context, path) -> serve(context.req(), context.res()));
  }

  /** Javalin would look for a WebSocket's handler by itself, and begin a session for it. */
  private static org.eclipse.jetty.server.Request withoutWebSocket(
      org.eclipse.jetty.server.Request request) {
    if (request.getHeaders().contains(HttpHeader.SEC_WEBSOCKET_KEY)) {
      throw new HttpException.RuntimeException(400, "there are no WebSockets here");
    }
    return request;
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) {
    serving.incrementAndGet();
    try {
      Response reply = closing ? goingDown() : reply(request);
      boolean head = request.getMethod().equals("HEAD");
      if (reply.feed() != null && !head && !streams.tryEnter()) {
        reply = EventStreams.full();
      }
      response.setStatus(reply.status());
      reply.headers().forEach(response::setHeader);
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setContentType(reply.contentType().isEmpty() ? null : reply.contentType());
      if (reply.feed() != null && !head) {
        streams.serve(reply.feed(), response);
      } else if (reply.status() != 204) {
        byte[] bytes = reply.bytes();
        response.setContentLength(bytes.length);
        if (!head) {
          response.getOutputStream().write(bytes);
        }
      }
    } catch (IOException e) {
      // The caller went away.
      LOG.debug("a caller went away", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      serving.decrementAndGet();
    }
  }

  private static Response goingDown() {
    return Response.error(503, "the server is going down").with("Retry-After", "5");
  }

  private Response reply(HttpServletRequest request) throws IOException, InterruptedException {
    try {
      return api.handle(apiRequest(request))
          .get((long) (api.limits().waitSeconds() * 1000), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Api.late();
    } catch (ExecutionException | RuntimeException e) {
      return Api.refusal(e);
    }
  }

  private Request apiRequest(HttpServletRequest request) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(
          name.toLowerCase(Locale.ROOT),
          String.join(", ", Collections.list(request.getHeaders(name))));
    }
    return new Request(
        request.getMethod(),
        RequestTarget.path(request.getRequestURI()),
        RequestTarget.query(request.getQueryString()),
        headers,
        body(request),
        request.getRemoteAddr());
  }

  private String body(HttpServletRequest request) throws IOException {
    int limit = api.limits().bodyBytes();
    InputStream stream = request.getInputStream();
    byte[] bytes;
    try {
      bytes = stream.readNBytes(limit + 1);
      if (bytes.length > limit) {
        stream.skip(DISCARDED_BYTES);
        throw api.tooLarge();
      }
    } catch (IOException e) {
      throw new BadInput("the body cannot be read: it ended early, or its chunks are wrong");
    }
    return RequestTarget.text(ByteBuffer.wrap(bytes))
        .orElseThrow(() -> new BadInput("the body is not UTF-8"));
  }

  /** Takes no more requests, lets those under way end for a while, then stops. */
  @Override
  public void close() {
    closing = true;
    history.close();
    try {
      for (int i = 0; i < CLOSING_SECONDS * 100 && serving.get() > 0; i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop();
  }
}
