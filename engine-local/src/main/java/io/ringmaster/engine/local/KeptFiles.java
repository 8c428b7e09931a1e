package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine.Kept;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is left of jobs that have ended. It is users' programs that wrote it: no link is followed.
 */
final class KeptFiles {
  private final DataFolder data;

  KeptFiles(DataFolder data) {
    this.data = data;
  }

  private List<Path> places(long job, Kept kind) {
    return switch (kind) {
      case LOGS -> List.of(data.logs(job), data.progress(job));
      case WORK -> List.of(data.work(job));
      case CHECKPOINTS -> List.of(data.checkpoints(job));
    };
  }

  Map<Kept, Long> bytes(long job) throws IOException {
    Map<Kept, Long> bytes = new EnumMap<>(Kept.class);
    for (Kept kind : Kept.values()) {
      for (Path place : places(job, kind)) {
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
          bytes.merge(kind, size(place), Long::sum);
        }
      }
    }
    return bytes;
  }

  private static long size(Path place) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Files.walkFileTree(
        place,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  /** Each place disappears at once, and its files after it. */
  void discard(long job, Set<Kept> what) throws IOException {
    for (Kept kind : what) {
      for (Path place : places(job, kind)) {
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
          Path aside = data.trash().resolve("%d-%s".formatted(job, kind.text()));
          remove(aside);
          Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
          remove(aside);
        }
      }
    }
  }

  /** Deletes a file, or a folder with all that is in it. */
  static void remove(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> folder = Files.newDirectoryStream(path)) {
        empty((SecureDirectoryStream<Path>) folder);
      }
    }
    Files.deleteIfExists(path);
  }

  /** By open folders and not by paths: what is replaced by a link meanwhile leads nowhere. */
  private static void empty(SecureDirectoryStream<Path> folder) throws IOException {
    for (Path each : folder) {
      Path name = Objects.requireNonNull(each.getFileName());
      PosixFileAttributeView view =
          folder.getFileAttributeView(
              name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view.readAttributes().isDirectory()) {
        if (!view.readAttributes()
            .permissions()
            .containsAll(PosixFilePermissions.fromString("rwx------"))) {
          view.setPermissions(PosixFilePermissions.fromString("rwx------"));
        }
        try (SecureDirectoryStream<Path> inner =
            folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
          empty(inner);
        }
        folder.deleteDirectory(name);
      } else {
        folder.deleteFile(name);
      }
    }
  }
}
