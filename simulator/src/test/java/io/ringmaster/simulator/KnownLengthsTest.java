package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that is said to ask for lengths does, and one that is said not to does not. */
class KnownLengthsTest {
  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void wrongLengthsChangeTheSchedulesOfThoseThatAskAndOfNobodyElse(String policy) {
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(Map.of());
    AtomicInteger changed = new AtomicInteger();
    Seeds.each(
        30,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, 10);
          Jobs jobs = Workloads.mixed(random, cluster, 40, seed % 2 == 0);
          double[] truth = ends(cluster, jobs, spec, settings, new Estimate.Perfect(), seed);
          double[] wrong = ends(cluster, jobs, spec, settings, new Estimate.Reversed(), seed);
          changed.addAndGet(same(truth, wrong) ? 0 : 1);
        });
    if (spec.lengths(settings) == KnownLengths.NONE) {
      assertThat(changed).hasValue(0);
    } else {
      assertThat(changed).hasPositiveValue();
    }
  }

  /** But for rounding: progress is added up at each moment at which an estimate proves wrong. */
  private static boolean same(double[] truth, double[] other) {
    return IntStream.range(0, truth.length)
        .allMatch(job -> Math.abs(truth[job] - other[job]) <= 1e-9 * truth[job]);
  }

  private static double[] ends(
      Cluster cluster,
      Jobs jobs,
      PolicySpec spec,
      Settings settings,
      Estimate estimate,
      long seed) {
    RunResult run =
        new Simulation(
                cluster,
                jobs,
                Lengths.of(jobs, cluster),
                spec.name(),
                spec.create(settings, cluster),
                estimate,
                seed,
                RunObserver.NONE)
            .run();
    double[] ends = new double[jobs.size()];
    Arrays.setAll(ends, run::finishSeconds);
    return ends;
  }

  @Test
  void fifoAsksOnlyWithReservations() {
    assertThat(lengths("fifo", Map.of())).isEqualTo(KnownLengths.NONE);
    assertThat(lengths("fifo", Map.of("reserve", "true"))).isEqualTo(KnownLengths.KNOWN);
  }

  @Test
  void whatIsNotTheTruthIsAPrediction() {
    assertThat(lengths("sjf", Map.of())).isEqualTo(KnownLengths.KNOWN);
    for (String estimate : new String[] {"predicted", "group-mean", "noise:0.5", "loss:0.1"}) {
      assertThat(lengths("sjf", Map.of("estimate", estimate))).isEqualTo(KnownLengths.PREDICTED);
    }
    assertThat(lengths("las", Map.of())).isEqualTo(KnownLengths.NONE);
  }

  private static KnownLengths lengths(String policy, Map<String, String> given) {
    PolicySpec spec = Policies.named(policy);
    return spec.lengths(spec.settings(given));
  }
}
