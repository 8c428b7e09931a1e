package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "-1",
        "+7",
        "0.1",
        ".5",
        "5.",
        "007",
        "123456789012345",
        "1234567890123456",
        "9007199254740993",
        "0.000000000000001",
        "0.0000000000000001",
        "1e3",
        "1E-3",
        "2.5e+10",
        "1e400",
        "1e-400",
        "999999999999999.9",
        "179769313486231580793728971405301e300",
        "-0.25"
      })
  void likeParseDouble(String text) {
    assertThat(Numbers.parse(text)).isEqualTo(Double.parseDouble(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "1-",
        "--1",
        "1f",
        "1d",
        "1D",
        "0x10",
        "0x1p3",
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "inf",
        "1,5",
        "1 2",
        "1_000",
        "٣",
        "1e5.5",
        "12345678901234567890x",
        "1e5e5"
      })
  void whatIsNoNumber(String text) {
    assertThat(Numbers.parse(text)).isNaN();
  }

  @Test
  void blanksAroundAreNoMatter() {
    assertThat(Numbers.parse("  12.5\t")).isEqualTo(12.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0", "-0.0", "-0e5", "-0.00000000000000000000"})
  void zeroHasNoSign(String text) {
    assertThat(Double.doubleToRawLongBits(Numbers.parse(text))).isZero();
  }

  @Test
  void onlyTheGivenCharactersAreRead() {
    assertThat(Numbers.parse("9912.599".toCharArray(), 2, 6)).isEqualTo(12.5);
  }

  @Test
  void likeParseDoubleOnRandomTexts() {
    long seed = 7;
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String text = randomNumber(random);
      assertThat(Numbers.parse(text))
          .as("seed " + seed + ", text " + text)
          .isEqualTo(Double.parseDouble(text) + 0.0);
    }
  }

  private static String randomNumber(Random random) {
    StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "-" : "");
    int whole = random.nextInt(12);
    for (int i = 0; i < whole; i++) {
      text.append(random.nextInt(10));
    }
    int decimals = random.nextInt(12);
    if (decimals > 0 || whole == 0) {
      text.append('.');
    }
    for (int i = 0; i < decimals || (whole == 0 && i == 0); i++) {
      text.append(random.nextInt(10));
    }
    return random.nextInt(8) == 0 ? text + "e" + random.nextInt(-30, 30) : text.toString();
  }
}
