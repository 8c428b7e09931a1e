package io.ringmaster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What policies say of where they put jobs, and why a job waits that is not there. */
class PlacementRuleTest {
  /** Two servers of 4 GPUs, on which crossing costs. */
  private static final Cluster TWO = Cluster.uniform(2, 4, Network.Contention.USUAL, 0);

  private static WaitReason reason(
      String policy, Map<String, String> given, boolean anyElastic, int workers) {
    PolicySpec spec = Policies.named(policy);
    ScratchServers free = new ScratchServers(TWO);
    free.take(Placement.on(0, 2), Demand.NONE);
    free.take(Placement.on(1, 2), Demand.NONE);
    return spec.placement(spec.settings(given), TWO, anyElastic).reason(free, Demand.NONE, workers);
  }

  /** Two GPUs are free on each server. A job of 4 would have to cross. */
  @ParameterizedTest
  @CsvSource({
    "fifo, placement=auto, FRAGMENTED",
    "fifo, placement=any, BEHIND",
    "fifo, placement=pack, BEHIND",
    "easy, placement=consolidate, FRAGMENTED",
    "drf, placement=spread, BEHIND",
    "spjf, reserve=false, BEHIND",
    "spjf, reserve=true, PLACEMENT",
    "a-srpt, mode=reserve, PLACEMENT",
    "ada-srsf, kappa=1, PLACEMENT",
    "sjf-bco, gpus=idle, PLACEMENT",
    "optimus, slot=600, FRAGMENTED",
    "doubling, every=0, FRAGMENTED",
    "maestro, objective=jct, PLACEMENT",
    "maestro, objective=makespan, PLACEMENT",
    "maestro, objective=utility, FRAGMENTED"
  })
  void aJobThatWouldHaveToCross(String policy, String setting, WaitReason expected) {
    String[] parts = setting.split("=", 2);
    Map<String, String> given = Map.of(parts[0], parts[1]);
    assertThat(reason(policy, given, false, 4)).isEqualTo(expected);
    assertThat(reason(policy, given, false, 5)).isEqualTo(WaitReason.CAPACITY);
    assertThat(reason(policy, given, false, 2)).isEqualTo(WaitReason.BEHIND);
  }

  /** It weighs places for jobs of fixed sizes; jobs that grow and shrink it packs. */
  @Test
  void maestroHasAnotherRuleWhereJobsAreElastic() {
    assertThat(reason("maestro", Map.of(), false, 4)).isEqualTo(WaitReason.PLACEMENT);
    assertThat(reason("maestro", Map.of(), true, 4)).isEqualTo(WaitReason.FRAGMENTED);
  }

  /** One server of 8 GPUs and 16 CPUs, 12 of which are taken: room for 2 workers of 2 CPUs. */
  @Test
  void gpusWithoutCpusAreNoCapacity() {
    Server server = new Server("s1", 8, "v100", "r1", 1e9, 1e10, 16, Double.POSITIVE_INFINITY, 300);
    Cluster cluster = new Cluster("one", List.of(server), Network.None.USUAL, 0);
    ScratchServers free = new ScratchServers(cluster);
    free.take(Placement.on(0, 2), new Demand(6, 0));
    Demand demand = new Demand(2, 0);
    for (PolicySpec spec : Policies.all()) {
      PlacementRule rule = spec.placement(spec.settings(Map.of()), cluster, false);
      assertThat(rule.reason(free, demand, 3)).as(spec.name()).isEqualTo(WaitReason.CAPACITY);
      assertThat(rule.reason(free, demand, 2)).as(spec.name()).isEqualTo(WaitReason.BEHIND);
    }
  }
}
