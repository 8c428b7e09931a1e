package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the engine keeps things. For jobs that are submitted to the plane it must be at the same
 * path on all nodes; people's own jobs need nothing of it.
 */
final class PartitionFolder implements AutoCloseable {
  private static final Pattern DONE = Pattern.compile("\"done\"\\s*:\\s*([0-9.eE+-]+)");
  private static final int TAIL_BYTES = 1 << 16;

  /** In the folder of an attempt that was asked to stop. */
  static final String STOP = "stop";

  /** With the number of a worker behind it, a file that says that it ended well. */
  static final String WELL = "well.";

  private final Path folder;
  private final @Nullable FileChannel lockFile;

  private PartitionFolder(Path folder, @Nullable FileChannel lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  /** Opens it for one who is alone there. */
  static PartitionFolder open(Path folder) throws IOException {
    for (String name : List.of("attempts", "arrivals", "logs", "progress", "checkpoints", "work")) {
      Files.createDirectories(folder.resolve(name));
    }
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new PartitionFolder(folder.toRealPath(), channel);
      }
    } catch (OverlappingFileLockException e) {
      // Another of this process.
    }
    channel.close();
    throw new BadInput("%s is in use by another server; stop that one first".formatted(folder));
  }

  static void put(Path file, String text) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            aside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What no other folder is called: jobs in Slurm are marked with it. */
  String name() {
    return Integer.toUnsignedString(folder.toString().hashCode(), 36);
  }

  Path attempt(AttemptId attempt) {
    return folder.resolve("attempts").resolve(attempt.text());
  }

  Path logs(AttemptId attempt) {
    return folder.resolve("logs/" + attempt.job() + "/" + attempt.attempt());
  }

  Path progress(AttemptId attempt) {
    return folder.resolve("progress/" + attempt.text());
  }

  Path checkpoints(long job) {
    return folder.resolve("checkpoints/" + job);
  }

  Path work(long job) {
    return folder.resolve("work/" + job);
  }

  void save(AttemptRecord record) throws IOException {
    Files.createDirectories(attempt(record.attempt));
    record.write(attempt(record.attempt).resolve("record"));
  }

  Map<AttemptId, AttemptRecord> load() throws IOException {
    Map<AttemptId, AttemptRecord> records =
        new TreeMap<>(
            Comparator.comparingLong(AttemptId::job).thenComparingInt(AttemptId::attempt));
    for (Path path : list(folder.resolve("attempts"))) {
      Path file = path.resolve("record");
      if (path.getFileName().toString().matches("\\d{1,18}\\.\\d{1,9}") && Files.exists(file)) {
        AttemptId id = AttemptId.of(path.getFileName().toString());
        records.put(id, AttemptRecord.read(id, file));
      }
    }
    return records;
  }

  private static List<Path> list(Path path) throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.toList();
    }
  }

  void remove(AttemptId attempt) throws IOException {
    Path path = attempt(attempt);
    // The record first: what is left without one is nothing.
    Files.deleteIfExists(path.resolve("record"));
    if (Files.isDirectory(path)) {
      for (Path each : list(path)) {
        Files.deleteIfExists(each);
      }
      Files.deleteIfExists(path);
    }
  }

  long forgotten() throws IOException {
    Path file = folder.resolve("forgotten");
    return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : Long.MIN_VALUE;
  }

  void forgotten(long order) throws IOException {
    put(folder.resolve("forgotten"), order + "\n");
  }

  /** The id and request of a job of somebody's that was launched, by what Slurm calls it. */
  Map<String, String> arrivals() throws IOException {
    Map<String, String> known = new TreeMap<>();
    for (Path path : list(folder.resolve("arrivals"))) {
      if (!path.toString().endsWith(".new")) {
        known.put(path.getFileName().toString(), Files.readString(path).strip());
      }
    }
    return known;
  }

  void saveArrival(String address, String id) throws IOException {
    put(folder.resolve("arrivals").resolve(address), id + "\n");
  }

  void removeArrival(String address) throws IOException {
    Files.deleteIfExists(folder.resolve("arrivals").resolve(address));
  }

  /**
   * Takes the one right to start an attempt's processes from its script, which takes it by making a
   * folder of this name. Whether it never began, and now never will.
   */
  boolean keepsFromBeginning(AttemptId attempt) throws IOException {
    Path claim = attempt(attempt).resolve("claim");
    try {
      Files.createFile(claim);
      return true;
    } catch (FileAlreadyExistsException e) {
      return !Files.isDirectory(claim, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Whether its script has begun. */
  boolean hasBegun(AttemptId attempt) {
    return Files.isDirectory(attempt(attempt).resolve("claim"), LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether it was kept from beginning. */
  boolean neverBegins(AttemptId attempt) {
    return Files.isRegularFile(attempt(attempt).resolve("claim"), LinkOption.NOFOLLOW_LINKS);
  }

  /** Tells workers that have not begun yet that they are not to. */
  void askToStop(AttemptId attempt) throws IOException {
    put(attempt(attempt).resolve(STOP), "");
  }

  /**
   * How the workers of an attempt ended; null: they have not, as far as is known. The script says
   * so when all are over. If it was killed before, the workers that ended well said so themselves.
   */
  @Nullable Integer result(AttemptRecord record) {
    Path path = attempt(record.attempt);
    try {
      return Integer.valueOf(Files.readString(path.resolve("result")).strip());
    } catch (IOException | NumberFormatException e) {
      int workers = record.allocation == null ? 0 : record.allocation.workers();
      boolean allEndedWell =
          workers > 0
              && IntStream.range(0, workers)
                  .allMatch(rank -> Files.exists(path.resolve(WELL + rank)));
      return allEndedWell ? 0 : null;
    }
  }

  /** Whether the programs of all workers were started: each has a log from then on. */
  boolean haveAllBegun(AttemptRecord record) {
    int workers = record.allocation == null ? 0 : record.allocation.workers();
    return IntStream.range(0, workers)
        .allMatch(rank -> Files.exists(logs(record.attempt).resolve(rank + ".out")));
  }

  /** Whether a worker failed by itself. */
  boolean hasFailed(AttemptId attempt) {
    return Files.exists(attempt(attempt).resolve("first"), LinkOption.NOFOLLOW_LINKS);
  }

  boolean hasSaved(long job) {
    try (Stream<Path> all = Files.list(checkpoints(job))) {
      return all.findAny().isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** What an attempt said last of how much is done; NaN: nothing. */
  double doneShare(AttemptId attempt) {
    Path file = progress(attempt);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Double.NaN;
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) Math.min(TAIL_BYTES, in.length() - from)];
      in.seek(from);
      in.readFully(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8);
      double done = Double.NaN;
      int end = text.lastIndexOf('\n');
      for (String line : text.substring(0, Math.max(0, end)).lines().toList()) {
        Matcher matcher = DONE.matcher(line);
        if (matcher.find()) {
          double share = Double.parseDouble(matcher.group(1));
          done = share >= 0 && share <= 1 ? share : done;
        }
      }
      return done;
    } catch (IOException | NumberFormatException e) {
      return Double.NaN;
    }
  }

  InputStream log(AttemptId attempt, int rank, Engine.Stream stream, long fromByte)
      throws IOException {
    Path logs = logs(attempt);
    Path file =
        switch (stream) {
          case STDOUT -> logs.resolve(rank + ".out");
          case STDERR -> logs.resolve(rank + ".err");
          case PROGRESS -> progress(attempt);
        };
    if (stream == Engine.Stream.PROGRESS && Files.isDirectory(logs) && !Files.exists(file)) {
      return InputStream.nullInputStream();
    }
    // What is no file could be a pipe, and hang.
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(file.toString());
    }
    InputStream in = Files.newInputStream(file);
    in.skip(fromByte);
    return in;
  }

  @Override
  public void close() {
    try {
      if (lockFile != null) {
        lockFile.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
