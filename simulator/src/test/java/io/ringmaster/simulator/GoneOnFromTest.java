package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A simulation that goes on from where jobs are. */
class GoneOnFromTest {
  private static final Cluster EIGHT = Cluster.uniform(1, 8, Network.None.USUAL, 10);

  /** Each wants all GPUs. */
  private static Jobs jobs(int count, double seconds) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      jobs.addDuration("j" + i, 0, 8, seconds, "");
    }
    return jobs.build();
  }

  private static Simulation simulation(String policy, Jobs jobs, Estimate estimate) {
    PolicySpec spec = Policies.named(policy);
    return new Simulation(
        EIGHT,
        jobs,
        policy,
        spec.create(spec.settings(Map.of()), EIGHT),
        estimate,
        1,
        RunObserver.NONE);
  }

  @Test
  void aJobThatRunsHasTheRestAheadOfIt() {
    Simulation simulation = simulation("fifo", jobs(2, 100), new Estimate.Perfect());
    simulation.place(0, Placement.of(new int[] {0}, new int[] {8}), 60);
    RunResult result = simulation.run();
    assertThat(result.finishSeconds(0)).isEqualTo(40);
    assertThat(result.startSeconds(1)).isEqualTo(40);
  }

  /** Behind it lie 60 s; it restarts for 10 s, and has 40 s to go. */
  @Test
  void aJobThatWasStoppedGoesOnWithARestart() {
    Simulation simulation = simulation("srsf", jobs(2, 100), new Estimate.Perfect());
    simulation.stopped(0, 60);
    RunResult result = simulation.run();
    assertThat(result.finishSeconds(0)).isEqualTo(50);
    assertThat(result.startSeconds(1)).isEqualTo(50);
  }

  /** All are told alike, 100 s; one that has done more must have been told more since. */
  @Test
  void aJobThatOutlivedWhatWasExpectedIsExpectedToGoOn() {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    jobs.addDuration("long", 0, 8, 500, "");
    jobs.addDuration("a", 0, 8, 100, "");
    jobs.addDuration("b", 0, 8, 100, "");
    Simulation simulation = simulation("easy", jobs.build(), new Estimate.Equal());
    simulation.place(0, Placement.of(new int[] {0}, new int[] {8}), 460);
    assertThat(simulation.run().startSeconds(1)).isEqualTo(40);
  }
}
