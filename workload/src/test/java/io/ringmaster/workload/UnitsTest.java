package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "10Gbps, 1.25e9",
    "300Gbps, 37.5e9",
    "100GB/s, 100e9",
    "1.5GiB/s, 1610612736",
    "1bps, 0.125",
    "8bps, 1",
    "1B/s, 1",
    "1kbps, 125",
    "1Kbps, 125",
    "1kB/s, 1000",
    "1KB/s, 1000",
    "1KiB/s, 1024",
    "1Kibps, 128",
    "2MB/s, 2e6",
    "2MiB/s, 2097152",
    "1Tbps, 125e9",
    "1TB/s, 1e12",
    "1TiB/s, 1099511627776",
    "0.1Gbps, 12500000",
    "1e3Mbps, 125e6",
    "10 Gbps, 1.25e9",
    "5.GB/s, 5e9",
  })
  void bandwidths(String text, double bytesPerSecond) {
    assertThat(Units.bytesPerSecond(text)).isEqualTo(bytesPerSecond);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5ms, 0.5e-3",
    "10s, 10",
    "500us, 500e-6",
    "2min, 120",
    "1h, 3600",
    "1d, 86400",
    "0, 0",
    "0s, 0",
    "1.5 h, 5400",
    "0.1ms, 1e-4",
  })
  void durations(String text, double seconds) {
    assertThat(Units.seconds(text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "0",
        "0Gbps",
        "-1Gbps",
        "Gbps",
        "10gbps",
        "10Gb/s",
        "10GBps",
        "10mbps",
        "NaNGbps",
        "NaN",
        "Infinity",
        "1e999GB/s",
        "1e-999B/s",
        "0x10bps",
        "10s",
        "1,5Gbps",
        "10 Gbps x"
      })
  void badBandwidths(String text) {
    assertThatThrownBy(() -> Units.bytesPerSecond(text))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "'" + text + "' is not a bandwidth above 0 with its unit, such as 10Gbps or 1.25GB/s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "1.5", "-1s", "s", "10S", "10sec", "NaNs", "NaN", "Infinity", "1e999s"})
  void badDurations(String text) {
    assertThatThrownBy(() -> Units.seconds(text))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "'"
                + text
                + "' is not a duration of at least 0 with its unit (us, ms, s, min, h, d),"
                + " such as 10s");
  }

  @ParameterizedTest
  @CsvSource({"512GB, 512e9", "1GiB, 1073741824", "1.5 kB, 1500", "8B, 8", "2TB, 2e12"})
  void sizes(String text, double bytes) {
    assertThat(Units.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "512", "0GB", "-1GB", "GB", "512gb", "512Gb", "512GB/s", "1e999GB"})
  void badSizes(String text) {
    assertThatThrownBy(() -> Units.bytes(text))
        .isInstanceOf(BadInput.class)
        .hasMessage("'" + text + "' is not a size above 0 with its unit, such as 512GB or 512GiB");
  }

  @ParameterizedTest
  @CsvSource({"300W, 300", "0.4kW, 400", "0W, 0"})
  void power(String text, double watts) {
    assertThat(Units.watts(text)).isEqualTo(watts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "300", "-1W", "300w", "1MW"})
  void badPower(String text) {
    assertThatThrownBy(() -> Units.watts(text))
        .isInstanceOf(BadInput.class)
        .hasMessage("'" + text + "' is not a power with its unit, such as 300W");
  }

  @Test
  void aHugeExponentIsRefusedAtOnce() {
    assertThatThrownBy(() -> Units.bytesPerSecond("1e2000000000B/s")).isInstanceOf(BadInput.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1.25e9, 10Gbps, 1.25GB/s",
    "37.5e9, 300Gbps, 37.5GB/s",
    "100e9, 800Gbps, 100GB/s",
    "125e9, 1Tbps, 125GB/s",
    "0.125, 1bps, 0.125B/s",
    "0.01, 0.08bps, 0.01B/s",
    "1610612736, 12.884901888Gbps, 1.610612736GB/s",
  })
  void writtenBandwidths(double bytesPerSecond, String bits, String bytes) {
    assertThat(Units.bits(bytesPerSecond)).isEqualTo(bits);
    assertThat(Units.bytes(bytesPerSecond)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0, 0s", "10, 10s", "0.5, 0.5s", "0.5e-3, 0.5ms", "20e-6, 20us", "86400, 86400s"})
  void writtenDurations(double seconds, String text) {
    assertThat(Units.duration(seconds)).isEqualTo(text);
  }

  @Test
  void whatIsWrittenReadsBackTheSame() {
    long seed = 20260101;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      double value = StrictMath.exp(random.nextDouble(-40, 40));
      String where = "seed " + seed + ", draw " + i;
      assertThat(Units.bytesPerSecond(Units.bits(value))).as(where).isEqualTo(value);
      assertThat(Units.bytesPerSecond(Units.bytes(value))).as(where).isEqualTo(value);
      assertThat(Units.seconds(Units.duration(value))).as(where).isEqualTo(value);
      assertThat(Units.bytes(Units.size(value))).as(where).isEqualTo(value);
    }
  }
}
