package io.ringmaster.experiments.adasrsf;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.registry.Experiments;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The experiment as it is found by name. */
class AdaSrsfExperimentTest {
  @Test
  void isTheSameWithAnyNumberOfThreads() {
    Experiment experiment = Experiments.named("ada-srsf");
    AtomicLong most = new AtomicLong();

    Experiment.Results one = experiment.run(1, 1, _ -> {});
    Experiment.Results two = experiment.run(1, 2, done -> most.accumulateAndGet(done, Math::max));

    assertThat(two).isEqualTo(one);
    assertThat(most.get()).isEqualTo(experiment.steps(1));
    assertThat(one.plots()).hasSize(8);
    assertThat(one.rows()).doesNotHaveDuplicates();
    // Eight placements and four gates.
    assertThat(one.rows().stream().filter(row -> row.metric().equals("jct_s"))).hasSize(32);
    assertThat(one.rows())
        .filteredOn(row -> row.metric().equals("jct_s") && row.policy().equals("ada-srsf"))
        .extracting(Row::setting)
        .contains(Map.of("kappa", 1, "gate", "adadual"), Map.of("kappa", 32, "gate", "adadual"));
    assertThat(one.rows())
        .filteredOn(row -> row.paper() != null)
        .extracting(Row::policy)
        .containsExactly("srsf-1", "srsf-2", "first-fit");
  }
}
