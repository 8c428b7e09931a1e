package io.ringmaster.engine.slurm.look;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers of Slurm that are kept for a while, in files for their owner alone: who may see whose
 * jobs is for Slurm to say. What cannot be kept or read is asked for again.
 *
 * @param folder made if need be
 */
public record KeptLooks(Path folder) {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private static final Pattern HEADER = Pattern.compile("([a-z]+) ([0-9]{1,9})");

  /**
   * Where a user keeps such things: {@code XDG_CACHE_HOME}, or {@code ~/.cache}. Another Slurm has
   * another folder.
   */
  public static KeptLooks ofUser(Map<String, String> environment, String home) {
    String base = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path cache = base.startsWith("/") ? Path.of(base) : Path.of(home, ".cache");
    String which =
        environment.getOrDefault("SLURM_CONF", "")
            + " "
            + environment.getOrDefault("SLURM_CLUSTERS", "");
    return new KeptLooks(
        cache.resolve("ringmaster").resolve("slurm-%08x".formatted(which.hashCode())));
  }

  /** What was kept under a name. */
  Optional<Map<String, String>> read(String name) {
    Path file = folder.resolve(name);
    try {
      // A file that others could have written is none of ours.
      boolean isOurs =
          Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
              && FILE.equals(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
      return isOurs ? parsed(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Of each text its name and length stand before it, so that it may hold anything. */
  private static Optional<Map<String, String>> parsed(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      Matcher header = HEADER.matcher(end < 0 ? "" : text.substring(at, end));
      if (!header.matches()) {
        return Optional.empty();
      }
      int from = end + 1;
      int length = Integer.parseInt(header.group(2));
      if (length > text.length() - from) {
        return Optional.empty();
      }
      values.put(header.group(1), text.substring(from, from + length));
      at = from + length + 1;
    }
    return Optional.of(values);
  }

  void write(String name, Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    values.forEach((key, value) ->
        text.append(key)
            .append(' ')
            .append(value.length())
            .append('\n')
            .append(value)
            .append('\n'));
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, FOLDER);
      Path aside =
          Files.createTempFile(folder, name, ".tmp", PosixFilePermissions.asFileAttribute(FILE));
      try {
        Files.writeString(aside, text);
        Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(aside);
      }
    } catch (IOException e) {
      // Then the next one asks again.
    }
  }
}
