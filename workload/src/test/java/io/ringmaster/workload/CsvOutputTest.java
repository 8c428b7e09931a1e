package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvOutputTest {
  @TempDir Path dir;

  private static String written(Consumer<CsvOutput> rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CsvOutput out = new CsvOutput(bytes, "test")) {
      rows.accept(out);
      out.finish();
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void rows() {
    String text =
        written(out -> {
          out.header("job_id", "start_s", "n");
          out.text("j1").decimal(0.5).whole(-3).endRow();
          out.text("").empty().whole(0).endRow();
        });
    assertThat(text).isEqualTo("job_id,start_s,n\nj1,0.5,-3\n,,0\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plain|plain",
        "two words|two words",
        "a,b|\"a,b\"",
        "say \"hi\"|\"say \"\"hi\"\"\"",
        "` lead`|\" lead\"",
        "`trail `|\"trail \"",
        "größe|größe",
        "größe,x|\"größe,x\"",
        "`a\nb`|`\"a\nb\"`",
        "`a\rb`|`\"a\rb\"`",
        "😀|😀",
      })
  void texts(String value, String expected) {
    assertThat(written(out -> out.text(value))).isEqualTo(expected);
    byte[] bytes = ("xx" + value + "yy").getBytes(StandardCharsets.UTF_8);
    assertThat(written(out -> out.bytes(bytes, 2, bytes.length - 2))).isEqualTo(expected);
  }

  @Test
  void textsLongerThanTheBuffer() {
    String plain = "a".repeat(1_000_000);
    String quoted = "\"".repeat(300_000);
    assertThat(written(out -> out.text(plain).text(quoted)))
        .isEqualTo(plain + ",\"" + quoted + quoted + "\"");
  }

  @Test
  void wholeNumbers() {
    long[] values = {0, 1, -1, 9, 10, 99, 100, 12345, -98765, Integer.MIN_VALUE, 1L << 40};
    for (long value : values) {
      assertThat(written(out -> out.whole(value))).isEqualTo(Long.toString(value));
    }
    assertThat(written(out -> out.whole(Long.MAX_VALUE).whole(Long.MIN_VALUE)))
        .isEqualTo("9223372036854775807,-9223372036854775808");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "-1, -1",
    "0.5, 0.5",
    "-0.5, -0.5",
    "0.1, 0.1",
    "1e-9, 0.000000001",
    "4e-10, 0",
    "-4e-10, 0",
    "6e-10, 0.000000001",
    "123.456, 123.456",
    "0.30000000000000004, 0.3",
    "0.3333333333333333, 0.333333333",
    "999999.9999999999, 1000000",
    "1234567.123456789, 1234567.12345679",
    "123456789.123456789, 123456789.123457",
    "99999999999999.9, 99999999999999.9",
    "999999999999999.9, 1000000000000000",
    "604800, 604800",
    "1e14, 100000000000000",
    "1e15, 1000000000000000",
    "-1e15, -1000000000000000",
    "1.5e300, 15E+299",
    "1e16, 10000000000000000",
  })
  void decimals(double value, String expected) {
    assertThat(written(out -> out.decimal(value)))
        .isEqualTo(new BigDecimal(expected).toPlainString());
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void whatIsNotFiniteIsRefused(double value) {
    assertThatThrownBy(() -> written(out -> out.decimal(value)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> written(out -> out.exact(value)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Half a unit of the last digit, and a sixteenth for the product that is rounded. */
  @Test
  void aMillionDecimalsAreNear() {
    long seed = 42;
    Random random = new Random(seed);
    double[] values = new double[1_000_000];
    for (int i = 0; i < values.length; i++) {
      double size = StrictMath.pow(10, random.nextDouble(-10, 15));
      values[i] = random.nextInt(3) == 0 ? -size : size;
    }
    String[] texts = fields(values, false);
    for (int i = 0; i < values.length; i++) {
      String text = texts[i];
      BigDecimal exact = new BigDecimal(values[i]);
      int wholeDigits = Math.max(0, exact.precision() - exact.scale());
      int decimals = Math.min(9, 15 - wholeDigits);
      BigDecimal bound = new BigDecimal("0.5625").movePointLeft(decimals);
      BigDecimal read = new BigDecimal(text);
      if (read.subtract(exact).abs().compareTo(bound) > 0
          || read.scale() > decimals
          || !text.matches("0|-?(0|[1-9]\\d*)(\\.\\d*[1-9])?")) {
        throw new AssertionError("seed %d: %s as %s".formatted(seed, values[i], text));
      }
    }
  }

  @Test
  void numbersOfFewDigitsReadBackTheSame() {
    long seed = 43;
    Random random = new Random(seed);
    double[] values = new double[300_000];
    for (int i = 0; i < values.length; i++) {
      int decimals = random.nextInt(10);
      long digits = random.nextLong(1_000_000_000_000_000L);
      values[i] = new BigDecimal(digits).movePointLeft(decimals).doubleValue();
    }
    String[] texts = fields(values, false);
    for (int i = 0; i < values.length; i++) {
      assertThat(Double.parseDouble(texts[i])).as("seed " + seed).isEqualTo(values[i]);
    }
  }

  @Test
  void exactNumbersReadBackTheSame() {
    long seed = 44;
    Random random = new Random(seed);
    double[] values = new double[300_000];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1_000_000);
            case 1 -> random.nextInt(1_000_000_000) / 1000.0;
            case 2 -> random.nextGaussian() * 1e6;
            default -> StrictMath.pow(10, random.nextDouble(-300, 300));
          };
    }
    String[] texts = fields(values, true);
    for (int i = 0; i < values.length; i++) {
      assertThat(Double.parseDouble(texts[i])).as("seed " + seed).isEqualTo(values[i]);
      assertThat(texts[i]).doesNotContain("E").doesNotContain("e");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "0.1, 0.1",
    "0.30000000000000004, 0.30000000000000004",
    "86400.125, 86400.125",
    "9007199254740992, 9007199254740992",
    "1e-12, 0.000000000001",
    "0.00225, 0.00225",
  })
  void exact(double value, String expected) {
    assertThat(written(out -> out.exact(value))).isEqualTo(expected);
  }

  private static String[] fields(double[] values, boolean exact) {
    String text =
        written(out -> {
          for (double value : values) {
            var _ = exact ? out.exact(value) : out.decimal(value);
          }
        });
    return text.split(",", -1);
  }

  @Test
  void aFileAppearsWhenItIsFinished() throws IOException {
    Path file = dir.resolve("out.csv");
    try (CsvOutput out = CsvOutput.create(file)) {
      out.text("a").endRow();
      assertThat(file).doesNotExist();
      out.finish();
    }
    assertThat(file).hasContent("a\n");
    assertThat(names()).containsExactly("out.csv");
  }

  @Test
  void aFileThatIsNotFinishedLeavesTheOldOne() throws IOException {
    Path file = dir.resolve("out.csv");
    Files.writeString(file, "old");
    try (CsvOutput out = CsvOutput.create(file)) {
      out.text("a".repeat(1_000_000)).endRow();
    }
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("out.csv");
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path file = Files.writeString(dir.resolve("real.csv"), "old");
    Path link = Files.createSymbolicLink(dir.resolve("link.csv"), file);
    AtomicFile.write(link, "new");
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(file).hasContent("new");
  }

  @Test
  void aDirectoryIsRefused() {
    assertThatThrownBy(() -> CsvOutput.create(dir))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(dir + ": cannot write: it is a directory");
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path file = dir.resolve("none/out.csv");
    assertThatThrownBy(() -> CsvOutput.create(file))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(file + ": cannot write: no such file or directory");
  }

  @Test
  void aFullDiskIsOneLineThatNamesTheFile() {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "there is no /dev/full here");
    assertThatThrownBy(
            () -> {
              try (CsvOutput out = CsvOutput.create(full)) {
                out.text("a").endRow();
                out.finish();
              }
            })
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("/dev/full: cannot write: No space left on device");
    assertThatThrownBy(() -> AtomicFile.write(full, "a"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("/dev/full: cannot write: No space left on device");
    assertThat(full).exists();
  }

  private Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(f -> f.getFileName().toString()).toList().stream();
    }
  }
}
