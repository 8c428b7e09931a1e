package io.ringmaster.predictor.contention;

import java.util.Locale;

/** Bytes in the unit in which they read best. */
public final class ByteSize {
  private static final String[] BINARY = {"GiB", "MiB", "KiB"};
  private static final String[] DECIMAL = {"GB", "MB", "kB"};

  private ByteSize() {}

  /** In powers of 1024 if that is a whole number, in powers of 1000 otherwise. */
  public static String text(double bytes) {
    double unit = 1 << 30;
    for (String name : BINARY) {
      if (bytes >= unit && bytes % unit == 0) {
        return String.format(Locale.ROOT, "%.0f %s", bytes / unit, name);
      }
      unit /= 1024;
    }
    unit = 1e9;
    for (String name : DECIMAL) {
      if (bytes >= unit) {
        return number(bytes / unit) + " " + name;
      }
      unit /= 1000;
    }
    return number(bytes) + " B";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value).replaceAll("\\.?0+$", "");
  }
}
