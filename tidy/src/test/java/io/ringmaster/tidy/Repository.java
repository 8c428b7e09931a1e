package io.ringmaster.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files a person wrote, as opposed to what a tool made.
 *
 * <p>Walks the folders rather than asking git, so that a source archive is checked the same way.
 */
final class Repository {
  static final Path ROOT =
      Path.of(System.getProperty("tidy.root", "..")).toAbsolutePath().normalize();

  private static final Set<String> MADE_BY_TOOLS = Set.of("target", "node_modules", "dist");
  private static final Set<String> HIDDEN_BUT_OURS = Set.of(".ci", ".mvn", ".github");

  private Repository() {}

  static List<Path> files() {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          ROOT,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return folder.equals(ROOT) || isOurs(name(folder))
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile()) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + ROOT, e);
    }
    files.sort(null);
    return files;
  }

  static List<Path> javaFiles() {
    return files().stream().filter(file -> name(file).endsWith(".java")).toList();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file + " as UTF-8", e);
    }
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The path as a person at the root types it. */
  static String relative(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static boolean isOurs(String folderName) {
    return folderName.startsWith(".")
        ? HIDDEN_BUT_OURS.contains(folderName)
        : !MADE_BY_TOOLS.contains(folderName);
  }
}
