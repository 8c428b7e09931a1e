package io.ringmaster.control.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The secrets of tokens: {@code rm_} and 32 random bytes. */
public final class TokenSecrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  private TokenSecrets() {}

  public static String make() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return "rm_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * What is stored of it. One round of SHA-256 is right: slow hashes are for passwords, which can
   * be guessed; 256 random bits cannot. It is found by its hash, so no comparison tells anything by
   * the time it takes.
   */
  public static String hash(String secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
