package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.BadInput;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What one user may take of the plane, and what others can do about it. */
class FairShareTest {
  private static final UserLimits FEW = new UserLimits(2, 5000, 100, 600, 1000, 86_400);

  private static String job(String more) {
    return "{\"command\": [\"train\"], \"gpus\": 1%s}".formatted(more.isEmpty() ? "" : ", " + more);
  }

  private static void refused(Refused.Kind kind, String words, ThrowingCallable request) {
    assertThatThrownBy(request)
        .hasRootCauseMessage(words)
        .rootCause()
        .isInstanceOfSatisfying(Refused.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private static CompletableFuture<Job> cancel(Stage stage, long id, boolean force) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    stage.step(new Message.Cancel(id, "root", force, reply));
    return reply;
  }

  private static double lastGrace(Stage stage) {
    return stage.sent.stream()
        .filter(Command.Stop.class::isInstance)
        .map(Command.Stop.class::cast)
        .reduce((_, last) -> last)
        .orElseThrow()
        .graceSeconds();
  }

  @Test
  void aUserHasSoManyOpenJobsAndNoMore() {
    Stage stage = new Stage(FEW);
    long first = stage.submit(job(""));
    stage.submit(job(""));
    refused(
        Refused.Kind.TOO_MANY,
        "ada has 2 jobs that have not ended, and may have 2; submit again when some have ended, or"
            + " cancel some",
        () -> stage.submit(job("")));
    // It is one user's limit, and a repeated submission is not a new one.
    stage.submit("bob", "k", job("")).join();
    stage.submit("bob", "k", job("")).join();
    stage.restart();
    assertThatThrownBy(() -> stage.submit(job(""))).hasRootCauseInstanceOf(Refused.class);
    stage.runs(first);
    stage.exits(first, 0, false);
    stage.submit(job(""));
    stage.observe();
  }

  @Test
  void whatAUsersJobsAreDescribedInIsLimited() {
    Stage stage = new Stage(FEW);
    String large = job("\"env\": {\"A\": \"%s\"}".formatted("x".repeat(3000)));
    stage.submit(large);
    refused(
        Refused.Kind.TOO_MANY,
        "this job is described in 0.00 MB, ada's jobs that have not ended in 0.00 MB, and all may"
            + " take 0.01 MB; put long arguments into files, or submit again when some have ended",
        () -> stage.submit(large));
    stage.submit("bob", "", large).join();
  }

  @Test
  void priorityAndGraceHaveCapsByRole() {
    Stage stage = new Stage(FEW);
    refused(
        Refused.Kind.FORBIDDEN,
        "priority: 101 is above the highest that a user may ask for, 100; ask for less, or ask an"
            + " admin to submit it",
        () -> stage.submit(job("\"priority\": 101")));
    refused(
        Refused.Kind.FORBIDDEN,
        "grace_s: 601 is above the longest that a user may ask for, 600; save more often, and ask"
            + " for less, or ask an admin to submit it",
        () -> stage.submit(job("\"grace_s\": 601")));
    stage.submit(job("\"priority\": 100, \"grace_s\": 600"));
    stage.submit("root", Role.ADMIN, "", job("\"priority\": 1000, \"grace_s\": 86400")).join();
  }

  @Test
  void aCancelTakesEffectWithinAUsersGraceAndAForcedOneAtOnce() {
    Stage stage = new Stage(FEW);
    long id = stage.submit("root", Role.ADMIN, "", job("\"grace_s\": 86400")).join().id();
    stage.runs(id);
    assertThat(cancel(stage, id, false).join().state()).isEqualTo(JobState.CANCELLING);
    assertThat(lastGrace(stage)).isEqualTo(600);

    Job killed = cancel(stage, id, true).join();
    assertThat(killed.state()).isEqualTo(JobState.CANCELLING);
    assertThat(killed.reason()).isEqualTo("cancelled by root, killed by root");
    assertThat(lastGrace(stage)).isZero();

    // What was lost on the way is asked for again, as hard, also by the next server.
    stage.restart();
    stage.runs(id);
    assertThat(lastGrace(stage)).isZero();
    stage.exits(id, 137, true);
    assertThat(stage.state(id)).isEqualTo("cancelled");
  }

  @Test
  void aJobOfSomebodyElseIsUnknownToWhoWouldWaitForIt() {
    Stage stage = new Stage(2, 2, "fifo", Map.of());
    long adas = stage.submit(job(""));
    long ended = stage.submit(job(""));
    stage.runs(ended);
    stage.exits(ended, 0, false);
    for (long id : List.of(adas, ended)) {
      assertThatThrownBy(() -> stage.submit("bob", "", job("\"after\": [%d]".formatted(id))).join())
          .hasRootCauseInstanceOf(BadInput.class)
          .hasRootCauseMessage("after: there is no job %d".formatted(id));
      stage.submit("ada", "", job("\"after\": [%d]".formatted(id))).join();
      stage.submit("root", Role.ADMIN, "", job("\"after\": [%d]".formatted(id))).join();
    }
  }

  @Test
  void aJobThatFailsWaitsLongerEachTimeAndHoldsNoGpus() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long id = stage.submit(job("\"retries\": 1000"));
    double[] waits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300};
    for (int i = 0; i < waits.length; i++) {
      stage.runs(id);
      stage.exits(id, 1, false);
      assertThat(stage.state(id)).isEqualTo("queued");
      assertThat(stage.job(id).reason())
          .startsWith(
              "failed with code 1; try %d of 1001 follows after %.0f s, at "
                  .formatted(i + 2, waits[i]));
      assertThat(stage.holds(id)).isZero();
      assertThat(explained(stage, id)).first().isEqualTo(stage.job(id).reason());
      if (i == 3) {
        // Others have the GPU meanwhile, and a new server waits on.
        long other = stage.submit(job(""));
        assertThat(stage.state(other)).isEqualTo("starting");
        stage.restart();
        stage.runs(other);
        stage.exits(other, 0, false);
      }
      stage.now += waits[i] - 0.5;
      stage.step();
      assertThat(stage.state(id)).isEqualTo("queued");
      assertThat(stage.plane.wakeSeconds()).isLessThanOrEqualTo(stage.now + 0.5);
      stage.now += 0.5;
      stage.observe();
      assertThat(stage.state(id)).as("try %d", i + 2).isEqualTo("starting");
    }
    // An attempt that ran for a while was worth its start.
    stage.runs(id);
    stage.now += 600;
    stage.exits(id, 1, false);
    assertThat(stage.job(id).backoff().seconds()).isEqualTo(1);
  }

  private static List<String> explained(Stage stage, long id) {
    return new StoreExplainer(stage.config, stage.store, () -> stage.now)
        .explain(id)
        .orElseThrow()
        .why();
  }

  @Test
  void aJobThatWaitsToBeTriedAgainCanBeCancelled() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long id = stage.submit(job("\"retries\": 3"));
    stage.runs(id);
    stage.exits(id, 1, false);
    assertThat(cancel(stage, id, false).join().state()).isEqualTo(JobState.CANCELLED);
    stage.now += 10;
    stage.observe();
    assertThat(stage.state(id)).isEqualTo("cancelled");
  }
}
