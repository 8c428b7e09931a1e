package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A store that was put back to an earlier moment, and an engine that has gone on since. The engine
 * of the test would start whatever it is asked to: what is asked decides.
 */
class RestoredStoreTest {
  private static final String JOB =
      """
      {"command": ["train"], "gpus": 2, "duration_s": 60}\
      """;

  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private void restore() {
    stage.asked();
    stage.store.markRestored();
    stage.restart();
  }

  private void drain(boolean drained) {
    stage.step(new Message.Drain("s0001", drained, "", "ann", new CompletableFuture<>()));
  }

  private void engineHas(long job, int attempt, Status.Phase phase) {
    stage.engine.add(new Status(new AttemptId(job, attempt), phase));
  }

  @Test
  void noAttemptIsBegunWhileOneRunsThatTheStoreDoesNotKnow() {
    // The backup is of a job that waits; since then it was started, stopped, and started again.
    drain(true);
    long id = stage.submit(JOB);
    restore();
    engineHas(id, 2, new Status.Running());

    stage.observe();
    drain(false);
    assertThat(stage.state(id)).isEqualTo("placed");
    assertThat(stage.asked()).containsExactly("stop 1.2");
    stage.engine.clear();
    engineHas(id, 2, new Status.Exited(143, true));
    stage.observe();
    assertThat(stage.state(id)).isEqualTo("starting");
    assertThat(stage.asked()).containsExactly("forget 1.2", "start 1.10001 on s0001:2");
    stage.engine.clear();
    stage.restart();
    stage.observe();
    assertThat(stage.asked())
        .as("it is over once it is over")
        .containsExactly("start 1.10001 on s0001:2");
  }

  @Test
  void anAttemptThatWasAboutToStartIsNotStartedAgain() {
    long id = stage.submit(JOB);
    assertThat(stage.state(id)).isEqualTo("starting");
    // It ran to its end since, and the engine has forgotten it.
    restore();
    stage.observe();
    assertThat(stage.asked()).containsExactly("stop 1.1");
    assertThat(stage.state(id)).isEqualTo("lost");
    stage.seen(id, 1, new Status.Gone("it was stopped before it started"));
    // What was lost waits a second before the next attempt.
    stage.now += 1;
    stage.step();
    assertThat(stage.asked()).containsExactly("forget 1.1", "start 1.10001 on s0001:2");
  }

  @Test
  void whatStillRunsAsTheStoreKnowsItGoesOn() {
    long id = stage.submit(JOB);
    stage.runs(id);
    restore();
    engineHas(id, 1, new Status.Running());
    stage.observe();
    assertThat(stage.asked()).isEmpty();
    stage.exits(id, 0, false);
    assertThat(stage.state(id)).isEqualTo("succeeded");
  }

  @Test
  void idsAreNotGivenAgainAndCommandsAreNewerThanAll() {
    stage.submit(JOB);
    long newest = stage.plane.order();
    // Two jobs that were accepted since: one runs, and must not be taken for a new one.
    restore();
    engineHas(2, 1, new Status.Running());
    stage.observe();
    assertThat(stage.asked()).contains("stop 2.1");
    assertThat(stage.submit(JOB)).isEqualTo(2_000_001);
    assertThat(stage.plane.order()).isGreaterThan(newest + (9_999L << 40));
    assertThat(stage.store.load().lastEntry()).isGreaterThan(2_000_000);
  }
}
