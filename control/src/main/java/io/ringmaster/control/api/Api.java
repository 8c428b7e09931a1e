package io.ringmaster.control.api;

import io.ringmaster.control.api.Route.Access;
import io.ringmaster.control.api.Route.Effect;
import io.ringmaster.control.job.JobSpecs;
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
  private final RateLimiter rateLimiter;
  private final List<Route> routes = new ArrayList<>();

  /** A route that fits a path, and the path's open segments. */
  private record Match(Route route, Map<String, String> variables) {}

  public Api(ApiDependencies dependencies) {
    this.dependencies = dependencies;
    this.authentication =
        new Authentication(
            dependencies.store(), dependencies.site().operator(), dependencies.nowSeconds());
    this.rateLimiter = new RateLimiter(dependencies.limits(), dependencies.nowSeconds());
    routes.addAll(new JobRoutes(dependencies).routes());
    routes.addAll(new ClusterRoutes(dependencies).routes());
    routes.addAll(new MeasuredRoutes(dependencies).routes());
    routes.addAll(new TokenRoutes(dependencies, authentication).routes());
    routes.addAll(new ProgressRoutes(dependencies).routes());
    routes.addAll(new ServerRoutes(dependencies).routes());
    routes.addAll(PageRoutes.routes());
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

  /** Answers. Never fails: what goes wrong is an answer too. */
  public CompletableFuture<Response> handle(Request request) {
    double began = dependencies.nowSeconds().getAsDouble();
    List<Match> matches = matches(request.path());
    CompletableFuture<Response> reply;
    try {
      reply = answer(request, matches);
    } catch (RuntimeException e) {
      reply = CompletableFuture.completedFuture(refusal(e));
    }
    String route = matches.isEmpty() ? NO_ROUTE : matches.getFirst().route().path();
    return reply
        .exceptionally(Api::refusal)
        .thenApply(answer -> {
          dependencies
              .metrics()
              .answered(
                  route,
                  request.method(),
                  answer.status(),
                  dependencies.nowSeconds().getAsDouble() - began);
          return answer;
        });
  }

  private CompletableFuture<Response> answer(Request request, List<Match> matches) {
    if (matches.isEmpty()) {
      throw new Problem(
          404,
          "there is no '%s'; GET /api/v1/openapi.yaml lists what there is"
              .formatted(JobSpecs.shown(request.path())));
    }
    if (request.method().equals("OPTIONS")) {
      return CompletableFuture.completedFuture(Response.empty(204).with("Allow", allowed(matches)));
    }
    @Nullable Match match = find(matches, request.method());
    if (match == null) {
      throw new Problem(
              405,
              "%s of %s is not possible; possible: %s"
                  .formatted(
                      JobSpecs.shown(request.method()),
                      matches.getFirst().route().path(),
                      allowed(matches)))
          .with("Allow", allowed(matches));
    }
    Route route = match.route();
    if (route.effect() == Effect.WRITES) {
      Authentication.checkOrigin(request);
    }
    Caller caller = caller(request, route);
    route.checkParameters(request.query());
    checkBody(request, route);
    if (route.effect() == Effect.WRITES && !dependencies.leading().getAsBoolean()) {
      throw new Problem(503, "this server stands by and takes no changes: ask the one that leads")
          .with(RETRY_AFTER, "1");
    }
    return route.handler().answer(new RoutedRequest(request, caller, match.variables()));
  }

  private Caller caller(Request request, Route route) {
    if (route.access() == Access.ANYBODY) {
      rateLimiter.take("from " + request.from());
      return NOBODY;
    }
    Caller caller;
    try {
      caller = authentication.identify(request);
    } catch (Problem e) {
      rateLimiter.take("from " + request.from());
      throw e;
    }
    rateLimiter.take("user " + caller.user());
    if (route.access() == Access.ADMIN && !caller.isAdmin()) {
      throw new Problem(
          403,
          "%s %s is for admins; the token is one of user %s"
              .formatted(route.method(), route.path(), caller.user()));
    }
    return caller;
  }

  private void checkBody(Request request, Route route) {
    if (request.body().isEmpty()) {
      return;
    }
    if (route.effect() == Effect.READS) {
      throw new Problem(400, "%s %s takes no body".formatted(route.method(), route.path()));
    }
    if (request.body().length() > dependencies.limits().bodyBytes()) {
      throw tooLarge();
    }
    String type = request.headers().getOrDefault("content-type", "");
    if (!type.toLowerCase(Locale.ROOT)
        .matches("application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?")) {
      throw new Problem(
          415,
          "Content-Type: '%s' is not application/json in UTF-8".formatted(JobSpecs.shown(type)));
    }
  }

  Problem tooLarge() {
    return new Problem(
        413, "the body is larger than %d bytes".formatted(dependencies.limits().bodyBytes()));
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
