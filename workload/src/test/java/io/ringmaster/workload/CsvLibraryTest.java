package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * {@link CsvOutput} beside FastCSV's writer: the same rows. {@code -Dlibraries.print=true} prints
 * CPU time; see docs/decisions/0043.
 */
class CsvLibraryTest {
  private static final boolean PRINT = Boolean.getBoolean("libraries.print");
  private static final int ROWS = PRINT ? 200_000 : 2_000;
  private static final int ROUNDS = PRINT ? 5 : 1;

  private final double[] seconds = new SplittableRandom(1).doubles(ROWS, 0, 1e6).toArray();

  private byte[] byHand() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CsvOutput out = new CsvOutput(bytes, "test")) {
      for (int i = 0; i < ROWS; i++) {
        out.text("j" + i).whole(i).decimal(seconds[i]).endRow();
      }
      out.finish();
    }
    return bytes.toByteArray();
  }

  /** Up to 15 significant digits and 9 decimals, as files have them. */
  private static String decimal(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(15, RoundingMode.HALF_UP));
    BigDecimal shown = rounded.scale() > 9 ? rounded.setScale(9, RoundingMode.HALF_UP) : rounded;
    return shown.stripTrailingZeros().toPlainString();
  }

  private byte[] library() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CsvWriter out =
        CsvWriter.builder().build(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
      for (int i = 0; i < ROWS; i++) {
        out.writeRecord("j" + i, Integer.toString(i), decimal(seconds[i]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void print(String what, Runnable write) {
    for (int round = 0; round < ROUNDS; round++) {
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      write.run();
      long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      if (PRINT && round == ROUNDS - 1) {
        System.out.printf(
            Locale.ROOT, "%-20s %8.3f us a row%n", what, (after - before) / 1e3 / ROWS);
      }
    }
  }

  @Test
  void bothWriteTheSame() {
    List<String> ours = new String(byHand(), StandardCharsets.UTF_8).lines().toList();
    List<String> others = new String(library(), StandardCharsets.UTF_8).lines().toList();
    assertThat(ours).hasSameSizeAs(others);
    for (int i = 0; i < ROWS; i++) {
      String[] own = ours.get(i).split(",", -1);
      String[] other = others.get(i).split(",", -1);
      assertThat(own[0] + own[1]).isEqualTo(other[0] + other[1]);
      // The last of 15 digits may differ by one.
      assertThat(Double.parseDouble(own[2])).isCloseTo(Double.parseDouble(other[2]), within(2e-9));
    }
    print("CsvOutput", this::byHand);
    print("FastCSV", this::library);
  }
}
