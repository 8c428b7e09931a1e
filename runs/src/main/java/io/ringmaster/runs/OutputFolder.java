package io.ringmaster.runs;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that appears whole or not at all: files are written aside and the folder gets its name
 * at the end. Interrupted, it leaves nothing.
 */
public final class OutputFolder implements AutoCloseable {
  private final Path target;
  private final Path aside;
  private final boolean replace;

  /** Folders made on the way, the innermost first. */
  private final List<Path> parentsMade;

  private final Thread cleaner;
  private boolean committed;

  private OutputFolder(Path target, Path aside, boolean replace, List<Path> parentsMade) {
    this.target = target;
    this.aside = aside;
    this.replace = replace;
    this.parentsMade = parentsMade;
    this.cleaner = new Thread(this::takeBack);
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** Refuses a folder that exists, unless it may be replaced. */
  public static OutputFolder create(Path folder, boolean force) {
    Path target = folder.toAbsolutePath().normalize();
    boolean exists = Files.exists(target);
    if (exists && !Files.isDirectory(target)) {
      throw new BadInput("--out " + folder + ": is a file; expected a new folder");
    }
    if (exists && !force) {
      throw new BadInput(
          "--out " + folder + ": exists; name another folder, or replace it with --force");
    }
    Path name = target.getFileName();
    Path parent = target.getParent();
    if (name == null || parent == null) {
      throw new BadInput("--out " + folder + ": expected a new folder");
    }
    Path aside = parent.resolve("." + name + ".partial-" + ProcessHandle.current().pid());
    List<Path> parentsMade = new ArrayList<>();
    for (Path p = parent; p != null && !Files.exists(p); p = p.getParent()) {
      parentsMade.add(p);
    }
    try {
      Files.createDirectories(parent);
      Files.createDirectory(aside);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + folder + ": " + AtomicFile.reason(e), e);
    }
    return new OutputFolder(target, aside, exists, parentsMade);
  }

  /** Where to write until the folder is committed. */
  public Path path() {
    return aside;
  }

  public void commit() {
    try {
      Path old = aside.resolveSibling(aside.getFileName() + ".old");
      if (replace) {
        Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
      }
      Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
      committed = true;
      deleteQuietly(old);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target + ": " + AtomicFile.reason(e), e);
    }
  }

  @Override
  public void close() {
    if (!committed) {
      takeBack();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs by itself.
    }
  }

  private void takeBack() {
    deleteQuietly(aside);
    try {
      for (Path parent : parentsMade) {
        Files.deleteIfExists(parent);
      }
    } catch (IOException e) {
      // Somebody has put something there meanwhile: it stays.
    }
  }

  private static void deleteQuietly(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(folder)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      // Nothing depends on it: the folder has a name that nobody reads.
    }
  }
}
