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
 * {@link Door} puts it on a port. docs/api.md tells its users.
 */
public final class Api {
  private static final Logger LOG = LoggerFactory.getLogger(Api.class);
  private static final Caller NOBODY = new Caller("", Role.USER);
  private static final String NO_ROUTE = "none";
  private static final String RETRY_AFTER = "Retry-After";

  private final Wiring wiring;
  private final Guard guard;
  private final Rates rates;
  private final List<Route> routes = new ArrayList<>();

  /** A route that fits a path, and the path's open segments. */
  private record Match(Route route, Map<String, String> variables) {}

  public Api(Wiring wiring) {
    this.wiring = wiring;
    this.guard = new Guard(wiring.store(), wiring.site().operator(), wiring.nowSeconds());
    this.rates = new Rates(wiring.limits(), wiring.nowSeconds());
    routes.addAll(new JobRoutes(wiring).routes());
    routes.addAll(new ClusterRoutes(wiring).routes());
    routes.addAll(new TokenRoutes(wiring, guard).routes());
    routes.addAll(new ProgressRoutes(wiring).routes());
    routes.addAll(new ServerRoutes(wiring).routes());
    routes.addAll(PageRoutes.routes());
  }

  List<Route> routes() {
    return List.copyOf(routes);
  }

  Limits limits() {
    return wiring.limits();
  }

  /** Whether no token exists: whoever reaches the server is its admin. */
  boolean isOpen() {
    return guard.isOpen();
  }

  /** Answers. Never fails: what goes wrong is an answer too. */
  public CompletableFuture<Reply> handle(Call call) {
    double began = wiring.nowSeconds().getAsDouble();
    List<Match> matches = matches(call.path());
    CompletableFuture<Reply> reply;
    try {
      reply = answer(call, matches);
    } catch (RuntimeException e) {
      reply = CompletableFuture.completedFuture(refusal(e));
    }
    String route = matches.isEmpty() ? NO_ROUTE : matches.getFirst().route().path();
    return reply
        .exceptionally(Api::refusal)
        .thenApply(answer -> {
          wiring
              .metrics()
              .answered(
                  route, call.method(), answer.status(), wiring.nowSeconds().getAsDouble() - began);
          return answer;
        });
  }

  private CompletableFuture<Reply> answer(Call call, List<Match> matches) {
    if (matches.isEmpty()) {
      throw new Problem(
          404,
          "there is no '%s'; GET /api/v1/openapi.yaml lists what there is"
              .formatted(JobSpecs.shown(call.path())));
    }
    if (call.method().equals("OPTIONS")) {
      return CompletableFuture.completedFuture(Reply.empty(204).with("Allow", allowed(matches)));
    }
    @Nullable Match match = find(matches, call.method());
    if (match == null) {
      throw new Problem(
              405,
              "%s of %s is not possible; possible: %s"
                  .formatted(
                      JobSpecs.shown(call.method()),
                      matches.getFirst().route().path(),
                      allowed(matches)))
          .with("Allow", allowed(matches));
    }
    Route route = match.route();
    if (route.effect() == Effect.WRITES) {
      Guard.checkOrigin(call);
    }
    Caller caller = caller(call, route);
    route.checkParameters(call.query());
    checkBody(call, route);
    if (route.effect() == Effect.WRITES && !wiring.leading().getAsBoolean()) {
      throw new Problem(503, "this server stands by and takes no changes: ask the one that leads")
          .with(RETRY_AFTER, "1");
    }
    return route.handler().answer(new Asked(call, caller, match.variables()));
  }

  private Caller caller(Call call, Route route) {
    if (route.access() == Access.ANYBODY) {
      rates.take("from " + call.from());
      return NOBODY;
    }
    Caller caller;
    try {
      caller = guard.identify(call);
    } catch (Problem e) {
      rates.take("from " + call.from());
      throw e;
    }
    rates.take("user " + caller.user());
    if (route.access() == Access.ADMIN && !caller.isAdmin()) {
      throw new Problem(
          403,
          "%s %s is for admins; the token is one of user %s"
              .formatted(route.method(), route.path(), caller.user()));
    }
    return caller;
  }

  private void checkBody(Call call, Route route) {
    if (call.body().isEmpty()) {
      return;
    }
    if (route.effect() == Effect.READS) {
      throw new Problem(400, "%s %s takes no body".formatted(route.method(), route.path()));
    }
    if (call.body().length() > wiring.limits().bodyBytes()) {
      throw tooLarge();
    }
    String type = call.headers().getOrDefault("content-type", "");
    if (!type.toLowerCase(Locale.ROOT)
        .matches("application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?")) {
      throw new Problem(
          415,
          "Content-Type: '%s' is not application/json in UTF-8".formatted(JobSpecs.shown(type)));
    }
  }

  Problem tooLarge() {
    return new Problem(
        413, "the body is larger than %d bytes".formatted(wiring.limits().bodyBytes()));
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
  static Reply late() {
    return Reply.error(503, "the plane did not answer in time; ask again before you repeat it")
        .with(RETRY_AFTER, "5");
  }

  static Reply refusal(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      cause = Objects.requireNonNull(cause.getCause());
    }
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case Problem problem -> problem.reply();
      case BadInput bad -> Reply.error(400, message);
      case Refused refused ->
          switch (refused.kind()) {
            case NOT_FOUND -> Reply.error(404, message);
            case CONFLICT -> Reply.error(409, message);
            case NOT_LEADING -> Reply.error(503, message).with(RETRY_AFTER, "1");
          };
      case StoreUnavailable unavailable -> {
        LOG.warn("a request failed: {}", message);
        yield Reply.error(503, "the store cannot be reached now; try again later")
            .with(RETRY_AFTER, "5");
      }
      case NotLeading other -> Reply.error(503, message).with(RETRY_AFTER, "1");
      default -> {
        LOG.error("a request failed", cause);
        yield Reply.error(500, "the server failed to answer; its log says more");
      }
    };
  }
}
