package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {
  @ParameterizedTest
  @CsvSource({
    "p95 wait < 30min,    p95 wait < 30 min",
    "MEAN  wait<2h,       mean wait < 120 min",
    "p50 completion < 1d, p50 JCT < 24.0 h",
    "p99 jct < 90s,       p99 JCT < 90 s"
  })
  void aGoalIsReadInTheWordsOfPeople(String text, String shown) {
    assertThat(Goal.parse(text).text()).isEqualTo(shown);
  }

  @Test
  void aMistakeIsSaidInWords() {
    assertThatThrownBy(() -> Goal.parse("p90 wait < 1h"))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "'p90 wait < 1h' is no goal; expected such as \"p95 wait < 30min\": mean, p50, p95 or"
                + " p99 of wait or jct");
    assertThatThrownBy(() -> Goal.parse("mean wait < 0"))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("nothing is below 0");
    assertThatThrownBy(() -> Goal.parse("mean wait < 30"))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("with its unit");
  }
}
