package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quantities with units, as cluster files hold them.
 *
 * <p>Bandwidths: {@code bps} is bits a second, {@code B/s} bytes a second; the prefixes k (or K),
 * M, G, T are powers of 1000, Ki, Mi, Gi, Ti of 1024. Sizes: {@code B} with these prefixes.
 * Durations: us, ms, s, min, h, d. Power: W, kW. A blank between number and unit is allowed. What
 * is written here reads back as the very same double. What is no such quantity is a {@link
 * BadInput} with the value and what was expected; the caller adds the place.
 */
public final class Units {
  private static final Pattern QUANTITY =
      Pattern.compile("(\\d{1,400}(?:\\.\\d{0,400})?(?:[eE][+-]?\\d{1,3})?)\\s?(\\S*)");

  private static final String[] PREFIXES = {"", "k", "M", "G", "T"};
  private static final BigDecimal THOUSAND = new BigDecimal(1000);
  private static final BigDecimal BIT = new BigDecimal("0.125");
  private static final BigDecimal MILLI = new BigDecimal("0.001");
  private static final BigDecimal MICRO = new BigDecimal("0.000001");

  /** Bytes a second in one of each unit. */
  private static final Map<String, BigDecimal> BANDWIDTHS = new HashMap<>();

  /** Bytes in one of each unit. */
  private static final Map<String, BigDecimal> SIZES = new HashMap<>();

  private static final Map<String, BigDecimal> WATTS = Map.of("W", BigDecimal.ONE, "kW", THOUSAND);

  /** Seconds in one of each unit. */
  private static final Map<String, BigDecimal> DURATIONS =
      Map.of(
          "us",
          MICRO,
          "ms",
          MILLI,
          "s",
          BigDecimal.ONE,
          "min",
          new BigDecimal(60),
          "h",
          new BigDecimal(3600),
          "d",
          new BigDecimal(86400));

