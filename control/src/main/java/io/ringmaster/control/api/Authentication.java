package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.control.store.Token.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Tells who asks, and turns away what a browser may have been tricked into.
 *
 * <p>As long as there is no token at all, whoever asks from this machine is the operator. A page of
 * some other site could do that through a person's browser: by a form (its Origin gives it away),
 * or by a name that it made point to this machine (its Host does).
 */
final class Authentication {
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> LOOPBACK_ADDRESSES =
      Set.of("127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]");
  private static final String BEARER = "bearer ";

  /** Looking for the first token with every request would cost more than many requests. */
  private static final double LOOK_SECONDS = 1;

  private final Store store;
  private final String operator;
  private final DoubleSupplier nowSeconds;
  private volatile boolean hasTokens;

  /** When somebody last looked for tokens that another server may have made. */
  private volatile double lookedSeconds = Double.NEGATIVE_INFINITY;

  Authentication(Store store, String operator, DoubleSupplier nowSeconds) {
    this.store = store;
    this.operator = operator;
    this.nowSeconds = nowSeconds;
  }

  /** Whether nobody needs a token yet. Never again, once there was one. */
  boolean isOpen() {
    double now = nowSeconds.getAsDouble();
    if (!hasTokens && !(now - lookedSeconds < LOOK_SECONDS)) {
      hasTokens = !store.tokens().isEmpty();
      lookedSeconds = now;
    }
    return !hasTokens;
  }

  /** A token was made here: it counts at once. */
  void tokenMade() {
    hasTokens = true;
  }

  Caller identify(Request request) {
    if (isOpen()) {
      checkLocal(request);
      return new Caller(operator, Role.ADMIN);
    }
    String header = request.headers().getOrDefault("authorization", "");
    if (header.isEmpty()) {
      throw unknown("this server needs a token: send 'Authorization: Bearer TOKEN'", "");
    }
    if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      throw unknown("Authorization: expected 'Bearer TOKEN'", "invalid_request");
    }
    Optional<Token> found =
        store.tokenOfHash(TokenSecrets.hash(header.substring(BEARER.length()).strip()));
    if (found.isEmpty()) {
      throw unknown("the token is not known: it was removed, or is misspelt", "invalid_token");
    }
    Token token = found.get();
    if (isExpired(token)) {
      throw unknown(
          "the token %d of %s has expired: ask an admin for a new one"
              .formatted(token.id(), token.user()),
          "invalid_token");
    }
    return new Caller(token.user(), token.role());
  }

  boolean isExpired(Token token) {
    return token.expiresSeconds() <= nowSeconds.getAsDouble();
  }

  private static Problem unknown(String message, String error) {
    return new Problem(401, message)
        .with(
            "WWW-Authenticate",
            "Bearer realm=\"ringmaster\""
                + (error.isEmpty() ? "" : ", error=\"%s\"".formatted(error)));
  }

  private static void checkLocal(Request request) {
    if (!LOOPBACK_ADDRESSES.contains(request.from())) {
      throw new Problem(
          403, "without tokens, only callers on the server's machine are served: make a token");
    }
    String host = request.headers().get("host");
    if (host != null
        && !LOOPBACK_NAMES.contains(
            host.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]{1,5}$", ""))) {
      throw new Problem(
          421,
          "Host: '%s' is not this machine; without tokens, expected localhost, 127.0.0.1 or [::1]"
              .formatted(JobSpecs.shown(host)));
    }
  }

  /** A page of another site must not change anything. */
  static void checkOrigin(Request request) {
    String origin = request.headers().get("origin");
    if (origin != null && !sameSite(origin, request.headers().getOrDefault("host", ""))) {
      throw new Problem(
          403,
          "Origin: '%s' is another site; changes are taken from this server's own pages only"
              .formatted(JobSpecs.shown(origin)));
    }
  }

  private static boolean sameSite(String origin, String host) {
    try {
      String authority = new URI(origin).getAuthority();
      return authority != null && plain(authority).equals(plain(host));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Without the ports that browsers leave out. */
  private static String plain(String host) {
    return host.toLowerCase(Locale.ROOT).replaceFirst(":(80|443)$", "");
  }
}
