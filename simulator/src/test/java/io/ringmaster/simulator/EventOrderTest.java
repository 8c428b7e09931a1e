package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens at one instant happens in one order: ends, arrivals, one decision. */
class EventOrderTest {
  private static final Cluster ONE_GPU = Cluster.uniform(1, 1, Network.None.USUAL, 0);

  private static List<Double> starts(Jobs jobs, RunResult run) {
    List<Double> starts = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      starts.add(run.startSeconds(job));
    }
    return starts;
  }

  /** Notes what it is shown, and starts what fits. */
  private static final class Notes implements Policy {
    final List<String> lines = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();

    @Override
    public void decide(View view, Decisions decisions) {
      lines.add(
          "%s ended %s arrived %s free %d"
              .formatted(
                  view.nowSeconds(),
                  Arrays.toString(view.ended().toArray()),
                  Arrays.toString(view.arrived().toArray()),
                  view.free().total()));
      for (int i = 0; i < view.arrived().size(); i++) {
        waiting.add(view.arrived().get(i));
      }
      while (!waiting.isEmpty() && view.free().total() > 0) {
        decisions.start(waiting.removeFirst(), Placement.on(0, 1));
      }
      if (view.nowSeconds() == 0) {
        decisions.wakeAt(10);
      }
    }
  }

  @Test
  void endsArrivalsAndAWakeUpAtOneInstantAreOneDecision() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 10, "")
            .addDuration("b", 10, 1, 5, "")
            .addDuration("c", 10, 1, 5, "")
            .build();
    Notes notes = new Notes();
    Runs.run(ONE_GPU, jobs, notes, new Estimate.Perfect(), 1, RunObserver.NONE);
    assertThat(notes.lines)
        .containsExactly(
            "0.0 ended [] arrived [0] free 1",
            "10.0 ended [0] arrived [1, 2] free 1",
            "15.0 ended [1] arrived [] free 1",
            "20.0 ended [2] arrived [] free 1");
  }

  /** At 10 the GPU gets free and two jobs come; one that waited since 1 is still the first. */
  @Test
  void whoWaitedGoesBeforeWhoArrivesWhenAGpuGetsFree() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("runs", 0, 1, 10, "")
            .addDuration("waits", 1, 1, 3, "")
            .addDuration("comes", 10, 1, 3, "")
            .build();
    assertThat(starts(jobs, Runs.run(ONE_GPU, jobs, "fifo"))).containsExactly(0.0, 10.0, 13.0);
  }

  /** A shorter job that comes at the very moment at which a GPU gets free is not too late. */
  @Test
  void whoArrivesWhenAGpuGetsFreeIsInTheDecision() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("runs", 0, 1, 10, "")
            .addDuration("waits", 1, 1, 3, "")
            .addDuration("comes", 10, 1, 2, "")
            .build();
    assertThat(starts(jobs, Runs.run(ONE_GPU, jobs, "sjf"))).containsExactly(0.0, 12.0, 10.0);
  }

  @ParameterizedTest
  @CsvSource({"fifo", "sjf", "easy", "srtf", "srsf", "las", "drf", "first-fit", "list-scheduling"})
  void tiesBreakBySubmissionThenByRow(String policy) {
    // Rows out of order; equal lengths and sizes. Order of submission, then of rows: b d c a.
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("c", 5, 1, 10, "")
            .addDuration("b", 0, 1, 10, "")
            .addDuration("a", 5, 1, 10, "")
            .addDuration("d", 0, 1, 10, "")
            .build();
    assertThat(List.of(jobs.id(0), jobs.id(1), jobs.id(2), jobs.id(3)))
        .containsExactly("b", "d", "c", "a");
    assertThat(starts(jobs, Runs.run(ONE_GPU, jobs, policy)))
        .containsExactly(0.0, 10.0, 20.0, 30.0);
  }

  @Test
  void blockingHoldsUpWhatIsBehindAndSkippingDoesNot() {
    Cluster two = Cluster.uniform(1, 2, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("runs", 0, 1, 10, "")
            .addDuration("wide", 1, 2, 10, "")
            .addDuration("narrow", 2, 1, 20, "")
            .build();
    assertThat(starts(jobs, Runs.run(two, jobs, "fifo"))).containsExactly(0.0, 10.0, 20.0);
    assertThat(starts(jobs, Runs.run(two, jobs, "fifo", "blocking=false")))
        .containsExactly(0.0, 22.0, 2.0);
  }

  @Test
  void aPolicyThatStartsNothingIsNamed() {
    Jobs jobs = Jobs.builder(ModelTable.standard()).addDuration("a", 0, 1, 10, "").build();
    Policy idle = (_, _) -> {};
    assertThatThrownBy(
            () -> Runs.run(ONE_GPU, jobs, idle, new Estimate.Perfect(), 1, RunObserver.NONE))
        .hasMessage(
            "policy tested leaves 1 jobs waiting for ever: nothing runs and it starts nothing");
  }
}
