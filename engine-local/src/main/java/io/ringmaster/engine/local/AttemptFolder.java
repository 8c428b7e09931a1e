package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.regex.Matcher;
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
public final class AttemptFolder {
  private static final String TOMBSTONE = "gone";
  private static final Pattern RESULT = Pattern.compile("[0-9]{1,3} (true|false)\n");

  /** {@code 0.75 exited 137 true} or {@code NaN gone}, and why on the next line. */
  private static final Pattern END =
      Pattern.compile(
          "(?<share>NaN|[0-9]\\.[0-9E-]{1,24}) (gone|exited (?<code>[0-9]{1,3})"
              + " (?<stopped>true|false))\n(?<why>.*)",
          Pattern.DOTALL);

  private final AttemptId attempt;
  private final Path path;
  private final Path checkpoints;

  public AttemptFolder(DataFolder data, AttemptId attempt) {
    this.attempt = attempt;
    this.checkpoints = data.checkpoints(attempt.job());
    this.path = data.attempts().resolve(attempt.text());
  }

  public AttemptId attempt() {
    return attempt;
  }

  public Path path() {
    return path;
  }

  /** Whether this attempt or an earlier one left something to go on from. */
  public boolean hasCheckpoint() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(checkpoints)) {
      return files.iterator().hasNext();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return false;
    }
  }

  /** Makes the attempt known for good. One that a failed try left behind serves as well. */
  public void create() throws IOException {
    DataFolder.makeFolder(path, null);
    DataFolder.syncNames(Objects.requireNonNull(path.getParent()));
  }

  void plan(Plan plan) throws IOException {
    DataFolder.put(path.resolve("plan"), plan.text() + "\n");
  }

  @Nullable Plan plan() throws IOException {
    String text = UserFiles.text(path.resolve("plan"));
    return text == null ? null : Plan.of(text);
  }

  /** What its supervisor is told, as text that a shell reads. */
  Path orders() {
    return path.resolve("orders");
  }

  /** What each worker does, as text that a shell reads. */
  Path program() {
    return path.resolve("program");
  }

  /** Who has the attempt. */
  sealed interface Claim {}

  record Supervised(ProcessId supervisor) implements Claim {}

  record Tombstone() implements Claim {}

  @Nullable Claim claim() throws IOException {
    try {
      String owner = Files.readSymbolicLink(path.resolve("claim")).toString();
      return owner.equals(TOMBSTONE) ? new Tombstone() : new Supervised(ProcessId.of(owner));
    } catch (NoSuchFileException e) {
      return null;
    } catch (NotLinkException e) {
      // Nobody that made this claims anything.
      return new Supervised(ProcessId.NOBODY);
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

  /** Asks the supervisor to stop its workers. A later grace counts if it is over sooner. */
  void sendStop(String graceSeconds) throws IOException {
    // Open for reading too: that never waits for somebody at the other end.
    try (FileChannel mailbox =
        FileChannel.open(
            path.resolve("mailbox"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      mailbox.write(
          ByteBuffer.wrap(("stop " + graceSeconds + "\n").getBytes(StandardCharsets.US_ASCII)));
    }
  }

  /** How the supervisor says that it ended; null: it has not said. */
  Status.@Nullable Exited result() throws IOException {
    String text = UserFiles.text(path.resolve("result"));
    // The shell cannot make it last: after a power cut it may be there and empty.
    if (text == null || !RESULT.matcher(text).matches()) {
      return null;
    }
    String[] parts = text.strip().split(" ", -1);
    return new Status.Exited(Integer.parseInt(parts[0]), Boolean.parseBoolean(parts[1]));
  }

  /** Writes down how it ended, and how far it was. */
  public void end(Status status) throws IOException {
    String phase =
        switch (status.phase()) {
          case Status.Exited exited ->
              "exited %d %s\n%s".formatted(exited.code(), exited.stopped(), exited.why());
          case Status.Gone gone -> "gone\n" + gone.why();
          case Status.Pending _, Status.Running _ -> throw new IllegalArgumentException("no end");
        };
    DataFolder.write(path.resolve("end"), status.doneShare() + " " + phase);
  }

  /** How it ended; null: it has not, or nobody can make sense of what is written there. */
  public @Nullable Status end() throws IOException {
    String text = UserFiles.text(path.resolve("end"));
    Matcher end = text == null ? null : END.matcher(text);
    if (end == null || !end.matches()) {
      return null;
    }
    String why = end.group("why");
    return new Status(
        attempt,
        end.group("code") == null
            ? new Status.Gone(why)
            : new Status.Exited(
                Integer.parseInt(end.group("code")),
                Boolean.parseBoolean(end.group("stopped")),
                why),
        Double.parseDouble(end.group("share")));
  }
}