  /** What stands behind the slash of a rate. */
  private static final Pattern RATE_TIME =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,15})?)\\s?([dh])");

  /** One in a second. */
  private static final double MOST_RATE = 86400 * 1000.0;

  /** Seconds for a byte in one of each unit. */
  private static final Map<String, BigDecimal> PER_BYTE = new HashMap<>();

  static {
    String[] times = {"s", "ms", "us", "ns"};
    for (int i = 0; i < times.length; i++) {
      for (int k = 0; k < 4; k++) {
        PER_BYTE.put(times[i] + "/" + PREFIXES[k] + "B", BigDecimal.ONE.movePointLeft(3 * (i + k)));
      }
    }
    String[] binary = {"", "Ki", "Mi", "Gi", "Ti"};
    for (int i = 0; i < PREFIXES.length; i++) {
      putBandwidths(PREFIXES[i], THOUSAND.pow(i));
      putBandwidths(binary[i], new BigDecimal(1024).pow(i));
    }
    putBandwidths("K", THOUSAND);
  }

  private Units() {}

  private static void putBandwidths(String prefix, BigDecimal size) {
    BANDWIDTHS.put(prefix + "bps", size.multiply(BIT));
    BANDWIDTHS.put(prefix + "B/s", size);
    SIZES.put(prefix + "B", size);
  }

  /** Bytes a second. Never 0: nothing divides by a bandwidth without a check. */
  public static double bytesPerSecond(String text) {
    String expected = "a bandwidth above 0 with its unit, such as 10Gbps or 1.25GB/s";
    double value = parse(text, BANDWIDTHS, expected);
    if (value == 0) {
      throw refused(text, expected);
    }
    return value;
  }

  /** Seconds. A bare 0 needs no unit. */
  public static double seconds(String text) {
    if (text.strip().equals("0")) {
      return 0;
    }
    String expected = "a duration of at least 0 with its unit (us, ms, s, min, h, d), such as 10s";
    return parse(text, DURATIONS, expected);
  }

  /** Seconds for each byte, as in 0.856ms/MB. A bare 0 needs no unit. */
  public static double secondsPerByte(String text) {
    if (text.strip().equals("0")) {
      return 0;
    }
    String expected =
        "a time for a size, such as 0.856ms/MB (ns, us, ms or s for each B, kB, MB or GB)";
    return parse(text, PER_BYTE, expected);
  }

  /**
   * How often something happens in a thousand days, as in 4/1000d: a number over so many days or
   * hours. A bare 0 needs no time.
   */
  public static double perThousandDays(String text) {
    String bare = text.strip();
    if (bare.equals("0")) {
      return 0;
    }
    int slash = bare.indexOf('/');
    String expected = "a rate such as 4/1000d: how many in how long (h or d)";
    double times = slash < 1 ? Double.NaN : Numbers.parse(bare.substring(0, slash).strip());
    Matcher over = RATE_TIME.matcher(slash < 1 ? "" : bare.substring(slash + 1).strip());
    if (!(times >= 0) || !over.matches()) {
      throw refused(text, expected);
    }
    double days = Double.parseDouble(over.group(1)) / (over.group(2).equals("d") ? 1 : 24);
    double rate = days == 1000 ? times : times * 1000 / days;
    if (!(rate <= MOST_RATE)) {
      throw refused(text, expected + ", at most one in a second");
    }
    return rate;
  }

  /** A rate that reads back as it is. */
  static String rate(double perThousandDays) {
    return CsvOutput.plain(perThousandDays) + "/1000d";
  }

  /** Bytes: B with the prefixes of bandwidths. */
  public static double bytes(String text) {
    String expected = "a size above 0 with its unit, such as 512GB or 512GiB";
    double value = parse(text, SIZES, expected);
    if (value == 0) {
      throw refused(text, expected);
    }
    return value;
  }

  /** Watts: W or kW. */
  public static double watts(String text) {
    return parse(text, WATTS, "a power with its unit, such as 300W");
  }

  private static double parse(String text, Map<String, BigDecimal> units, String expected) {
    Matcher matcher = QUANTITY.matcher(text.strip());
    BigDecimal unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw refused(text, expected);
    }
    // Exact arithmetic, rounded once: 0.1Gbps is the double nearest to a tenth of a gigabit.
    double value = new BigDecimal(matcher.group(1)).multiply(unit).doubleValue();
    if (Double.isInfinite(value)) {
      throw refused(text, expected);
    }
    return value;
  }

  private static BadInput refused(String text, String expected) {
    return new BadInput("'%s' is not %s".formatted(Inputs.shown(text), expected));
  }

  /** A bandwidth in bits, such as {@code 10Gbps}, that reads back as it is. */
  public static String bits(double bytesPerSecond) {
    return prefixed(bytesPerSecond, BIT, "bps");
  }

  /** A bandwidth in bytes, such as {@code 100GB/s}, that reads back as it is. */
  public static String bytes(double bytesPerSecond) {
    return prefixed(bytesPerSecond, BigDecimal.ONE, "B/s");
  }

  /** A size, such as {@code 512GB}, that reads back as it is. */
  static String size(double bytes) {
    return prefixed(bytes, BigDecimal.ONE, "B");
  }

  /** With the largest prefix that leaves at least 1. */
  private static String prefixed(double amount, BigDecimal base, String suffix) {
    BigDecimal value = new BigDecimal(Double.toString(amount)).divide(base);
    int prefix = PREFIXES.length - 1;
    while (prefix > 0 && value.compareTo(THOUSAND.pow(prefix)) < 0) {
      prefix--;
    }
    return quotient(value, THOUSAND.pow(prefix)) + PREFIXES[prefix] + suffix;
  }

  /** A duration, such as {@code 0.5ms}, that reads back as it is. */
  public static String duration(double seconds) {
    BigDecimal value = new BigDecimal(Double.toString(seconds));
    if (seconds == 0 || seconds >= 0.1) {
      return quotient(value, BigDecimal.ONE) + "s";
    }
    return seconds >= 1e-4 ? quotient(value, MILLI) + "ms" : quotient(value, MICRO) + "us";
  }

  /** A time for a size, such as {@code 0.856ns/B}, that reads back as it is. */
  public static String perByte(double secondsPerByte) {
    BigDecimal value = new BigDecimal(Double.toString(secondsPerByte));
    return quotient(value, BigDecimal.ONE.movePointLeft(9)) + "ns/B";
  }

  /** Exact, since the units written are powers of ten and two. */
  private static String quotient(BigDecimal value, BigDecimal unit) {
    BigDecimal quotient = value.divide(unit);
    return quotient.signum() == 0 ? "0" : quotient.stripTrailingZeros().toPlainString();
  }
}
