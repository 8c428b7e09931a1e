package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.StoreUnavailable;
import io.ringmaster.control.store.Token;
import io.ringmaster.control.store.Token.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

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

  private static final int MOST_KNOWN = 10_000;

  private final Store store;
  private final String operator;
  private final DoubleSupplier nowSeconds;
  private volatile boolean hasTokens;

  /** Hashes of tokens that were shown and held, the last ones. */
  private final Set<String> known =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MOST_KNOWN;
                }
              }));

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

  /**
   * Who asks.
   *
   * @param stranger told before a secret is looked up that was never known: it may refuse, so that
   *     guessing costs nothing
   * @throws Problem if that is not known
   */
  Caller identify(Request request, Runnable stranger) {
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
    String hash = TokenSecrets.hash(header.substring(BEARER.length()).strip());
    if (!known.contains(hash)) {
      stranger.run();
    }
    Optional<Token> found = store.tokenOfHash(hash);
    if (found.isEmpty()) {
      known.remove(hash);
      throw unknown("the token is not known: it was removed, or is misspelt", "invalid_token");
    }
    Token token = found.get();
    if (isExpired(token)) {
      throw unknown(
          "the token %d of %s has expired: ask an admin for a new one"
              .formatted(token.id(), token.user()),
          "invalid_token");
    }
    known.add(hash);
    return new Caller(token.user(), token.role());
  }

  /** Why a caller who was let in would not be now, in words; null: it still would. */
  @Nullable String whyOver(Request request, Caller caller) {
    try {
      return identify(request, () -> {}).equals(caller)
          ? null
          : "the token is one of another user or role by now: come again";
    } catch (Problem e) {
      return e.getMessage();
    } catch (StoreUnavailable e) {
      // Nobody can tell. There is nothing to hear either.
      return null;
    }
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
