package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.api.Limit;
import io.ringmaster.control.api.Limits;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The section of limits, and the page that tells of it. */
class LimitsSectionTest {
  private static final Pattern ROW = Pattern.compile("\\| `([a-z_]+)` \\| ([0-9.]+) \\|");

  @TempDir Path folder;

  private Limits read(String section) {
    Path file = folder.resolve("server.yaml");
    try {
      Files.writeString(file, "limits: " + section + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return ServeConfig.of(file, new ServeConfig.Given(null, null, null, 1)).limits();
  }

  @Test
  void whatIsNotSaidIsUsual() {
    Limits limits = read("{listeners: 300, body_s: 2.5}");
    assertThat(limits).isEqualTo(Limits.usual().with(Limit.LISTENERS, 300).with(Limit.BODY_S, 2.5));
    assertThat(limits.whole(Limit.OPEN_JOBS)).isEqualTo(20_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {listeners: 0}                     | listeners
          {listeners: 1.5}                   | a whole number from 1 to 100000
          {listeners: many}                  | many
          {listener: 1}                      | listener
          {body_s: -1}                       | a number from 0.01 to 3600
          {connections: 20}                  | connections_per_address: 1000 is more than connections, 20
          {priority: 10, admin_priority: 5}  | priority: 10 is more than admin_priority, 5
          [1]                                | limits
          """)
  void whatMakesNoSenseIsNamed(String section, String words) {
    assertThatThrownBy(() -> read(section))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("server.yaml")
        .hasMessageContaining(words);
  }

  @Test
  void thePageTellsOfEachWithItsDefault() throws IOException {
    Path page = Path.of("../docs/limits.md");
    List<String> told =
        ROW.matcher(Files.readString(page))
            .results()
            .map(m -> m.group(1) + " " + m.group(2))
            .toList();
    assertThat(told)
        .isEqualTo(
            Arrays.stream(Limit.values())
                .map(limit -> limit.key() + " " + Limit.text(limit.usual()))
                .toList());
  }
}
