package io.ringmaster.control.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which file or folder a path led to at some moment. One that was deleted or replaced is still
 * there for whoever has it open, and for nobody else: what is written to it is lost.
 */
public final class FileIdentity {
  private final Path path;
  private final @Nullable Object key;

  private FileIdentity(Path path, @Nullable Object key) {
    this.path = path;
    this.key = key;
  }

  public static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, key(path));
  }

  /** Whether the path leads there still. */
  public boolean isThere() {
    try {
      return Objects.equals(key, key(path));
    } catch (IOException e) {
      return false;
    }
  }

  public Path path() {
    return path;
  }

  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }
}
