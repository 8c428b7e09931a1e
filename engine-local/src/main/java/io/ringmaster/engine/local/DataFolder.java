package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Where everything is, and how files are written so that a cut leaves the old or the new one. */
final class DataFolder implements AutoCloseable {
  private static final String SCRIPT = "supervise.sh";

  private final Path root;
  private final FileChannel lock;

  /**
   * Makes the folder what it must be, and takes it: two servers at one folder would each tell half
   * the truth.
   */
  DataFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
    root = folder.toRealPath();
    lock =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!isTaken(lock)) {
        throw new IOException(root + ": another server uses this folder");
      }
      // Descriptions of attempts hold what users put into their jobs' environment.
      makePrivate(attempts());
      for (Path path : List.of(events(), trash(), checkpoints(), progress(), work(), logs())) {
        Files.createDirectories(path);
      }
      for (Path old : list(trash())) {
        deleteAll(old);
      }
      try (InputStream script =
          Objects.requireNonNull(DataFolder.class.getResourceAsStream(SCRIPT))) {
        write(root.resolve(SCRIPT), new String(script.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static void makePrivate(Path path) throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  Path root() {
    return root;
  }

  Path script() {
    return root.resolve(SCRIPT);
  }

  Path attempts() {
    return root.resolve("attempts");
  }

  /** Supervisors leave a file here when something happened: one folder to watch for all. */
  Path events() {
    return root.resolve("events");
  }

  private Path trash() {
    return root.resolve("trash");
  }

  private Path checkpoints() {
    return root.resolve("checkpoints");
  }

  Path checkpoints(long job) {
    return checkpoints().resolve(Long.toString(job));
  }

  Path progress() {
    return root.resolve("progress");
  }

  Path progress(long job) {
    return progress().resolve(Long.toString(job));
  }

  private Path work() {
    return root.resolve("work");
  }

  Path work(long job) {
    return work().resolve(Long.toString(job));
  }

  private Path logs() {
    return root.resolve("logs");
  }

  Path logs(AttemptId attempt) {
    return logs()
        .resolve(Long.toString(attempt.job()))
        .resolve(Integer.toString(attempt.attempt()));
  }

  Path log(AttemptId attempt, int rank, Engine.Stream stream) {
    return logs(attempt).resolve(rank + (stream == Engine.Stream.STDOUT ? ".out" : ".err"));
  }

  /** Where an attempt's part of its job's progress begins: one file serves all its attempts. */
  private Path progressMark(AttemptId attempt) {
    return logs(attempt).resolve("progress");
  }

  /** What is appended to the progress of a job from now on is this attempt's. */
  void markProgress(AttemptId attempt) throws IOException {
    Path file = progress(attempt.job());
    long size = Files.exists(file) ? Files.size(file) : 0;
    Files.writeString(progressMark(attempt), size + "\n");
  }

  /** What an attempt appended to the progress of its job. */
  InputStream openProgress(AttemptId attempt, long fromByte) throws IOException {
    long begin = mark(progressMark(attempt));
    long end = Long.MAX_VALUE;
    for (Path folder : list(Objects.requireNonNull(logs(attempt).getParent()))) {
      int other = Integer.parseInt(String.valueOf(folder.getFileName()));
      if (other > attempt.attempt()) {
        Path mark = progressMark(new AttemptId(attempt.job(), other));
        end = Files.exists(mark) ? Math.min(end, mark(mark)) : end;
      }
    }
    Path file = progress(attempt.job());
    return Files.exists(file)
        ? LogStream.open(file, begin + Math.clamp(fromByte, 0L, Long.MAX_VALUE - begin), end)
        : InputStream.nullInputStream();
  }

  private static long mark(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }

  /** The greatest order of a forget that was carried out. */
  long forgotten() throws IOException {
    try {
      return Long.parseLong(Files.readString(root.resolve("forgotten")).strip());
    } catch (NoSuchFileException e) {
      return Long.MIN_VALUE;
    }
  }

  void forgotten(long order) throws IOException {
    write(root.resolve("forgotten"), order + "\n");
  }

  /** Makes a folder disappear at once, and its files after it. */
  void discard(Path folder) throws IOException {
    Path aside = trash().resolve(String.valueOf(folder.getFileName()));
    deleteAll(aside);
    Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
    try {
      deleteAll(aside);
    } catch (DirectoryNotEmptyException e) {
      // A supervisor that came too late is just leaving: the next server clears it away.
    }
  }

  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes a file that is there whole or not at all, also after a power cut. */
  static void write(Path file, String text) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            aside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    syncNames(Objects.requireNonNull(file.getParent()));
  }

  /** Makes the names in a folder last. */
  static void syncNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static void deleteAll(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
