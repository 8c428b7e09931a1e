package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What starts cost: no progress for a while, and for how long after a resume or a resize. */
class RestartTest {
  /** Rows as text: job, start, end, warm-up, workers. */
  private static List<String> segments(Cluster cluster, Jobs jobs, String policy) {
    List<String> rows = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void segment(int job, double start, double end, double warmup, Placement place) {
            rows.add(
                String.format(
                    Locale.ROOT,
                    "%s %.1f-%.1f warm-up %.1f on %d",
                    jobs.id(job),
                    start,
                    end,
                    warmup,
                    place.workers()));
          }
        };
    Runs.run(cluster, jobs, policy, 1, observer, "placement=pack");
    return rows;
  }

  private static JobsBuilder longAndShort() {
    return Jobs.builder(ModelTable.standard())
        .addDuration("long", 0, 8, 20, "")
        .addDuration("short", 5, 8, 14, "");
  }

  /**
   * One job at a time. "long" does 5 of 20 s, waits for "short" (14 s), restarts at 19 and is ready
   * at 29; its 15 s left end at 44.
   */
  @Test
  void aResumedJobMakesNoProgressWhileItWarmsUp() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    assertThat(segments(cluster, longAndShort().build(), "srtf"))
        .containsExactly(
            "long 0.0-5.0 warm-up 0.0 on 8",
            "short 5.0-19.0 warm-up 0.0 on 8",
            "long 19.0-44.0 warm-up 10.0 on 8");
  }

  /**
   * Stopped again at 25, before it is ready: nothing was done since 19, all 15 s are still left.
   */
  @Test
  void aJobStoppedWhileItWarmsUpHasDoneNothing() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    Jobs jobs = longAndShort().addDuration("tiny", 25, 8, 3, "").build();
    assertThat(segments(cluster, jobs, "srtf"))
        .containsExactly(
            "long 0.0-5.0 warm-up 0.0 on 8",
            "short 5.0-19.0 warm-up 0.0 on 8",
            "long 19.0-25.0 warm-up 6.0 on 8",
            "tiny 25.0-28.0 warm-up 0.0 on 8",
            "long 28.0-53.0 warm-up 10.0 on 8");
  }

  /**
   * A first start takes 3 s and a restart 10. "long" is ready at 3 and does 2 s; "short" ends at 5
   * + 3 + 14 = 22; "long" is ready again at 32 and does its 18 s left.
   */
  @Test
  void aFirstStartMayCostLessThanARestart() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 0).costing(3, 10);
    assertThat(segments(cluster, longAndShort().build(), "srtf"))
        .containsExactly(
            "long 0.0-5.0 warm-up 3.0 on 8",
            "short 5.0-22.0 warm-up 3.0 on 8",
            "long 22.0-50.0 warm-up 10.0 on 8");
  }

  @Test
  void aFreeRestartCostsNothing() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 0);
    assertThat(segments(cluster, longAndShort().build(), "srtf"))
        .containsExactly(
            "long 0.0-5.0 warm-up 0.0 on 8",
            "short 5.0-19.0 warm-up 0.0 on 8",
            "long 19.0-34.0 warm-up 0.0 on 8");
  }

  /**
   * Four GPUs; both jobs want 400 GPU-seconds with one to four workers. "a" has four until 10 (40
   * done). Then two each: "a" restarts until 15 and does its other 360 until 195. "b", which never
   * stopped, has done 370 then; on four GPUs it restarts until 200 and does the last 30 in 7.5 s.
   */
  @Test
  void aResizedJobRestartsAndItsNeighbourDoesNot() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 5);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .add("a", 0, 4, 1, 4, 100, true, "", "", "")
            .add("b", 10, 4, 1, 4, 100, true, "", "", "")
            .build();
    assertThat(segments(cluster, jobs, "drf"))
        .containsExactly(
            "a 0.0-10.0 warm-up 0.0 on 4",
            "a 10.0-195.0 warm-up 5.0 on 2",
            "b 10.0-195.0 warm-up 0.0 on 2",
            "b 195.0-207.5 warm-up 5.0 on 4");
  }

  /** A job that keeps its share at an event is not touched. */
  @Test
  void aJobWhoseShareDoesNotChangeGoesOn() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 5);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .add("a", 0, 2, 1, 2, 100, true, "", "", "")
            .add("b", 10, 2, 1, 2, 10, true, "", "", "")
            .build();
    assertThat(segments(cluster, jobs, "drf"))
        .containsExactly("b 10.0-20.0 warm-up 0.0 on 2", "a 0.0-100.0 warm-up 0.0 on 2");
  }

  /** A policy that stops its job at 5 and starts it again at once, where it was or elsewhere. */
  private static RunResult stoppedAndStarted(Placement again, Segments segments) {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 10);
    Jobs jobs = Jobs.builder(ModelTable.standard()).addDuration("j", 0, 4, 20, "").build();
    Policy policy =
        (view, decisions) -> {
          if (view.nowSeconds() == 0) {
            decisions.start(0, Placement.on(0, 4));
            decisions.wakeAt(5);
          } else if (view.nowSeconds() == 5) {
            decisions.suspend(0);
            decisions.start(0, again);
          }
        };
    return Runs.run(cluster, jobs, policy, new Estimate.Perfect(), 1, segments);
  }

  @Test
  void aJobStoppedAndStartedWhereItWasNeverStops() {
    Segments segments = new Segments();
    RunResult run = stoppedAndStarted(Placement.on(0, 4), segments);
    assertThat(run.finishSeconds(0)).isEqualTo(20);
    assertThat(run.restarts(0)).isZero();
    assertThat(segments.size()).isEqualTo(1);
  }

  @Test
  void aJobThatMovesRestarts() {
    Segments segments = new Segments();
    RunResult run = stoppedAndStarted(Placement.on(1, 4), segments);
    assertThat(run.finishSeconds(0)).isEqualTo(30);
    assertThat(run.restarts(0)).isEqualTo(1);
    assertThat(segments.size()).isEqualTo(2);
  }
}
