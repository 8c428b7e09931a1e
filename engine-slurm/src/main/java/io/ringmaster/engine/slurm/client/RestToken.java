package io.ringmaster.engine.slurm.client;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JWT that slurmrestd knows its caller by. What it says of itself is shown to people, and not
 * trusted: slurmrestd checks it.
 *
 * @param user whose it is; empty: it does not say
 * @param expires null: it does not say
 */
record RestToken(String text, String user, @Nullable Instant expires) {
  private static final Pattern SHAPE = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]*");
  private static final long MOST_BYTES = 64 * 1024;

  /** What is in a file, as {@code scontrol token} printed it, or the token alone. */
  static RestToken read(Path file) throws IOException {
    String hint = "; write one with: scontrol token lifespan=86400 >" + file;
    if (!Files.isRegularFile(file)) {
      throw new IOException("there is no token in %s%s".formatted(file, hint));
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("%s is too long for a token%s".formatted(file, hint));
    }
    String text = Files.readString(file).strip().replaceFirst("^SLURM_JWT=", "");
    if (!SHAPE.matcher(text).matches()) {
      throw new IOException("%s does not hold a token%s".formatted(file, hint));
    }
    return of(text);
  }

  static RestToken of(String text) {
    try {
      byte[] said = Base64.getUrlDecoder().decode(text.split("\\.", -1)[1]);
      if (Json.parse(new String(said, StandardCharsets.UTF_8)) instanceof Map<?, ?> claims) {
        String user = claims.get("sun") instanceof String name ? name : "";
        boolean isName = user.matches("[\\w.@-]{1,256}");
        @Nullable Instant expires =
            claims.get("exp") instanceof Number seconds
                ? Instant.ofEpochSecond(seconds.longValue())
                : null;
        return new RestToken(text, isName ? user : "", expires);
      }
    } catch (IllegalArgumentException | BadInput e) {
      // Then it says nothing, and slurmrestd may know what it is.
    }
    return new RestToken(text, "", null);
  }

  boolean isExpired(Instant now) {
    return expires != null && !expires.isAfter(now);
  }

  /** Why it may have been refused. */
  String whyRefused(Instant now) {
    return isExpired(now)
        ? "it expired at " + expires
        : "its key is not that of slurmctld's AuthAltParameters, or Slurm does not know its user"
            + (user.isEmpty() ? "" : " " + user);
  }
}
