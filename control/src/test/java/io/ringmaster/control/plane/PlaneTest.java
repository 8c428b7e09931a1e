package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.NotLeading;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PlaneTest {
  private static String job(int gpus, double seconds, String more) {
    return """
    {"command": ["train"], "gpus": %d, "duration_s": %s%s}\
    """
        .formatted(gpus, seconds, more.isEmpty() ? "" : ", " + more);
  }

  @Test
  void aJobIsStartedAndSucceeds() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long id = stage.submit(job(4, 60, ""));

    assertThat(stage.state(id)).isEqualTo("starting");
    assertThat(stage.asked()).containsExactly("start 1.1 on s0001:4");
    stage.runs(id);
    assertThat(stage.state(id)).isEqualTo("running");
    stage.exits(id, 0, false);
    assertThat(stage.state(id)).isEqualTo("succeeded");
    assertThat(stage.asked()).containsExactly("forget 1.1");
    assertThat(stage.store.history(id).stream().map(e -> e.to().text()))
        .containsExactly("queued", "placed", "starting", "running", "succeeded");
    assertThat(stage.store.history(id).get(1).reason())
        .isEqualTo("fifo gave it 4 GPUs; 4 of 4 were free, and no other waits");
  }

  @Test
  void nothingIsAskedOfTheEngineBeforeItIsStored() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    List<String> states = new ArrayList<>();
    Plane plane =
        new Plane(
            stage.config,
            stage.store,
            stage.store.tryLead().orElseThrow(),
            command -> {
              if (command instanceof Command.Start(_, var launch)) {
                states.add(stage.state(launch.attempt().job()));
              }
            },
            new PlaneListener() {},
            stage.mark());
    stage.plane = plane;
    List<JobState> atReply = new ArrayList<>();
    CompletableFuture<Job> reply = new CompletableFuture<>();
    CompletableFuture<Boolean> told = reply.thenApply(j -> atReply.add(stage.job(j.id()).state()));
    stage.step(
        new Message.Submit("ada", Role.USER, "", JobSpecs.of(Json.parse(job(1, 60, ""))), reply));

    assertThat(told).isCompleted();
    assertThat(states).containsExactly("starting");
    assertThat(atReply).containsExactly(JobState.STARTING);
  }

  @Test
  void aJobThatTakesOthersGpusWaitsUntilTheyAreGone() {
    // srtf: 10 s of work go before 1000 s.
    Stage stage = new Stage(1, 4, "srtf", Map.of());
    long longer = stage.submit(job(4, 1000, ""));
    stage.runs(longer);
    stage.asked();
    stage.now += 10;
    long shorter = stage.submit(job(4, 10, ""));

    assertThat(stage.state(longer)).isEqualTo("stopping");
    assertThat(stage.state(shorter)).isEqualTo("placed");
    assertThat(stage.asked()).containsExactly("stop 1.1");

    stage.exits(longer, 143, true);
    assertThat(stage.state(longer)).isEqualTo("queued");
    assertThat(stage.state(shorter)).isEqualTo("starting");
    assertThat(stage.asked()).containsExactly("forget 1.1", "start 2.1 on s0001:4");

    stage.runs(shorter);
    stage.now += 10;
    stage.exits(shorter, 0, false);
    assertThat(stage.asked()).containsExactly("forget 2.1", "start 1.2 on s0001:4");
    assertThat(stage.job(longer).restarts()).isEqualTo(1);
  }

  @Test
  void aHigherPriorityGoesFirstUnderEveryPolicyAndNobodyOvertakesIt() {
    for (String policy : List.of("fifo", "sjf", "srtf", "easy", "las", "drf", "a-srpt")) {
      Stage stage = new Stage(1, 4, policy, Map.of());
      long running = stage.submit(job(3, 1000, ""));
      stage.runs(running);
      long urgent = stage.submit(job(4, 5000, "\"priority\": 5"));
      long small = stage.submit(job(1, 10, ""));

      assertThat(stage.state(small)).as(policy).isEqualTo("queued");
      stage.now += 1000;
      if (stage.state(running).equals("stopping")) {
        stage.exits(running, 143, true);
      } else {
        stage.exits(running, 0, false);
      }
      assertThat(stage.state(urgent)).as(policy).isEqualTo("starting");
      stage.runs(urgent);
      stage.now += 5000;
      stage.exits(urgent, 0, false);
      stage.step();
      assertThat(stage.state(small)).as(policy).isIn("starting", "placed");
    }
  }

  /** With the important job out of its reach the policy has no room for the other at all. */
  @Test
  void aJobForTheWholeClusterWaitsForAnImportantOneWithoutFurtherAdo() {
    for (int important : List.of(1, 4)) {
      List<StartOver> startedOver = new ArrayList<>();
      Stage stage = new Stage(1, 4, "srtf", Map.of(), startedOver::add);
      long running = stage.submit(job(important, 5000, "\"priority\": 5"));
      stage.runs(running);
      startedOver.clear();
      long whole = stage.submit(job(4, 10, ""));
      stage.now += 1;
      stage.step();
      assertThat(stage.state(running)).isEqualTo("running");
      assertThat(stage.state(whole)).isEqualTo("queued");
      assertThat(startedOver).containsExactly(StartOver.JOBS_PINNED);

      long urgent = stage.submit(job(4, 10, "\"priority\": 5"));
      assertThat(stage.state(running)).isEqualTo("stopping");
      stage.exits(running, 143, true);
      assertThat(stage.state(urgent)).isEqualTo("starting");
      assertThat(startedOver).startsWith(StartOver.JOBS_PINNED, StartOver.JOBS_UNPINNED);
    }
  }

  @Test
  void aQuotaHoldsUnderEveryPolicy() {
    for (String policy : List.of("fifo", "srtf", "easy", "doubling", "gadget", "drf")) {
      Stage stage = new Stage(2, 4, policy, Map.of("bob", 3));
      List<Long> jobs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        jobs.add(stage.submit("bob", "", job(1, 100, "\"max_gpus\": 2")).join().id());
      }
      long held = 0;
      for (long id : jobs) {
        held += stage.holds(id);
      }
      assertThat(held).as(policy).isBetween(1L, 3L);
    }
  }

  @Test
  void whatCanNeverRunIsRefusedAtOnce() {
    Stage stage = new Stage(2, 4, "fifo", Map.of("bob", 3));
    assertThatThrownBy(() -> stage.submit(job(9, 60, "")))
        .hasRootCauseInstanceOf(BadInput.class)
        .hasRootCauseMessage("gpus: 9 workers like these never fit; cluster 2x4 holds 8");
    assertThatThrownBy(() -> stage.submit("bob", "", job(4, 60, "")).join())
        .hasRootCauseMessage("gpus: 4 is above the quota of bob, 3");
    assertThatThrownBy(() -> stage.submit(job(1, 60, "\"after\": [77]")))
        .hasRootCauseMessage("after: there is no job 77");
    assertThatThrownBy(() -> stage.submit(job(1, 60, "\"model\": \"resnet5\"")))
        .hasRootCauseInstanceOf(BadInput.class);
  }

  @Test
  void aJobWaitsForThoseItDependsOn() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long first = stage.submit(job(1, 60, ""));
    long second = stage.submit(job(1, 60, "\"after\": [1]"));
    long third = stage.submit(job(1, 60, "\"after\": [1, 2]"));
    assertThat(stage.state(second)).isEqualTo("submitted");
    stage.runs(first);
    stage.restart();
    stage.engine.add(new Status(new AttemptId(1, 1), new Status.Exited(0, false)));
    stage.observe();
    stage.engine.clear();
    assertThat(stage.state(second)).isEqualTo("starting");
    stage.runs(second);
    stage.exits(second, 1, false);
    assertThat(stage.state(second)).isEqualTo("failed");
    assertThat(stage.state(third)).isEqualTo("cancelled");
    assertThat(stage.job(third).reason()).isEqualTo("job 2, which it depends on, is failed");
  }

  @Test
  void timeIsUpAfterAllAttemptsTogether() {
    Stage stage = new Stage(1, 4, "srtf", Map.of());
    long limited = stage.submit(job(4, 1000, "\"time_limit_s\": 30"));
    stage.runs(limited);
    stage.now += 20;
    long shorter = stage.submit(job(4, 10, ""));
    stage.exits(limited, 143, true);
    stage.runs(shorter);
    stage.now += 100;
    stage.exits(shorter, 0, false);
    stage.runs(limited);
    assertThat(stage.plane.wakeSeconds()).isLessThanOrEqualTo(stage.now + 10);
    stage.now += 9.9;
    stage.step();
    assertThat(stage.state(limited)).isEqualTo("running");
    stage.now += 0.2;
    stage.step();
    assertThat(stage.state(limited)).isEqualTo("timing-out");
    stage.exits(limited, 143, true);
    assertThat(stage.state(limited)).isEqualTo("timed-out");
    assertThat(stage.job(limited).reason()).isEqualTo("ran for its time limit of 30 s");
  }

  @Test
  void aDrainedNodeGetsNoNewJobAndLetsItsOwnGoOn() {
    Stage stage = new Stage(2, 4, "fifo", Map.of());
    long there = stage.submit(job(4, 60, ""));
    stage.runs(there);
    String node = stage.where(there).substring(0, 5);
    CompletableFuture<NodeRow> reply = new CompletableFuture<>();
    stage.step(new Message.Drain(node, true, "fan broken", "root", reply));
    assertThat(reply.join().drained()).isTrue();

    long other = stage.submit(job(4, 60, ""));
    long waits = stage.submit(job(4, 60, ""));
    assertThat(stage.where(other)).doesNotContain(node);
    assertThat(stage.state(waits)).isEqualTo("queued");
    stage.exits(there, 0, false);
    assertThat(stage.state(waits)).isEqualTo("queued");
    long both = stage.submit(job(8, 60, ""));
    assertThat(stage.state(both)).isEqualTo("queued");

    CompletableFuture<NodeRow> undo = new CompletableFuture<>();
    stage.step(new Message.Drain(node, false, "", "root", undo));
    assertThat(stage.state(waits)).isEqualTo("starting");
  }

  @Test
  void aNodeThatGoesDownTakesNoPartUntilItIsBack() {
    Stage stage = new Stage(2, 4, "fifo", Map.of());
    stage.nodes.set(0, new Node("s0001", 4, false));
    stage.now += 10;
    stage.observe();
    long id = stage.submit(job(4, 60, ""));
    long second = stage.submit(job(4, 60, ""));
    assertThat(stage.where(id)).isEqualTo("s0002:4");
    assertThat(stage.state(second)).isEqualTo("queued");
    stage.nodes.set(0, new Node("s0001", 4, true));
    stage.runs(id);
    stage.runs(id);
    stage.engine.add(new Status(new AttemptId(id, 1), new Status.Running()));
    stage.now += 10;
    stage.observe();
    assertThat(stage.where(second)).isEqualTo("s0001:4");
  }

  @Test
  void aLaunchThatWasLostIsAskedForAgain() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long id = stage.submit(job(4, 60, ""));
    stage.asked();
    stage.now += 10;
    stage.observe();
    assertThat(stage.asked()).containsExactly("start 1.1 on s0001:4");
    stage.restart();
    stage.observe();
    assertThat(stage.asked()).containsExactly("start 1.1 on s0001:4");
    assertThat(stage.job(id).attempt()).isEqualTo(1);
  }

  @Test
  void aJobThatTheEngineForgotIsMadeSureOfAndStartedAgain() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long id = stage.submit(job(4, 60, ""));
    stage.runs(id);
    stage.asked();
    stage.now += 10;
    stage.observe();
    assertThat(stage.state(id)).isEqualTo("lost");
    assertThat(stage.asked()).containsExactly("stop 1.1");
    stage.seen(id, 1, new Status.Gone("never heard of it"));
    assertThat(stage.asked()).containsExactly("forget 1.1");
    stage.now += 1;
    stage.step();
    assertThat(stage.asked()).containsExactly("start 1.2 on s0001:4");
  }

  @Test
  void anAnswerFromBeforeTheLastCommandProvesNothing() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    stage.now += 10;
    stage.step();
    long old =
        stage.sent.stream()
            .filter(c -> c instanceof Command.Observe)
            .mapToLong(Command::order)
            .max()
            .orElseThrow();
    long id = stage.submit(job(4, 60, ""));
    stage.runs(id);
    stage.asked();
    stage.step(
        new Message.FromEngine(new Report.Observed(old, new Snapshot(stage.nodes, List.of()))));
    assertThat(stage.state(id)).isEqualTo("running");
    assertThat(stage.asked()).isEmpty();
  }

  @Test
  void aRepeatedSubmissionGivesTheSameJob() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    Job first = stage.submit("ada", "k1", job(1, 60, "")).join();
    assertThat(stage.submit("ada", "k1", job(1, 60, "")).join().id()).isEqualTo(first.id());
    stage.restart();
    assertThat(stage.submit("ada", "k1", job(1, 60, "")).join().id()).isEqualTo(first.id());
    assertThat(stage.submit("bob", "k1", job(1, 60, "")).join().id()).isNotEqualTo(first.id());
  }

  @Test
  void aStrayAttemptIsStopped() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    stage.seen(99, 1, new Status.Running());
    assertThat(stage.asked()).containsExactly("stop 99.1");
    stage.seen(99, 1, new Status.Exited(143, true));
    assertThat(stage.asked()).containsExactly("forget 99.1");
  }

  @Test
  void whoNoLongerLeadsAsksNothingOfTheEngine() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    Plane old = stage.plane;
    stage.restart();
    stage.asked();
    assertThatThrownBy(() ->
            old.step(
                stage.now,
                List.of(
                    new Message.FromEngine(
                        new Report.Changed(
                            new Status(new AttemptId(99, 1), new Status.Running()))))))
        .isInstanceOf(NotLeading.class);
    assertThat(stage.asked()).isEmpty();
  }

  @Test
  void anotherPolicyTakesOverABusyCluster() {
    Stage stage = new Stage(2, 4, "fifo", Map.of());
    long running = stage.submit(job(8, 1000, ""));
    stage.runs(running);
    long waits = stage.submit(job(1, 10, ""));
    for (String policy :
        List.of("easy", "drf", "las", "gadget", "doubling", "a-srpt", "sjf-bco", "srtf")) {
      CompletableFuture<Map<String, String>> reply = new CompletableFuture<>();
      stage.step(new Message.SetPolicy(policy, Map.of(), "root", reply));
      assertThat(reply.join()).containsEntry("policy", policy);
      assertThat(stage.store.settings()).containsEntry("policy.error", "");
    }
    assertThat(stage.state(running)).isEqualTo("stopping");
    assertThat(stage.state(waits)).isEqualTo("placed");
    CompletableFuture<Map<String, String>> wrong = new CompletableFuture<>();
    stage.step(new Message.SetPolicy("fifi", Map.of(), "root", wrong));
    assertThatThrownBy(wrong::join).hasRootCauseInstanceOf(BadInput.class);
  }

  /** Two jobs that ask for 4 and share a node of 4: 2 each. To make room for 4, both must go. */
  @Test
  void aPolicyThatResizesNothingTakesOverJobsOfOtherSizes() {
    for (String policy : List.of("srtf", "srsf", "las", "easy", "drf", "fifo", "sjf-bco")) {
      Stage stage = new Stage(1, 4, "doubling", Map.of());
      String elastic = job(4, 1000, "\"min_gpus\": 1");
      long first = stage.submit(elastic);
      stage.runs(first);
      long second = stage.submit(elastic);
      stage.exits(first, 143, true);
      stage.runs(first);
      stage.runs(second);
      assertThat(stage.holds(first) + stage.holds(second)).as(policy).isEqualTo(4);
      assertThat(stage.holds(second)).as(policy).isEqualTo(2);
      stage.now += 5;
      stage.step(new Message.SetPolicy(policy, Map.of(), "root", new CompletableFuture<>()));
      long rigid = stage.submit(job(4, 1, ""));
      stage.now += 1;
      stage.step();
      assertThat(stage.store.settings()).as(policy).containsEntry("policy.error", "");
      if (policy.startsWith("srtf")) {
        assertThat(stage.state(rigid)).isEqualTo("placed");
        assertThat(stage.state(first)).isEqualTo("stopping");
        assertThat(stage.state(second)).isEqualTo("stopping");
      }
    }
  }

  @Test
  void cancelsAreAnsweredForEveryKindOfJob() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long running = stage.submit(job(4, 60, ""));
    stage.runs(running);
    long queued = stage.submit(job(4, 60, ""));
    assertThat(cancel(stage, queued).join().state()).isEqualTo(JobState.CANCELLED);
    assertThat(cancel(stage, running).join().state()).isEqualTo(JobState.CANCELLING);
    long next = stage.submit(job(4, 60, ""));
    assertThat(stage.state(next)).isEqualTo("placed");
    stage.exits(running, 143, true);
    assertThat(stage.state(running)).isEqualTo("cancelled");
    assertThat(stage.state(next)).isEqualTo("starting");
    assertThatThrownBy(() -> cancel(stage, running).join())
        .hasRootCauseMessage("job 1 has already ended: cancelled");
    assertThatThrownBy(() -> cancel(stage, 99).join()).hasRootCauseMessage("there is no job 99");
  }

  private static CompletableFuture<Job> cancel(Stage stage, long id) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    stage.step(new Message.Cancel(id, "ada", false, reply));
    return reply;
  }

  @Test
  void aJobThatCannotResumeIsNotStopped() {
    Stage stage = new Stage(1, 4, "srtf", Map.of());
    long longer = stage.submit(job(4, 100, "\"resumable\": false"));
    stage.runs(longer);
    stage.now += 10;
    long shorter = stage.submit(job(4, 10, ""));
    assertThat(stage.state(longer)).isEqualTo("running");
    assertThat(stage.state(shorter)).isEqualTo("queued");
    // Nor by another policy, that takes over.
    stage.step(new Message.SetPolicy("maestro", Map.of(), "ada", new CompletableFuture<>()));
    stage.now += 3600;
    stage.step();
    assertThat(stage.state(longer)).isEqualTo("running");
    stage.exits(longer, 0, false);
    assertThat(stage.state(shorter)).isEqualTo("starting");
  }

  /** It ran for 10 s on 4 GPUs, and is expected to take 100 s again. */
  @Test
  void aPolicyIsToldThatWorkIsLost() {
    Stage stage = new Stage(1, 4, "srtf", Map.of());
    long longer = stage.submit(job(4, 100, ""));
    stage.runs(longer);
    stage.now += 10;
    long shorter = stage.submit(job(4, 10, ""));
    stage.exits(longer, 143, true);
    stage.runs(shorter);
    assertThat(stage.job(longer).lost().seconds()).isEqualTo(10);
    assertThat(stage.job(longer).lost().gpuSeconds()).isEqualTo(40);
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);
    assertThat(explainer.explain(longer).orElseThrow().endSeconds())
        .isEqualTo(stage.now + 10 + 100);
    // 95 s are less than what is left of it now, and more than was left before.
    stage.submit(job(4, 95, ""));
    stage.exits(shorter, 0, false);
    assertThat(stage.state(longer)).isEqualTo("queued");
  }

  @Test
  void explainsWithThePolicysOwnEyes() {
    // One node of 4. Job 1 runs from 1000 to 1100, then 2 until 1150, then 3.
    Stage stage = new Stage(1, 4, "fifo", Map.of("bob", 2));
    long first = stage.submit(job(4, 100, ""));
    stage.runs(first);
    long second = stage.submit(job(4, 50, ""));
    long third = stage.submit(job(2, 50, ""));
    stage.now += 10;
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);

    Explanation ofThird = explainer.explain(third).orElseThrow();
    assertThat(ofThird.startSeconds()).isEqualTo(1150);
    assertThat(ofThird.endSeconds()).isEqualTo(1200);
    assertThat(ofThird.ahead()).isEqualTo(1);
    assertThat(ofThird.why().getFirst())
        .isEqualTo("too few GPUs are free: it needs 2, and 0 of 4 are free");
    assertThat(ofThird.why().getLast()).isEqualTo("its length, 50 s, is what its submitter says");
    assertThat(explainer.explain(second).orElseThrow().startSeconds()).isEqualTo(1100);
    assertThat(explainer.explain(first).orElseThrow().endSeconds()).isEqualTo(1100);
    assertThat(explainer.explain(99)).isEmpty();

    long after = stage.submit(job(1, 50, "\"after\": [%d]".formatted(second)));
    assertThat(explainer.explain(after).orElseThrow().why())
        .first()
        .isEqualTo("it waits for job 2 (job), which is queued");
    long urgent = stage.submit(job(4, 50, "\"priority\": 3"));
    assertThat(explainer.explain(third).orElseThrow().why())
        .first()
        .isEqualTo("1 job of priority 3 goes first");
    assertThat(explainer.explain(urgent).orElseThrow().startSeconds()).isEqualTo(1100);
    stage.submit("bob", "", job(2, 50, "")).join();
    long over = stage.submit("bob", "", job(1, 50, "")).join().id();
    assertThat(explainer.explain(over).orElseThrow().why())
        .first()
        .isEqualTo("bob has a quota of 2 GPUs, and jobs for 2 are let in before this one");
  }
}
