package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes of attempts by the marks in their environment, which children inherit: also those
 * that left their group, or whose supervisor was killed. One that wiped its environment and left
 * its group is not found.
 */
final class Leftovers {
  private static final String JOB = "RINGMASTER_PROGRESS=";
  private static final String ATTEMPT = "RINGMASTER_ATTEMPT=";

  private final String jobMark;

  /** Looks for processes of this folder's attempts only: others may run on this machine too. */
  Leftovers(DataFolder data) {
    jobMark = JOB + data.progress() + "/";
  }

  /** Kills all processes of some attempts. Returns the attempts that had one. */
  Set<AttemptId> kill(Set<AttemptId> attempts) throws IOException {
    Set<AttemptId> found = new HashSet<>();
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
        if (attempt != null && attempts.contains(attempt)) {
          found.add(attempt);
          handle.destroyForcibly();
        }
      }
    }
    return found;
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
    for (String variable : environment.split("\0", -1)) {
      if (variable.startsWith(jobMark)) {
        job = variable.substring(jobMark.length());
      } else if (variable.startsWith(ATTEMPT)) {
        attempt = variable.substring(ATTEMPT.length());
      }
    }
    try {
      return job == null || attempt == null
          ? null
          : new AttemptId(Long.parseLong(job), Integer.parseInt(attempt));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
