package io.ringmaster.control.api;

import io.ringmaster.control.api.Route.Access;
import io.ringmaster.control.api.Route.Effect;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.control.plane.Refused;
import io.ringmaster.control.store.NotLeading;
import io.ringmaster.control.store.StoreUnavailable;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the HTTP API that is not transport: a table of routes, who may use them, limits,
 * errors. Needs no server, no thread and no clock of its own, so it also runs on virtual time.
 * {@link HttpServer} puts it on a port. docs/api.md tells its users.
 */
public final class Api {
  private static final Logger LOG = LoggerFactory.getLogger(Api.class);
  private static final Caller NOBODY = new Caller("", Role.USER);
  private static final String NO_ROUTE = "none";
  private static final String RETRY_AFTER = "Retry-After";

  private final ApiDependencies dependencies;
  private final Authentication authentication;
  private final RateLimiter users;
  private final RateLimiter anonymous;
  private final Health health;
  private final List<Route> routes = new ArrayList<>();

  /** A route that fits a path, and the path's open segments. */
  private record Match(Route route, Map<String, String> variables) {}

  public Api(ApiDependencies dependencies) {
    this.dependencies = dependencies;
    this.authentication =
        new Authentication(
            dependencies.store(), dependencies.site().operator(), dependencies.nowSeconds());
    Limits limits = dependencies.limits();
    this.users =
        new RateLimiter(limits.number(Limit.REQUESTS_PER_SECOND), dependencies.nowSeconds());
    this.anonymous =
        new RateLimiter(
            limits.number(Limit.ANONYMOUS_REQUESTS_PER_SECOND), dependencies.nowSeconds());
    this.health = new Health(() -> dependencies.inbox().health(), limits);
    FileReads files = new FileReads(limits);
    routes.addAll(new JobRoutes(dependencies, authentication, files).routes());
    routes.addAll(new ClusterRoutes(dependencies).routes());
    routes.addAll(new WatchRoutes(dependencies).routes());
    routes.addAll(new MeasuredRoutes(dependencies).routes());
    routes.addAll(new PastRoutes(dependencies).routes());
    routes.addAll(new UserRoutes(dependencies).routes());
    routes.addAll(new TokenRoutes(dependencies, authentication).routes());
    routes.addAll(new ProgressRoutes(dependencies, files).routes());
    routes.addAll(new CleanupRoutes(dependencies).routes());
    routes.addAll(new ServerRoutes(dependencies, health).routes());
    routes.addAll(PageRoutes.routes());
    if (dependencies.watched().isPresent()) {
      routes.removeIf(route -> !WatchRoutes.KEPT.contains(route.path()));
    }
  }

  List<Route> routes() {
    return List.copyOf(routes);
  }

  Limits limits() {
    return dependencies.limits();
  }

  /** Whether no token exists: whoever reaches the server is its admin. */
  boolean isOpen() {
    return authentication.isOpen();
  }

  /** How the server is, if a path asks for that; null if not. Waits for nothing. */
  @Nullable Response health(@Nullable String path) {
    @Nullable Response reply =
        switch (path) {
          case Health.ALIVE -> health.alive();
          case Health.READY -> health.ready();
          case null, default -> null;
        };
    if (reply != null) {
      dependencies.metrics().answered(String.valueOf(path), "GET", reply.status(), 0);
    }
    return reply;
  }

  /** Answers a request that is there as a whole. */
  public CompletableFuture<Response> handle(Request request) {
    return admit(request).answer(request.body());
  }

  /** Judges by the head alone: nothing of a body needs to have come. */
  Visit admit(Request head) {
    double began = dependencies.nowSeconds().getAsDouble();
    List<Match> matches = matches(head.path());
    String route = matches.isEmpty() ? NO_ROUTE : matches.getFirst().route().path();
    Function<Response, Response> counted =
        answer -> {
          dependencies
              .metrics()
              .answered(
                  route,
                  head.method(),
                  answer.status(),
                  dependencies.nowSeconds().getAsDouble() - began);
          return answer;
        };
    boolean hasBody = announcedBytes(head) > 0;
    Caller caller = NOBODY;
    try {
      @Nullable Match match = find(matches, head.method());
      caller = caller(head, match == null ? null : match.route());
      if (match == null) {
        return Visit.over(caller, hasBody, unroutable(head, matches), counted);
      }
      check(head, match.route(), caller);
      Caller known = caller;
      return Visit.admitted(
          caller,
          hasBody,
          body ->
              match
                  .route()
                  .handler()
                  .answer(new RoutedRequest(head.with(body), known, match.variables())),
          counted);
    } catch (RuntimeException e) {
      return Visit.over(caller, hasBody, refusal(e), counted);
    }
  }

  /** Refuses what has no path that could be read. It counts like any other request. */
  Response unreadable(String from, String method, BadInput why) {
    Response reply;
    try {
      anonymous.take(from);
      reply = refusal(why);
    } catch (Problem e) {
      reply = e.reply();
    }
    dependencies.metrics().answered(NO_ROUTE, method, reply.status(), 0);
    return reply;
  }

