package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes of attempts: by the marks in their environment, which children inherit, also
 * those that left their group, or whose supervisor was killed; and by their control groups. One
 * that wiped its environment is not found where there are no control groups.
 */
final class Leftovers {
  static final String JOB = "RINGMASTER_PROGRESS";
  static final String ATTEMPT = "RINGMASTER_ATTEMPT";

  /** Who started it: several engines with the same jobs may be on one machine. */
  static final String PLACE = "RINGMASTER_PLACE";

  private static final String WRITTEN = "write_bytes: ";

  private final DataFolder data;
  private final ControlGroups groups;
  private final boolean asOwner;
  private final String jobMark;
  private final String placeMark;

  /**
   * Looks for processes of this folder's attempts only: others may run on this machine too.
   *
   * @param asOwner whether attempts run as users of their own: nobody can then hold up the end of
   *     another's attempt by wearing its marks
   */
  Leftovers(DataFolder data, ControlGroups groups, boolean asOwner) {
    this.data = data;
    this.groups = groups;
    this.asOwner = asOwner;
    jobMark = JOB + "=" + data.progress() + "/";
    placeMark = PLACE + "=" + data.root();
  }

  /** Kills all processes of some attempts. Returns the attempts that had one. */
  Set<AttemptId> kill(Set<AttemptId> attempts) throws IOException {
    Set<AttemptId> found = new HashSet<>();
    for (AttemptId attempt : attempts) {
      if (groups.kill(attempt)) {
        found.add(attempt);
      }
    }
    marked((attempt, process) -> {
      if (attempts.contains(attempt)) {
        found.add(attempt);
        process.destroyForcibly();
      }
    });
    return found;
  }

  /** What the processes of each attempt that are there now have written to disks. */
  Map<AttemptId, Long> writtenBytes() throws IOException {
    Map<AttemptId, Long> written = new HashMap<>();
    marked((attempt, process) -> {
      try {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/io"))) {
          if (line.startsWith(WRITTEN)) {
            written.merge(attempt, Long.parseLong(line.substring(WRITTEN.length())), Long::sum);
          }
        }
      } catch (IOException e) {
        // It ended meanwhile.
      }
    });
    return written;
  }

  private void marked(BiConsumer<AttemptId, ProcessHandle> use) throws IOException {
    long self = ProcessHandle.current().pid();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(String.valueOf(process.getFileName()));
        // The handle remembers the start: it never kills a later process of the same number.
        ProcessHandle handle = ProcessHandle.of(pid).orElse(null);
        if (handle == null || pid == self) {
          continue;
        }
        AttemptId attempt = attemptOf(process);
        if (attempt != null && mayBe(process, attempt)) {
          use.accept(attempt, handle);
        }
      }
    }
  }

  /** The supervisor is the server's own, and what an owner runs may have become root's. */
  private boolean mayBe(Path process, AttemptId attempt) {
    if (!asOwner) {
      return true;
    }
    long runsAs = Account.uid(process);
    return runsAs == 0 || runsAs == Account.uid(data.checkpoints(attempt.job()));
  }

  private @Nullable AttemptId attemptOf(Path process) {
    String environment;
    try {
      environment =
          new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
    } catch (IOException e) {
      // It ended meanwhile, or is somebody else's.
      return null;
    }
    if (!environment.contains(jobMark)) {
      return null;
    }
    String job = null;
    String attempt = null;
    boolean isOurs = true;
    for (String variable : environment.split("\0", -1)) {
      if (variable.startsWith(jobMark)) {
        job = variable.substring(jobMark.length());
      } else if (variable.startsWith(ATTEMPT + "=")) {
        attempt = variable.substring(ATTEMPT.length() + 1);
      } else if (variable.startsWith(PLACE + "=")) {
        isOurs = variable.equals(placeMark);
      }
    }
    try {
      return job == null || attempt == null || !isOurs
          ? null
          : new AttemptId(Long.parseLong(job), Integer.parseInt(attempt));
    } catch (IllegalArgumentException e) {
      // No numbers, or none that an attempt can have.
      return null;
    }
  }
}
