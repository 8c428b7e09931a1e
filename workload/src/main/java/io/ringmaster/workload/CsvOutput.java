package io.ringmaster.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes CSV fast: fields separated by commas, rows ended by a line feed, UTF-8. A text is quoted
 * only if it must be: it holds a comma, a quote or a line break, or starts or ends with a blank.
 *
 * <pre>{@code
 * try (CsvOutput out = CsvOutput.create(file)) {
 *   out.header("job_id", "start_s");
 *   out.text("j1").decimal(0.5).endRow();
 *   out.finish();
 * }
 * }</pre>
 *
 * <p>Errors of the disk are {@link UncheckedIOException} with one line that names the file.
 */
public final class CsvOutput implements AutoCloseable {
  /** No field but a long text needs more room than this. */
  private static final int LONGEST_NUMBER = 32;

  private static final int BUFFER_BYTES = 1 << 17;

  /** A text up to here is copied while it is looked at. */
  private static final int LONGEST_PLAIN = 256;

  /** Up to here every whole number is a double of its own. */
  private static final double EXACT_WHOLE = 0x1p53;

  private static final int MOST_DECIMALS = 9;
  private static final long[] POWERS = new long[19];
  private static final byte[] TENS = new byte[100];
  private static final byte[] UNITS = new byte[100];

  static {
    long power = 1;
    for (int i = 0; i < POWERS.length; i++, power *= 10) {
      POWERS[i] = power;
    }
    for (int i = 0; i < 100; i++) {
      TENS[i] = (byte) ('0' + i / 10);
      UNITS[i] = (byte) ('0' + i % 10);
    }
  }

  private final OutputStream stream;
  private final String name;
  private final @Nullable AtomicFile file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int length;
  private boolean rowStarted;

  /**
   * @param name what messages call it
   */
  public CsvOutput(OutputStream stream, String name) {
    this(stream, name, null);
  }

  private CsvOutput(OutputStream stream, String name, @Nullable AtomicFile file) {
    this.stream = stream;
    this.name = name;
    this.file = file;
  }

  /** Writes a file that appears when {@link #finish} is called, and not at all otherwise. */
  public static CsvOutput create(Path file) {
    AtomicFile target = AtomicFile.create(file);
    return new CsvOutput(target.stream(), target.name(), target);
  }

  public void header(String... columns) {
    for (String column : columns) {
      text(column);
    }
    endRow();
  }

