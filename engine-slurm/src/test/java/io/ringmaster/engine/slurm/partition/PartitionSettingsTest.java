package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.engine.slurm.client.SlurmByRest;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartitionSettingsTest {
  private static PartitionSettings settings(Map<String, String> given) {
    return PartitionSettings.of(SlurmEngine.KIND.settings(given));
  }

  @Test
  void aSlurmrestdIsAskedIfOneIsNamed() {
    assertThat(settings(Map.of()).slurm()).isNotInstanceOf(SlurmByRest.class);
    assertThat(settings(Map.of("rest", "http://slurm:6820/", "token-file", "/jwt")).slurm())
        .isInstanceOf(SlurmByRest.class);
  }

  @Test
  void theAddressAndTheTokenGoTogether() {
    assertThatThrownBy(() -> settings(Map.of("rest", "http://slurm:6820")))
        .hasMessageStartingWith("engine: 'rest' needs 'token-file' beside it, as in: engine: {");
    assertThatThrownBy(() -> settings(Map.of("token-file", "/jwt")))
        .hasMessageStartingWith("engine: 'token-file' needs 'rest' beside it");
  }

  @Test
  void whatIsNoAddressIsRefused() {
    assertThatThrownBy(() -> settings(Map.of("rest", "slurm:6820", "token-file", "/jwt")))
        .hasMessageContaining("an address as in http://slurm:6820");
  }
}