  private Response unroutable(Request request, List<Match> matches) {
    if (matches.isEmpty()) {
      return Response.error(
          404,
          "there is no '%s'; %s"
              .formatted(
                  JobSpecs.shown(request.path()),
                  dependencies.watched().isPresent()
                      ? "this server only looks at a queue and changes nothing: GET /api/v1/queue"
                      : "GET /api/v1/openapi.yaml lists what there is"));
    }
    if (request.method().equals("OPTIONS")) {
      return Response.empty(204).with("Allow", allowed(matches));
    }
    return Response.error(
            405,
            "%s of %s is not possible; possible: %s"
                .formatted(
                    JobSpecs.shown(request.method()),
                    matches.getFirst().route().path(),
                    allowed(matches)))
        .with("Allow", allowed(matches));
  }

  /** Whoever shows a token that holds is counted by name, others by their address. */
  private Caller caller(Request request, @Nullable Route route) {
    boolean needed = route != null && route.access() != Access.ANYBODY;
    if (!needed && !request.headers().containsKey("authorization")) {
      anonymous.take(request.from());
      return NOBODY;
    }
    Caller caller;
    try {
      caller = authentication.identify(request, () -> anonymous.check(request.from()));
    } catch (Problem e) {
      anonymous.take(request.from());
      if (needed) {
        throw e;
      }
      return NOBODY;
    }
    users.take(caller.user());
    return caller;
  }

  private void check(Request request, Route route, Caller caller) {
    if (route.effect() == Effect.WRITES) {
      Authentication.checkOrigin(request);
    }
    if (route.access() == Access.ADMIN && !caller.isAdmin()) {
      throw new Problem(
          403,
          "%s %s is for admins; the token is one of user %s"
              .formatted(route.method(), route.path(), caller.user()));
    }
    route.checkParameters(request.query());
    checkBody(request, route);
    if (route.effect() == Effect.WRITES) {
      PlaneHealth plane = dependencies.inbox().health();
      if (!plane.leads()) {
        throw new Problem(503, "this server stands by and takes no changes: ask the one that leads")
            .with(RETRY_AFTER, "1");
      }
    }
  }

  private void checkBody(Request request, Route route) {
    long bytes = announcedBytes(request);
    if (bytes == 0) {
      return;
    }
    if (route.effect() == Effect.READS) {
      throw new Problem(400, "%s %s takes no body".formatted(route.method(), route.path()));
    }
    if (bytes > dependencies.limits().bytes(Limit.BODY_BYTES)) {
      throw new Problem(
          413,
          "the body is larger than %d bytes"
              .formatted(dependencies.limits().bytes(Limit.BODY_BYTES)));
    }
    String type = request.headers().getOrDefault("content-type", "");
    if (!type.toLowerCase(Locale.ROOT)
        .matches("application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?")) {
      throw new Problem(
          415,
          "Content-Type: '%s' is not application/json in UTF-8".formatted(JobSpecs.shown(type)));
    }
  }

  /** How long a body is, as far as the head tells: 0 if there is none, 1 if it does not say. */
  private static long announcedBytes(Request request) {
    String length = request.headers().getOrDefault("content-length", "");
    if (length.matches("[0-9]{1,18}")) {
      return Math.max(Long.parseLong(length), request.body().length());
    }
    return Math.max(
        request.headers().containsKey("transfer-encoding") ? 1 : 0, request.body().length());
  }

  private List<Match> matches(String path) {
    List<Match> matches = new ArrayList<>();
    for (Route route : routes) {
      @Nullable Map<String, String> variables = route.match(path);
      if (variables != null) {
        matches.add(new Match(route, variables));
      }
    }
    return matches;
  }

  private static @Nullable Match find(List<Match> matches, String method) {
    String wanted = method.equals("HEAD") ? "GET" : method;
    for (Match match : matches) {
      if (match.route().method().equals(wanted)) {
        return match;
      }
    }
    return null;
  }

  private static String allowed(List<Match> matches) {
    Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
    for (Match match : matches) {
      methods.add(match.route().method());
      if (match.route().method().equals("GET")) {
        methods.add("HEAD");
      }
    }
    return String.join(", ", methods);
  }

  /** The plane did not answer in time: what became of the request is not known. */
  static Response late() {
    return Response.error(503, "the plane did not answer in time; ask again before you repeat it")
        .with(RETRY_AFTER, "5");
  }

  static Response refusal(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      cause = Objects.requireNonNull(cause.getCause());
    }
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case Problem problem -> problem.reply();
      case BadInput bad -> Response.error(400, message);
      case Refused refused ->
          switch (refused.kind()) {
            case NOT_FOUND -> Response.error(404, message);
            case CONFLICT -> Response.error(409, message);
            case FORBIDDEN -> Response.error(403, message);
            case TOO_MANY -> Response.error(429, message).with(RETRY_AFTER, "60");
            case NOT_LEADING -> Response.error(503, message).with(RETRY_AFTER, "1");
          };
      case StoreUnavailable unavailable -> {
        LOG.warn("a request failed: {}", message);
        yield Response.error(503, "the store cannot be reached now; try again later")
            .with(RETRY_AFTER, "5");
      }
      case NotLeading other -> Response.error(503, message).with(RETRY_AFTER, "1");
      default -> {
        LOG.error("a request failed", cause);
        yield Response.error(500, "the server failed to answer; its log says more");
      }
    };
  }
}
