package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ADMIN;

import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.control.store.Token.Role;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Tokens: make, list, remove. The server always keeps an admin. */
final class TokenRoutes {
  private static final double LONGEST_SECONDS = 1e9;

  private final ApiDependencies dependencies;
  private final Store store;
  private final Authentication authentication;

  /** Held between looking and writing, so that two calls cannot both remove the last admin. */
  private final Object changing = new Object();

  TokenRoutes(ApiDependencies dependencies, Authentication authentication) {
    this.dependencies = dependencies;
    this.store = dependencies.store();
    this.authentication = authentication;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/me", Route.Access.USER, List.of(), this::me),
        Route.read("/api/v1/tokens", ADMIN, List.of(), this::list),
        Route.write(
            "POST",
            "/api/v1/tokens",
            ADMIN,
            request -> CompletableFuture.completedFuture(make(request))),
        Route.write(
            "DELETE",
            "/api/v1/tokens/{id}",
            ADMIN,
            request -> CompletableFuture.completedFuture(remove(request))));
  }

  private Response me(RoutedRequest request) {
    Caller caller = request.caller();
    return Response.json(
        200,
        new Shapes.Self(
            caller.user(),
            caller.role().name().toLowerCase(Locale.ROOT),
            !authentication.isOpen(),
            dependencies.watched().isPresent()));
  }

  private Response list(RoutedRequest request) {
    return Response.json(
        200, new Shapes.Tokens(store.tokens().stream().map(Shapes.Token::of).toList()));
  }

  private Response make(RoutedRequest request) {
    Map<?, ?> fields = request.fields(List.of("user", "role", "expires_in_s"));
    if (!(fields.get("user") instanceof String user) || !Token.USER.matcher(user).matches()) {
      throw RoutedRequest.wrong(
          "user",
          fields.get("user"),
          "1 to 64 letters, digits, '.', '_', '-' and '@' that begin with a letter, digit or '_'");
    }
    Role role = role(fields);
    double now = dependencies.nowSeconds().getAsDouble();
    double expires = now + lifetimeSeconds(fields);
    String secret = TokenSecrets.make();
    Token token;
    synchronized (changing) {
      if (role != Role.ADMIN && authentication.isOpen()) {
        throw new Problem(
            409,
            "role: the first token must be an admin's (token add --admin): from then on, every"
                + " call needs a token");
      }
      token = store.addToken(user, role, TokenSecrets.hash(secret), now, expires);
      authentication.tokenMade();
    }
    return Response.json(201, new Shapes.NewToken(Shapes.Token.of(token), secret));
  }

  private static Role role(Map<?, ?> fields) {
    Object role = fields.get("role");
    if ("admin".equals(role)) {
      return Role.ADMIN;
    }
    if ("user".equals(role)) {
      return Role.USER;
    }
    throw RoutedRequest.wrong("role", role, "admin or user");
  }

  /** NaN: for ever. */
  private static double lifetimeSeconds(Map<?, ?> fields) {
    Object given = fields.get("expires_in_s");
    if (given == null) {
      return Double.NaN;
    }
    if (given instanceof Number number
        && number.doubleValue() > 0
        && number.doubleValue() <= LONGEST_SECONDS) {
      return number.doubleValue();
    }
    throw RoutedRequest.wrong(
        "expires_in_s", given, "a number above 0, at most %.0f".formatted(LONGEST_SECONDS));
  }

  private Response remove(RoutedRequest request) {
    request.fields(List.of());
    long id = request.id();
    synchronized (changing) {
      boolean adminsLeft =
          store.tokens().stream()
              .anyMatch(other ->
                  other.id() != id
                      && other.role() == Role.ADMIN
                      && !authentication.isExpired(other));
      boolean exists = store.tokens().stream().anyMatch(token -> token.id() == id);
      if (exists && !adminsLeft) {
        throw new Problem(
            409, "token %d is the last one of an admin: make another first".formatted(id));
      }
      if (!store.removeToken(id)) {
        throw new Problem(404, "there is no token " + id);
      }
    }
    return Response.empty(204);
  }
}
