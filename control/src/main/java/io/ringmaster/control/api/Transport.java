package io.ringmaster.control.api;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between HTTP and the {@link Api}. How the server is, is told at once, on the thread that read the
 * request: no other is needed, whatever the others wait for. Everything else runs on a virtual
 * thread, which may wait: first the head is judged, and only then the body is read.
 */
final class Transport extends Handler.Abstract.NonBlocking {
  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

  /** Shorter answers are not counted. */
  private static final int SHORT_BYTES = 16 << 10;

  private static final int TOO_LARGE = 413;

  private final Api api;
  private final Connections connections;
  private final EventStreams streams;
  private final Executor requests;
  private final ByteBudget budget;
  private final AtomicInteger serving = new AtomicInteger();
  private volatile boolean goesDown;

  /** One request of a connection, and where its answer goes. */
  private record Exchange(
      org.eclipse.jetty.server.Request request,
      org.eclipse.jetty.server.Response response,
      Callback callback) {

    boolean isHead() {
      return request.getMethod().equals("HEAD");
    }

    void head(Response reply) {
      response.setStatus(reply.status());
      HttpFields.Mutable headers = response.getHeaders();
      reply.headers().forEach(headers::put);
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
      headers.put("X-Content-Type-Options", "nosniff");
      if (!reply.contentType().isEmpty()) {
        headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
      }
    }

    /** The head, and the body that is yet to be written. */
    ByteBuffer begin(Response reply) {
      head(reply);
      ByteBuffer body = reply.buffer();
      if (reply.status() != 204) {
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
      }
      return isHead() ? ByteBuffer.allocate(0) : body;
    }
  }

  Transport(Api api, Connections connections, EventStreams streams, Executor requests) {
    this.api = api;
    this.connections = connections;
    this.streams = streams;
    this.requests = requests;
    this.budget = new ByteBudget(api.limits());
  }

  /** From now on nothing is begun. */
  void goDown() {
    goesDown = true;
  }

  int serving() {
    return serving.get();
  }

  @Override
  public boolean handle(
      org.eclipse.jetty.server.Request request,
      org.eclipse.jetty.server.Response response,
      Callback callback) {
    Exchange exchange = new Exchange(request, response, callback);
    Connection connection = request.getConnectionMetaData().getConnection();
    boolean regular = connections.begin(connection);
    org.eclipse.jetty.server.Request.addCompletionListener(
        request, _ -> connections.end(connection));
    @Nullable Response health = health(request);
    if (health != null || !regular) {
      Response reply = health == null ? tooMany() : health;
      response.write(true, exchange.begin(reply), callback);
      return true;
    }
    serving.incrementAndGet();
    try {
      requests.execute(() -> serve(exchange));
    } catch (RejectedExecutionException e) {
      serving.decrementAndGet();
      response.write(true, exchange.begin(goingDown()), callback);
    }
    return true;
  }

  private @Nullable Response health(org.eclipse.jetty.server.Request request) {
    String method = request.getMethod();
    return (method.equals("GET") || method.equals("HEAD"))
            && request.getHttpURI().getQuery() == null
        ? api.health(request.getHttpURI().getPath())
        : null;
  }

  private static Response tooMany() {
    return Response.error(503, "too many connections are open already; try again later")
        .with("Retry-After", "5")
        .with("Connection", "close");
  }

  private static Response goingDown() {
    return Response.error(503, "the server is going down").with("Retry-After", "5");
  }

  private void serve(Exchange exchange) {
    try {
      if (goesDown) {
        write(exchange, goingDown());
      } else {
        answer(exchange);
      }
      exchange.callback().succeeded();
    } catch (IOException e) {
      LOG.debug("a caller went away", e);
      exchange.callback().failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.callback().failed(e);
    } catch (Throwable e) {
      LOG.error("a request failed", e);
      exchange.callback().failed(e);
    } finally {
      serving.decrementAndGet();
    }
  }

  private void answer(Exchange exchange) throws IOException, InterruptedException {
    Visit visit;
    try {
      visit = api.admit(head(exchange.request()));
    } catch (BadInput e) {
      write(
          exchange, api.unreadable(address(exchange.request()), exchange.request().getMethod(), e));
      return;
    }
    try (ByteBudget.Share share = budget.share(visit.caller().user())) {
      BodyReader body =
          new BodyReader(exchange.request(), share, api.limits().number(Limit.BODY_S));
      Response reply = reply(visit, body);
      if (reply.feed() != null && !exchange.isHead()) {
        listen(exchange, reply);
        return;
      }
      if (visit.isKnown() && reply.buffer().remaining() > SHORT_BYTES) {
        try {
          share.take(reply.buffer().remaining());
        } catch (Problem e) {
          reply = e.reply();
        }
      }
      write(exchange, reply);
      if (body.isAwaited()) {
        // Jetty would wait for the rest of it.
        throw new IOException("the body did not come");
      }
    }
  }

  private Response reply(Visit visit, BodyReader body) throws InterruptedException {
    try {
      @Nullable Response refusal = visit.refusal();
      String text = "";
      if (refusal == null && visit.hasBody()) {
        try {
          text = body.text(api.limits().whole(Limit.BODY_BYTES));
        } catch (Problem | BadInput e) {
          refusal = visit.refused(Api.refusal(e));
        }
      }
      return refusal == null ? get(visit.answer(text)) : heard(refusal, visit, body);
    } catch (TimeoutException e) {
      return Api.late();
    } catch (ExecutionException e) {
      return Api.refusal(e);
    }
  }

  private Response get(CompletableFuture<Response> reply)
      throws InterruptedException, TimeoutException, ExecutionException {
    return reply.get((long) (api.limits().number(Limit.ANSWER_S) * 1e6), TimeUnit.MICROSECONDS);
  }

  /** A known caller who sends too much reads the refusal only after that. */
  private static Response heard(Response refusal, Visit visit, BodyReader body)
      throws InterruptedException {
    if (refusal.status() == TOO_LARGE && visit.isKnown()) {
      body.discard();
    }
    return refusal;
  }

  private void listen(Exchange exchange, Response reply) throws IOException, InterruptedException {
    Response.Feed feed = Objects.requireNonNull(reply.feed());
    @Nullable Response full = streams.enter(feed);
    if (full != null) {
      write(exchange, full);
      return;
    }
    try {
      exchange.head(reply);
      streams.serve(
          feed, text -> Content.Sink.write(exchange.response(), false, ByteBuffer.wrap(text)));
      Content.Sink.write(exchange.response(), true, ByteBuffer.allocate(0));
    } finally {
      streams.leave(feed);
    }
  }

  private static void write(Exchange exchange, Response reply) throws IOException {
    ByteBuffer body = exchange.begin(reply);
    Content.Sink.write(exchange.response(), true, body);
  }

  /** All but the body. */
  private static Request head(org.eclipse.jetty.server.Request request) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (HttpField field : request.getHeaders()) {
      @Nullable String value = field.getValue();
      headers.merge(
          field.getName().toLowerCase(Locale.ROOT),
          value == null ? "" : value,
          (a, b) -> a + ", " + b);
    }
    return new Request(
        request.getMethod(),
        RequestTarget.path(String.valueOf(request.getHttpURI().getPath())),
        RequestTarget.query(request.getHttpURI().getQuery()),
        headers,
        "",
        address(request));
  }

  private static String address(org.eclipse.jetty.server.Request request) {
    return String.valueOf(org.eclipse.jetty.server.Request.getRemoteAddr(request));
  }
}
