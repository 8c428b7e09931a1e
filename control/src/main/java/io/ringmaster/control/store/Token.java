package io.ringmaster.control.store;

/**
 * Who may ask. The secret itself is nowhere stored.
 *
 * @param id public handle
 * @param hash SHA-256 of the secret, in hex
 * @param expiresSeconds NaN: never
 */
public record Token(
    long id, String user, Role role, String hash, double createdSeconds, double expiresSeconds) {

  /** What a token allows. */
  public enum Role {
    ADMIN,
    USER
  }
}
