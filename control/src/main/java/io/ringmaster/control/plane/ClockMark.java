package io.ringmaster.control.plane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a server's clock said, beside one that nobody can set: so the next server on this machine
 * can tell whether the clock was set in between, and by how much.
 *
 * @param seconds since 1970, as the server's clock had it
 * @param boot of this machine, as its kernel names it; empty: not known
 * @param upSeconds of a clock that only goes forward, from that boot on
 */
public record ClockMark(double seconds, String boot, double upSeconds) {
  /** Where the store keeps the last one. */
  static final String SETTING = "clock";

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** A smaller difference is no setting of the clock, but two clocks that do not run alike. */
  private static final double LEAST_SECONDS = 1;

  public ClockMark {
    if (boot.contains(" ")) {
      throw new IllegalArgumentException("a mark is words, and so is its boot: " + boot);
    }
  }

  /** Of this machine, now. On Linux, Java's nanoTime counts from the boot, for every process. */
  static ClockMark now(double seconds) {
    String boot;
    try {
      boot = Files.readString(BOOT).strip();
    } catch (IOException e) {
      boot = "";
    }
    return new ClockMark(seconds, boot, System.nanoTime() * 1e-9);
  }

  /** The same clock so much later. */
  ClockMark at(double laterSeconds) {
    return new ClockMark(laterSeconds, boot, upSeconds + laterSeconds - seconds);
  }

  /**
   * How far the clock was set forward since another mark; negative: back. What cannot be told is
   * taken for time that passed, but time never goes back.
   *
   * @param stored the other mark, as {@link #text} wrote it; null: there is none
   */
  double setForwardSince(@Nullable String stored) {
    String[] parts = stored == null ? new String[0] : stored.split(" ", -1);
    if (parts.length != 3) {
      return 0;
    }
    double passed = seconds - Double.parseDouble(parts[0]);
    double set =
        !boot.isEmpty() && boot.equals(parts[1])
            ? passed - (upSeconds - Double.parseDouble(parts[2]))
            : Math.min(0, passed);
    return Math.abs(set) < LEAST_SECONDS ? 0 : set;
  }

  String text() {
    return "%s %s %s".formatted(seconds, boot, upSeconds);
  }
}
