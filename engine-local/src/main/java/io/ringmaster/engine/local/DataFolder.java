package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where everything is, and how files are written so that a cut leaves the old or the new one. */
public final class DataFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
  private static final String SCRIPT = "supervise.sh";

  private static final String PRIVATE = "rwx------";

  /** Others may go through it, to what is theirs inside, and see nothing on the way. */
  private static final String PASSABLE = "rwx--x--x";

  private static final Pattern ATTEMPT = Pattern.compile("[0-9]{1,9}");
  private static final Pattern ATTEMPT_OF_JOB = Pattern.compile("[0-9]{1,18}\\.[0-9]{1,9}");

  private final Path root;

  /** Where what belongs to jobs is; several engines may have the same. */
  private final Path jobs;

  private final FileChannel lock;

  DataFolder(Path folder, boolean asOwner) throws IOException {
    this(folder, folder, asOwner);
  }

  /**
   * Makes the folder what it must be, and takes it: two servers at one folder would each tell half
   * the truth.
   *
   * @param folder for the engine's own
   * @param jobsFolder for what belongs to jobs: checkpoints, progress, logs, work
   * @param asOwner whether jobs run as users of their own, who must get at their folders
   */
  public DataFolder(Path folder, Path jobsFolder, boolean asOwner) throws IOException {
    Files.createDirectories(folder);
    Files.createDirectories(jobsFolder);
    root = folder.toRealPath();
    jobs = jobsFolder.toRealPath();
    lock = takeLock(root.resolve("lock"));
    try {
      for (Path own : List.of(attempts(), events(), trash(), logs())) {
        make(own, PRIVATE);
      }
      for (Path parts : List.of(checkpoints(), progress(), work())) {
        make(parts, asOwner ? PASSABLE : PRIVATE);
      }
      if (asOwner) {
        closeFiles();
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString(PASSABLE));
        checkReach();
      }
      for (Path old : list(trash())) {
        tryDelete(old);
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

  private static FileChannel takeLock(Path file) throws IOException {
    // For reading too: if somebody made a pipe of it, that does not wait.
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            mode("rw-------"));
    try {
      if (isTaken(channel)) {
        return channel;
      }
    } catch (IOException e) {
      channel.close();
      throw new IOException("%s: cannot be locked: %s".formatted(file, e.getMessage()), e);
    }
    channel.close();
    throw new IOException(file.getParent() + ": another server uses this folder");
  }

  /** Users get through this folder from now on: what lies beside theirs is not theirs. */
  private void closeFiles() throws IOException {
    for (Path file : list(root)) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  /** Users' own folders are of no use if they cannot get there. */
  private void checkReach() throws IOException {
    for (Path above = root.getParent(); above != null; above = above.getParent()) {
      if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        throw new BadInput(
            "engine local: with 'run-as: user' jobs of others must get to %s, and %s is closed to"
                    .formatted(root, above)
                + " them; put the data folder elsewhere, or 'chmod o+x %s'".formatted(above));
      }
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

  private static FileAttribute<?> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static void make(Path folder, String permissions) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
  }

  /** Makes a folder that nobody but its owner sees into. */
  static void makeFolder(Path folder, @Nullable Account owner) throws IOException {
    Files.createDirectories(folder, mode(PRIVATE));
    give(folder, owner);
  }

  /** Makes an empty file that nobody but its owner can read, in place of what is there. */
  static void makeFile(Path file, @Nullable Account owner) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, mode("rw-------"));
    give(file, owner);
  }

  private static void give(Path path, @Nullable Account owner) throws IOException {
    if (owner != null) {
      Files.setAttribute(path, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  public Path root() {
    return root;
  }

  Path script() {
    return root.resolve(SCRIPT);
  }

  Path attempts() {
    return root.resolve("attempts");
  }

  /** All attempts that somebody has put down here and nobody has forgotten. */
  public List<AttemptFolder> found() throws IOException {
    return list(attempts()).stream()
        .map(path -> String.valueOf(path.getFileName()))
        .filter(name -> ATTEMPT_OF_JOB.matcher(name).matches())
        .map(name -> new AttemptFolder(this, AttemptId.of(name)))
        .toList();
  }

  /** Supervisors leave a file here when something happened: one folder to watch for all. */
  Path events() {
    return root.resolve("events");
  }

  Path trash() {
    return root.resolve("trash");
  }

  private Path checkpoints() {
    return jobs.resolve("checkpoints");
  }

  Path checkpoints(long job) {
    return checkpoints().resolve(Long.toString(job));
  }

  Path progress() {
    return jobs.resolve("progress");
  }

  Path progress(long job) {
    return progress().resolve(Long.toString(job));
  }

  private Path work() {
    return jobs.resolve("work");
  }

  Path work(long job) {
    return work().resolve(Long.toString(job));
  }

  private Path logs() {
    return jobs.resolve("logs");
  }

  /** Of all attempts. */
  Path logs(long job) {
    return logs().resolve(Long.toString(job));
  }

  Path logs(AttemptId attempt) {
    return logs(attempt.job()).resolve(Integer.toString(attempt.attempt()));
  }

  Path log(AttemptId attempt, int rank, Engine.Stream stream) {
    return logs(attempt).resolve(rank + (stream == Engine.Stream.STDOUT ? ".out" : ".err"));
  }

  /** Where an attempt's part of its job's progress begins: one file serves all its attempts. */
  Path progressMark(AttemptId attempt) {
    return logs(attempt).resolve("progress");
  }

  /** What is appended to the progress of a job from now on is this attempt's. */
  void markProgress(AttemptId attempt, @Nullable Account owner) throws IOException {
    Path file = progress(attempt.job());
    if (owner != null && !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      // It cannot be made by its owner, who may not write to the folder.
      makeFile(file, owner);
    }
    long size = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? UserFiles.size(file) : 0;
    put(progressMark(attempt), size + "\n");
  }

  /** From where to where an attempt's lines are in the progress of its job. */
  record Part(long begin, long end) {}

  Part progressPart(AttemptId attempt) throws IOException {
    long begin = mark(progressMark(attempt));
    long end = Long.MAX_VALUE;
    for (Path folder : list(Objects.requireNonNull(logs(attempt).getParent()))) {
      String name = String.valueOf(folder.getFileName());
      if (ATTEMPT.matcher(name).matches() && Integer.parseInt(name) > attempt.attempt()) {
        try {
          end = Math.min(end, mark(folder.resolve("progress")));
        } catch (NoSuchFileException e) {
          // It was never launched.
        }
      }
    }
    return new Part(begin, end);
  }

  static long mark(Path file) throws IOException {
    String text = UserFiles.text(file);
    if (text == null) {
      throw new NoSuchFileException(file.toString());
    }
    try {
      return Math.max(0, Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds no number", e);
    }
  }

  /** The greatest order of a forget that was carried out. */
  public long forgotten() throws IOException {
    Path file = root.resolve("forgotten");
    String text = UserFiles.text(file);
    try {
      return text == null ? Long.MIN_VALUE : Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s: '%s' is no number; what was forgotten could come back: mend it from a backup"
              .formatted(file, text.strip()),
          e);
    }
  }

  public void forgotten(long order) throws IOException {
    write(root.resolve("forgotten"), order + "\n");
  }

  /** Makes a folder disappear at once. Its files are still to be deleted, from what is returned. */
  public @Nullable Path discard(Path folder) throws IOException {
    // A name that nothing can be in the way of.
    Path aside = trash().resolve(folder.getFileName() + "." + System.nanoTime());
    try {
      return Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  public static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes a file that is there whole or not at all, also after a power cut. */
  public static void write(Path file, String text) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    writeNew(aside, text, true);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    syncNames(Objects.requireNonNull(file.getParent()));
  }

  /** Writes a file that need not outlast a power cut: nothing that runs does. */
  public static void put(Path file, String text) throws IOException {
    writeNew(file, text, false);
  }

  /** What somebody else put there could be a pipe, or a link to elsewhere. */
  private static void writeNew(Path file, String text, boolean lasting) throws IOException {
    Files.deleteIfExists(file);
    try (FileChannel out =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            mode("rw-------"))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      if (lasting) {
        out.force(true);
      }
    }
  }

  /** Makes the names in a folder last. */
  static void syncNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** Deletes as much as can be deleted: what is left there does no harm. */
  public static void tryDelete(Path path) {
    try {
      KeptFiles.remove(path);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{}: {}", path, e.toString());
    }
  }
}
