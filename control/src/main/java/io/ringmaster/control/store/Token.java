package io.ringmaster.control.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Who may ask. The secret itself is nowhere stored.
 *
 * @param id public handle
 * @param hash SHA-256 of the secret, in hex
 * @param expiresSeconds NaN: never
 */
public record Token(
    long id, String user, Role role, String hash, double createdSeconds, double expiresSeconds) {

  public static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@-]{0,63}");

  public enum Role {
    ADMIN,
    USER,
    /** The row says something that this program never wrote: it allows nothing. */
    UNKNOWN;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Role of(String text) {
      return Arrays.stream(values())
          .filter(role -> role.text().equals(text))
          .findFirst()
          .orElse(UNKNOWN);
    }
  }
}
