package io.ringmaster.engine.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A process for good: numbers are used again, and not together with the moment of the start and the
 * machine's boot.
 *
 * @param start field 22 of /proc/PID/stat
 */
record ProcessId(long pid, String start, String boot) {
  /** A process that is not there, and never was. */
  static final ProcessId NOBODY = new ProcessId(0, "", "");

  /** As it is the supervisor writes it; what makes no sense is nobody. */
  static ProcessId of(String text) {
    String[] parts = text.split(":", -1);
    try {
      return parts.length == 3
          ? new ProcessId(Long.parseLong(parts[0]), parts[1], parts[2])
          : NOBODY;
    } catch (NumberFormatException e) {
      return NOBODY;
    }
  }

  /** What tells this boot of the machine from all others. */
  static String presentBoot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  /** Whether it still runs. One that ended and was not waited for does not. */
  boolean isAlive(String presentBoot) {
    String[] fields = boot.equals(presentBoot) ? running(pid) : null;
    return fields != null && fields[19].equals(start);
  }

  /** Whether a process of this number runs now. */
  static boolean isRunning(long pid) {
    return running(pid) != null;
  }

  /** What the system tells of a process after its name; null: it does not run. */
  private static String @Nullable [] running(long pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      // The name, field 2, may hold spaces and brackets.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return fields[0].equals("Z") || fields[0].equals("X") ? null : fields;
    } catch (IOException e) {
      return null;
    }
  }
}
