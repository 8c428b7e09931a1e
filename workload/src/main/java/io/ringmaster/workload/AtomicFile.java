package io.ringmaster.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that appears whole or not at all: it is written aside, in the same directory, and renamed
 * by {@link #commit}. Closed without a commit, it leaves nothing behind.
 *
 * <p>A target that exists and is no regular file, such as a pipe or {@code /dev/stdout}, is written
 * straight: a rename would replace the device. A link to a file keeps being a link.
 */
public final class AtomicFile implements AutoCloseable {
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final Path shown;
  private final Path target;
  private final Path aside;
  private final OutputStream stream;
  private boolean committed;

  private AtomicFile(Path shown, Path target, Path aside, OutputStream stream) {
    this.shown = shown;
    this.target = target;
    this.aside = aside;
    this.stream = stream;
  }

  /**
   * Opens a file for writing.
   *
   * @throws UncheckedIOException with one line that names the file
   */
  public static AtomicFile create(Path file) {
    try {
      boolean exists = Files.exists(file);
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a directory");
      }
      if (exists && !Files.isRegularFile(file)) {
        return new AtomicFile(file, file, file, Files.newOutputStream(file));
      }
      Path target = exists ? file.toRealPath() : file;
      String name =
          ".%s.%d-%d.tmp"
              .formatted(
                  target.getFileName(), ProcessHandle.current().pid(), SERIAL.incrementAndGet());
      Path aside = target.resolveSibling(name);
      return new AtomicFile(
          file, target, aside, Files.newOutputStream(aside, StandardOpenOption.CREATE_NEW));
    } catch (IOException e) {
      throw failure(file.toString(), e);
    }
  }

  /** Writes a text in UTF-8. */
  public static void write(Path file, String text) {
    try (AtomicFile out = create(file)) {
      out.stream.write(text.getBytes(StandardCharsets.UTF_8));
      out.commit();
    } catch (IOException e) {
      throw failure(file.toString(), e);
    }
  }

  /** Where to write. Not buffered. */
  public OutputStream stream() {
    return stream;
  }

  /** The name that messages use. */
  public String name() {
    return shown.toString();
  }

  /** Gives the file its name. Nothing can be written after it. */
  public void commit() {
    try {
      stream.close();
      if (!aside.equals(target)) {
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
      }
      committed = true;
    } catch (IOException e) {
      throw failure(name(), e);
    }
  }

  @Override
  public void close() {
    if (committed) {
      return;
    }
    try {
      stream.close();
    } catch (IOException e) {
      // What was written is thrown away: the caller's own error is the one to show.
    }
    try {
      if (!aside.equals(target)) {
        Files.deleteIfExists(aside);
      }
    } catch (IOException e) {
      throw failure(name(), e);
    }
  }

  /** An error whose message is one line for the user: the file, and why it cannot be written. */
  static UncheckedIOException failure(String name, IOException e) {
    return new UncheckedIOException(name + ": cannot write: " + reason(e), e);
  }

  /** Why, without the path that the JDK's messages consist of. */
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "there is a file of that name";
      case FileSystemException f when f.getReason() != null -> oneLine(f.getReason());
      default -> oneLine(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    };
  }

  private static String oneLine(String text) {
    return text.lines().findFirst().orElse(text).strip();
  }
}
