package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Arrival.State;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.JobQuery;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Jobs that people gave to the place itself. */
class ArrivalsTest {
  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private static Arrival arrival(String id, int gpus, State state) {
    return new Arrival(
        id,
        "ada",
        JobSpecs.of(Map.of("command", List.of("train.sh"), "gpus", gpus)),
        state,
        state == State.READY ? "" : "waits in Slurm: afterok:3");
  }

  /** The place tells of these, and of nothing else that people gave it. */
  private void told(Arrival... arrivals) {
    stage.arrivals.clear();
    stage.arrivals.addAll(List.of(arrivals));
    stage.now += 11;
    stage.observe();
  }

  private List<Job> jobs() {
    return stage.store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, 100));
  }

  @Test
  void isTakenUpOnceHoweverOftenItIsTold() {
    told(arrival("c/7", 2, State.READY));
    told(arrival("c/7", 2, State.READY));
    stage.restart();
    told(arrival("c/7", 2, State.READY));
    assertThat(jobs()).hasSize(1);
    assertThat(jobs().getFirst().arrival()).isEqualTo("c/7");
    assertThat(jobs().getFirst().user()).isEqualTo("ada");
  }

  @Test
  void isLaunchedLikeAnyOther() {
    told(arrival("c/7", 2, State.READY));
    assertThat(stage.asked()).containsExactly("start 1.1 on s0001:2");
    stage.runs(1);
    stage.exits(1, 0, false);
    assertThat(stage.state(1)).isEqualTo("succeeded");
    told();
    assertThat(stage.asked()).containsExactly("forget 1.1");
  }

  @Test
  void waitsAsLongAsThePlaceSays() {
    told(arrival("c/7", 2, State.WAITS));
    assertThat(stage.state(1)).isEqualTo("submitted");
    assertThat(stage.job(1).reason()).isEqualTo("waits in Slurm: afterok:3");
    stage.restart();
    assertThat(stage.state(1)).isEqualTo("submitted");
    told(arrival("c/7", 2, State.READY));
    assertThat(stage.state(1)).isEqualTo("starting");
  }

  @Test
  void whatWaitsHereCanBeHeldThere() {
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.READY));
    assertThat(stage.state(2)).isEqualTo("queued");
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.WAITS));
    assertThat(stage.state(2)).isEqualTo("submitted");
    stage.runs(1);
    stage.exits(1, 0, false);
    told(arrival("c/8", 4, State.WAITS));
    assertThat(stage.state(2)).isEqualTo("submitted");
    told(arrival("c/8", 4, State.READY));
    assertThat(stage.state(2)).isEqualTo("starting");
  }

  @Test
  void whatIsOverThereIsOverHere() {
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.READY));
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.OVER));
    assertThat(stage.state(2)).isEqualTo("cancelled");
  }

  @Test
  void whoIsMissedForAWhileIsGone() {
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.READY));
    told(arrival("c/7", 4, State.READY));
    assertThat(stage.state(2)).isEqualTo("queued");
    told(arrival("c/7", 4, State.READY));
    assertThat(stage.state(2)).isEqualTo("cancelled");
    assertThat(stage.job(2).reason()).contains("not there any more");
  }

  @Test
  void aCancelHereIsOneThere() {
    told(arrival("c/7", 4, State.READY), arrival("c/8", 4, State.READY));
    stage.runs(1);
    stage.asked();
    stage.step(new Message.Cancel(2, "ada", false, new CompletableFuture<>()));
    assertThat(stage.asked()).containsExactly("withdraw c/8");
    stage.step(new Message.Cancel(1, "ada", false, new CompletableFuture<>()));
    assertThat(stage.asked()).containsExactly("stop 1.1", "withdraw c/7");
    stage.seen(1, 1, new Status.Exited(143, true));
    assertThat(stage.state(1)).isEqualTo("cancelled");
    // As long as it is there, whoever forgot it.
    stage.restart();
    told(arrival("c/8", 4, State.READY));
    assertThat(stage.asked()).contains("withdraw c/8");
  }

  @Test
  void whatNeverFitsSaysSoAndWaits() {
    told(arrival("c/7", 9, State.READY));
    assertThat(stage.state(1)).isEqualTo("submitted");
    assertThat(stage.job(1).reason()).contains("9 workers like these never fit");
  }

  @Test
  void usersWithTooManyJobsWaitOutside() {
    Stage narrow = new Stage(new UserLimits(1, 64_000_000, 100, 600, 1000, 86_400));
    narrow.arrivals.add(arrival("c/7", 2, State.READY));
    narrow.arrivals.add(arrival("c/8", 2, State.READY));
    narrow.now += 11;
    narrow.observe();
    assertThat(narrow.store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, 9))).hasSize(1);
    narrow.runs(1);
    narrow.exits(1, 0, false);
    narrow.now += 11;
    narrow.observe();
    assertThat(narrow.store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, 9))).hasSize(2);
  }
}
