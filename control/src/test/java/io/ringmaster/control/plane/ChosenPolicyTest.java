package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a live policy is told. */
class ChosenPolicyTest {
  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private ChosenPolicy chosen(String policy, Map<String, String> settings) {
    return ChosenPolicy.of(
        Map.of(ChosenPolicy.POLICY, policy, ChosenPolicy.SETTINGS, Json.compact(settings)),
        stage.config);
  }

  @Test
  void noneKnowsHowLongALiveJobWillRun() {
    for (PolicySpec spec : Policies.all()) {
      assertThat(chosen(spec.name(), Map.of()).lengths())
          .as(spec.name())
          .isNotEqualTo(KnownLengths.KNOWN);
    }
    assertThat(chosen("maestro", Map.of("objective", "makespan")).lengths())
        .isEqualTo(KnownLengths.PREDICTED);
    assertThat(chosen("srtf", Map.of()).lengths()).isEqualTo(KnownLengths.PREDICTED);
    assertThat(chosen("fifo", Map.of()).lengths()).isEqualTo(KnownLengths.NONE);
    assertThat(chosen("fifo", Map.of("reserve", "true")).lengths())
        .isEqualTo(KnownLengths.PREDICTED);
    assertThat(chosen("las", Map.of()).lengths()).isEqualTo(KnownLengths.NONE);
  }
}
