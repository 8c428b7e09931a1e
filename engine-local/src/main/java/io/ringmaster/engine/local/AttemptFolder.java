package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the disk knows of an attempt, and the only truth about it:
 *
 * <ul>
 *   <li>the folder itself: the attempt is known, and will never be launched again;
 *   <li>{@code plan}: its GPUs and port;
 *   <li>{@code claim}, a link that points at nothing: who has the attempt. Either its supervisor,
 *       whose number and start it names, or a tombstone. Making a link fails if there is one, and a
 *       link appears together with its text: so exactly one of the two wins, and nobody ever sees a
 *       claim without an owner;
 *   <li>{@code mailbox}: how its supervisor is told to stop;
 *   <li>{@code result}: the supervisor's last act;
 *   <li>{@code end}: what this engine tells from now on. Written when no process is left.
 * </ul>
 */
final class AttemptFolder {
  private static final String TOMBSTONE = "gone";
  private static final Pattern RESULT = Pattern.compile("[0-9]{1,3} (true|false)\n");

  private final AttemptId attempt;
  private final Path path;

  AttemptFolder(DataFolder data, AttemptId attempt) {
    this.attempt = attempt;
    this.path = data.attempts().resolve(attempt.text());
  }

  AttemptId attempt() {
    return attempt;
  }

  Path path() {
    return path;
  }

  /** Makes the attempt known for good. One that a failed try left behind serves as well. */
  void create() throws IOException {
    Files.createDirectories(path);
    DataFolder.syncNames(Objects.requireNonNull(path.getParent()));
  }

  /** Need not outlast a power cut: nothing that runs does. */
  void plan(Plan plan) throws IOException {
    Files.writeString(planFile(), plan.text() + "\n");
  }

  /** Written just before the attempt is started. */
  Path planFile() {
    return path.resolve("plan");
  }

  @Nullable Plan plan() throws IOException {
    String text = read("plan");
    // One that was cut short was never used: its supervisor is started after it.
    return text == null || !text.endsWith("\n") ? null : Plan.of(text);
  }

  /** Who has the attempt. */
  sealed interface Claim {}

  record Supervised(ProcessId supervisor) implements Claim {}

  record Tombstone() implements Claim {}

  @Nullable Claim claim() throws IOException {
    try {
      String owner = Files.readSymbolicLink(path.resolve("claim")).toString();
      return owner.equals(TOMBSTONE) ? new Tombstone() : new Supervised(ProcessId.of(owner));
    } catch (NoSuchFileException | NotLinkException e) {
      return null;
    }
  }

  /** Sees to it that the attempt never starts. False: its supervisor was faster. */
  boolean bury() throws IOException {
    try {
      Files.createSymbolicLink(path.resolve("claim"), Path.of(TOMBSTONE));
      return true;
    } catch (FileAlreadyExistsException e) {
      return claim() instanceof Tombstone;
    }
  }

  /** Asks the supervisor to stop its workers. It does so once, however often it is asked. */
  void sendStop(String graceSeconds) throws IOException {
    // Open for reading too: that never waits for somebody at the other end.
    try (FileChannel mailbox =
        FileChannel.open(
            path.resolve("mailbox"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      mailbox.write(
          ByteBuffer.wrap(("stop " + graceSeconds + "\n").getBytes(StandardCharsets.US_ASCII)));
    }
  }

  /** How the supervisor says that it ended; null: it has not said. */
  Status.@Nullable Exited result() throws IOException {
    String text = read("result");
    // The shell cannot make it last: after a power cut it may be there and empty.
    if (text == null || !RESULT.matcher(text).matches()) {
      return null;
    }
    String[] parts = text.strip().split(" ", -1);
    return new Status.Exited(Integer.parseInt(parts[0]), Boolean.parseBoolean(parts[1]));
  }

  void end(Status.Phase phase) throws IOException {
    DataFolder.write(
        path.resolve("end"),
        switch (phase) {
          case Status.Exited exited -> "exited %d %s".formatted(exited.code(), exited.stopped());
          case Status.Gone gone -> "gone " + gone.why();
          case Status.Pending _, Status.Running _ -> throw new IllegalArgumentException("no end");
        });
  }

  Status.@Nullable Phase end() throws IOException {
    String text = read("end");
    if (text == null) {
      return null;
    }
    String[] parts = text.split(" ", 3);
    return parts[0].equals("exited")
        ? new Status.Exited(Integer.parseInt(parts[1]), Boolean.parseBoolean(parts[2]))
        : new Status.Gone(text.substring(text.indexOf(' ') + 1));
  }

  private @Nullable String read(String name) throws IOException {
    try {
      return Files.readString(path.resolve(name));
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