  /** A field of text, quoted if it must be. */
  public CsvOutput text(String value) {
    int chars = value.length();
    if (chars > BUFFER_BYTES / 8) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      return bytes(bytes, 0, bytes.length);
    }
    separate(chars);
    int at = length;
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c >= 0x80 || special(c)) {
        return rest(value);
      }
      buffer[at++] = (byte) c;
    }
    if (chars > 0 && (buffer[length] <= ' ' || buffer[at - 1] <= ' ')) {
      return rest(value);
    }
    length = at;
    return this;
  }

  /** A text that is not plain: its field is open already. */
  private CsvOutput rest(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    put(bytes, 0, bytes.length);
    return this;
  }

  /** A field of UTF-8 text, quoted if it must be. */
  public CsvOutput bytes(byte[] utf8, int from, int to) {
    int bytes = to - from;
    if (bytes == 0 || bytes > LONGEST_PLAIN || blank(utf8[from]) || blank(utf8[to - 1])) {
      separate(LONGEST_NUMBER);
      put(utf8, from, to);
      return this;
    }
    separate(bytes);
    byte[] out = buffer;
    int at = length;
    for (int i = from; i < to; i++) {
      byte b = utf8[i];
      if (b <= ',' && b >= 0 && special(b)) {
        put(utf8, from, to);
        return this;
      }
      out[at++] = b;
    }
    length = at;
    return this;
  }

  private void put(byte[] utf8, int from, int to) {
    boolean quoted = to > from && (blank(utf8[from]) || blank(utf8[to - 1]));
    for (int i = from; i < to && !quoted; i++) {
      quoted = special(utf8[i]);
    }
    if (!quoted) {
      copy(utf8, from, to);
      return;
    }
    room(1);
    buffer[length++] = '"';
    for (int i = from; i < to; i++) {
      room(2);
      if (utf8[i] == '"') {
        buffer[length++] = '"';
      }
      buffer[length++] = utf8[i];
    }
    room(1);
    buffer[length++] = '"';
  }

  private void copy(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      room(1);
      int part = Math.min(to - at, buffer.length - length);
      System.arraycopy(bytes, at, buffer, length, part);
      length += part;
      at += part;
    }
  }

  private static boolean special(int c) {
    return c == ',' || c == '"' || c == '\n' || c == '\r';
  }

  /** Bytes of multi-byte characters are negative, and no blanks. */
  private static boolean blank(byte b) {
    return b >= 0 && b <= ' ';
  }

  public CsvOutput empty() {
    separate(0);
    return this;
  }

  public CsvOutput whole(long value) {
    separate(LONGEST_NUMBER);
    if (value == Long.MIN_VALUE) {
      return ascii(Long.toString(value));
    }
    putWhole(value);
    return this;
  }

  /**
   * A number with at most 9 decimals and at most 15 significant digits, whichever is less: {@code
   * 0.5}, {@code 1234567.12345679}. Trailing zeros are left out, and the point of a whole number;
   * there is no exponent and no negative zero. From 10^15 on, the fewest digits that read back to
   * the same number, filled up with zeros. A number with so few digits reads back as it was. The
   * last digit may be off by one from exact rounding where the next ones are all but a half.
   *
   * @throws IllegalArgumentException for what is not a finite number
   */
  public CsvOutput decimal(double value) {
    separate(LONGEST_NUMBER);
    double size = Math.abs(value);
    if (!(size < 1e15)) {
      return ascii(plain(value));
    }
    long whole = (long) value;
    if (whole == value) {
      putWhole(whole);
      return this;
    }
    int decimals = MOST_DECIMALS;
    while (size >= POWERS[15 - decimals]) {
      decimals--;
    }
    // Both factors are exact and the product is at most 10^15: off by a sixteenth of a unit.
    putScaled(value < 0, (long) Math.rint(size * POWERS[decimals]), decimals);
    return this;
  }

  /**
   * A number with as many digits as it takes to read back the very same number, without exponent.
   * For inputs that a run must be repeatable from; {@link #decimal} is for results.
   *
   * @throws IllegalArgumentException for what is not a finite number
   */
  public CsvOutput exact(double value) {
    separate(LONGEST_NUMBER);
    double size = Math.abs(value);
    if (!(size < EXACT_WHOLE)) {
      return ascii(plain(value));
    }
    long whole = (long) value;
    if (whole == value) {
      putWhole(whole);
      return this;
    }
    int decimals = MOST_DECIMALS;
    while (size * POWERS[decimals] >= EXACT_WHOLE) {
      decimals--;
    }
    // A whole number below 2^53 over a small power of ten: both exact, so the division is rounded
    // once, just as a reader rounds the text.
    double scaled = Math.rint(size * POWERS[decimals]);
    if (scaled / POWERS[decimals] != size) {
      return ascii(plain(value));
    }
    putScaled(value < 0, (long) scaled, decimals);
    return this;
  }

  /** The shortest digits that read back, without exponent. */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(value + " cannot be written: it is not a finite number");
    }
    if (value == 0) {
      return "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    return shortest.toPlainString();
  }

  private CsvOutput ascii(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    copy(bytes, 0, bytes.length);
    return this;
  }

  private void putWhole(long value) {
    byte[] to = buffer;
    int at = length;
    if (value < 0) {
      to[at++] = '-';
    }
    length = digits(to, at, Math.abs(value));
  }

  /** {@code scaled / 10^decimals}, without trailing zeros. */
  private void putScaled(boolean negative, long scaled, int decimals) {
    byte[] to = buffer;
    int at = length;
    if (negative && scaled != 0) {
      to[at++] = '-';
    }
    // Nearly always 9: a division by a constant is several times faster.
    long whole = decimals == MOST_DECIMALS ? scaled / 1_000_000_000 : scaled / POWERS[decimals];
    at = digits(to, at, whole);
    int fraction = (int) (scaled - whole * POWERS[decimals]);
    if (fraction != 0) {
      int left = decimals;
      while (fraction % 1000 == 0) {
        fraction /= 1000;
        left -= 3;
      }
      to[at++] = '.';
      digits(to, at, fraction, left);
      at += left;
      while (to[at - 1] == '0') {
        at--;
      }
    }
    length = at;
  }

  /** Writes a number of at least 0 and returns where it ends. */
  private static int digits(byte[] to, int at, long value) {
    if (value < 1_000_000_000) {
      int small = (int) value;
      int digits = 1;
      for (int limit = 10; digits < 9 && small >= limit; limit *= 10) {
        digits++;
      }
      digits(to, at, small, digits);
      return at + digits;
    }
    int end = digits(to, at, value / 1_000_000_000);
    digits(to, end, (int) (value % 1_000_000_000), 9);
    return end + 9;
  }

  /** Writes so many digits, from the right, two at a time, with zeros in front. */
  private static void digits(byte[] to, int from, int value, int digits) {
    int rest = value;
    int at = from + digits;
    while (at - from >= 2) {
      int next = rest / 100;
      int pair = rest - next * 100;
      at -= 2;
      to[at] = TENS[pair];
      to[at + 1] = UNITS[pair];
      rest = next;
    }
    if (at > from) {
      to[from] = (byte) ('0' + rest);
    }
  }

  public void endRow() {
    room(1);
    buffer[length++] = '\n';
    rowStarted = false;
  }

  /** Starts a field that needs so much room at once. */
  private void separate(int bytes) {
    room(bytes + 1);
    if (rowStarted) {
      buffer[length++] = ',';
    }
    rowStarted = true;
  }

  private void room(int bytes) {
    if (buffer.length - length < bytes) {
      flush();
    }
  }

  private void flush() {
    try {
      stream.write(buffer, 0, length);
      length = 0;
    } catch (IOException e) {
      throw AtomicFile.failure(name, e);
    }
  }

  /** Writes out what is buffered, and gives the file its name. The last call before closing. */
  public void finish() {
    flush();
    if (file != null) {
      file.commit();
      return;
    }
    try {
      stream.flush();
    } catch (IOException e) {
      throw AtomicFile.failure(name, e);
    }
  }

  /** Closes the output. What was not finished is thrown away. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
      return;
    }
    try {
      stream.close();
    } catch (IOException e) {
      throw AtomicFile.failure(name, e);
    }
  }
}
