package io.ringmaster.engine.slurm.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * Runs Slurm's commands. Each has a time limit: with a slurmctld that is down some of them try
 * again for minutes, and others wait for ever.
 *
 * @param prefix words before each command, such as those of a wrapper that gets to another host;
 *     usually none
 * @param limit after which a command is killed and counts as failed
 */
public record SlurmCommands(List<String> prefix, Duration limit) {
  private static final Pattern HABITS = Pattern.compile("(SQUEUE|SINFO|SACCT|SCONTROL)_.*");
  private static final String SCRATCH = "ringmaster-slurm-command";

  /** No command may take so long. */
  private static final Duration OLD = Duration.ofHours(1);

  private static final AtomicBoolean SWEPT = new AtomicBoolean();

  public SlurmCommands {
    prefix = List.copyOf(prefix);
  }

  public SlurmCommands(Duration limit) {
    this(List.of(), limit);
  }

  /**
   * A command that ended by itself.
   *
   * @param errors what it said beside its answer
   */
  public record Answer(int code, String text, String errors) {}

  /** What a command printed. Fails with the first line of what it complained of. */
  public String run(String... words) throws IOException {
    return run(List.of(words), "");
  }

  /** The same, for a command that reads. */
  public String run(List<String> words, String input) throws IOException {
    Answer answer = answer(words, input);
    if (answer.code() != 0) {
      throw new IOException(
          "%s failed with code %d: %s"
              .formatted(words.getFirst(), answer.code(), firstLine(answer.errors())));
    }
    return answer.text();
  }

  /**
   * The same, for a command whose failure tells something too. By files, not pipes: a child that it
   * leaves behind would keep a pipe open, and whoever reads it waiting.
   */
  public Answer answer(List<String> words, String input) throws IOException {
    Path folder = Files.createTempDirectory(SCRATCH);
    sweep(folder);
    Path reads = folder.resolve("in");
    Path says = folder.resolve("out");
    Path complains = folder.resolve("err");
    try {
      Files.writeString(reads, input);
      Process process =
          builder(words)
              .redirectInput(reads.toFile())
              .redirectOutput(says.toFile())
              .redirectError(complains.toFile())
              .start();
      try (InputStream said = Files.newInputStream(says);
          InputStream complained = Files.newInputStream(complains)) {
        // All have them open by now: who is killed while it waits leaves nothing behind.
        delete(folder);
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new IOException(
              "%s did not answer within %d s".formatted(words.getFirst(), limit.toSeconds()));
        }
        return new Answer(process.exitValue(), text(said), text(complained));
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("%s was interrupted".formatted(words.getFirst()), e);
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    for (String name : List.of("in", "out", "err", "")) {
      Files.deleteIfExists(name.isEmpty() ? folder : folder.resolve(name));
    }
  }

  /**
   * Once, what servers of this user left that were killed in the moment in which they started a
   * command.
   *
   * @param own a folder of this process
   */
  private static void sweep(Path own) {
    if (SWEPT.getAndSet(true)) {
      return;
    }
    FileTime old = FileTime.from(Instant.now().minus(OLD));
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(own.resolveSibling("."), SCRATCH + "*")) {
      UserPrincipal user = Files.getOwner(own);
      for (Path folder : left) {
        PosixFileAttributes is =
            Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (is.isDirectory()
            && is.owner().equals(user)
            && is.lastModifiedTime().compareTo(old) < 0) {
          delete(folder);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another swept at the same time. The next server does the rest.
    }
  }

  private static String text(InputStream said) throws IOException {
    return new String(said.readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Starts a command that goes on until its caller ends it, with errors among what it says. */
  public Process start(List<String> words) throws IOException {
    return builder(words).redirectErrorStream(true).start();
  }

  private ProcessBuilder builder(List<String> words) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command);
    // Times as seconds, lists of array tasks whole, and messages in one language.
    builder.environment().put("SLURM_TIME_FORMAT", "%s");
    builder.environment().put("SLURM_BITSTR_LEN", "0");
    builder.environment().put("LC_ALL", "C.UTF-8");
    // What a person likes to see by default is not what is to be read here.
    builder.environment().keySet().removeIf(name -> HABITS.matcher(name).matches());
    return builder;
  }

  private static String firstLine(String errors) {
    return errors.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
