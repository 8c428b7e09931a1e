package io.ringmaster.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process for good: numbers are used again, and not together with the moment of the start and the
 * machine's boot.
 *
 * @param start field 22 of /proc/PID/stat
 */
record ProcessId(long pid, String start, String boot) {

  static ProcessId of(String text) {
    String[] parts = text.split(":", -1);
    return new ProcessId(Long.parseLong(parts[0]), parts[1], parts[2]);
  }

  /** What tells this boot of the machine from all others. */
  static String presentBoot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  /** Whether it still runs. One that ended and was not waited for does not. */
  boolean isAlive(String presentBoot) {
    if (!boot.equals(presentBoot)) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name, field 2, may hold spaces and brackets.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return !fields[0].equals("Z") && !fields[0].equals("X") && fields[19].equals(start);
    } catch (IOException e) {
      return false;
    }
  }
}
