package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of doubling on random workloads; cases by hand are with the policy. */
class DoublingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode=precomputed",
        "every=300",
        "mode=exploratory",
        "hysteresis=0",
        "estimate=noise:0.5"
      })
  void randomRunsAreValid(String setting) {
    Seeds.each(
        40,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 20, true);
          Segments segments = new Segments();
          RunResult run = Runs.run(cluster, jobs, "doubling", seed, segments, setting);
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
        });
  }
}
