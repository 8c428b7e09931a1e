package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each reason to start over, by what brings it about; those of pinned jobs are in PlaneTest. */
class StartOverTest {
  private final List<StartOver> reasons = new ArrayList<>();
  private final Stage stage = new Stage(1, 4, "fifo", Map.of(), reasons::add);

  private static String job(int gpus, String more) {
    return "{\"command\": [\"train\"], \"gpus\": %d, \"duration_s\": 100%s}".formatted(gpus, more);
  }

  private void tellNodes() {
    stage.now += 20;
    stage.observe();
  }

  @Test
  void aPlaneThatTakesUpFromTheStore() {
    // At first it knows no nodes.
    assertThat(reasons).containsExactly(StartOver.TAKEN_UP, StartOver.CAPACITY_CHANGED);
    stage.submit(job(1, ""));
    reasons.clear();
    stage.restart();
    stage.step();
    assertThat(reasons).containsExactly(StartOver.TAKEN_UP);
  }

  @Test
  void anotherPolicyIsChosen() {
    stage.submit(job(1, ""));
    reasons.clear();
    CompletableFuture<Map<String, String>> reply = new CompletableFuture<>();
    stage.step(new Message.SetPolicy("sjf", Map.of(), "ada", reply));
    assertThat(reply).isCompleted();
    assertThat(reasons).containsExactly(StartOver.POLICY_CHOSEN);
  }

  /** Jobs that come and go, and jobs that are passed over, are no reason. */
  @Test
  void nothingThatAPolicyIsToldOf() {
    reasons.clear();
    long first = stage.submit(job(3, ""));
    stage.submit(job(4, ""));
    stage.runs(first);
    stage.engine.add(new Status(new AttemptId(first, 1), new Status.Running()));
    tellNodes();
    stage.exits(first, 0, false);
    assertThat(reasons).isEmpty();
  }

  @Test
  void nodesComeShrinkAndAreDrained() {
    stage.submit(job(1, ""));
    reasons.clear();
    stage.nodes.add(new Node("s0002", 4, true));
    tellNodes();
    assertThat(reasons).containsExactly(StartOver.CAPACITY_CHANGED);
    stage.nodes.set(1, new Node("s0002", 2, true));
    tellNodes();
    assertThat(reasons).containsExactly(StartOver.CAPACITY_CHANGED, StartOver.CAPACITY_CHANGED);
    reasons.clear();
    stage.step(new Message.Drain("s0002", true, "", "ada", new CompletableFuture<>()));
    assertThat(reasons).containsExactly(StartOver.CAPACITY_CHANGED);
    tellNodes();
    assertThat(reasons).as("the same nodes as before").hasSize(1);
  }

  /** The cluster file says that starts cost nothing. This one takes 30 s. */
  @Test
  void startsCostMoreThanThePolicyWasTold() {
    long job = stage.submit(job(1, ""));
    stage.runs(job);
    stage.now += 30;
    reasons.clear();
    stage.reports(job, 0.01, false);
    assertThat(stage.store.measured()).hasSize(1);
    // What was learned in the last minute can wait.
    stage.now += 61;
    stage.step();
    assertThat(reasons).containsExactly(StartOver.LEARNED);
    stage.now += 61;
    stage.step();
    assertThat(reasons).as("it is known now").hasSize(1);
  }

  @Test
  void theFirstElasticJobComes() {
    stage.submit(job(1, ""));
    reasons.clear();
    stage.submit(job(1, ", \"max_gpus\": 2"));
    stage.submit(job(1, ", \"max_gpus\": 3"));
    assertThat(reasons).containsExactly(StartOver.FIRST_ELASTIC_JOB);
  }

  @Test
  void aPolicyThrows() {
    Policy broken =
        new Policy() {
          @Override
          public void decide(View view, Decisions decisions) {
            if (view.arrived().size() > 0) {
              throw new IllegalStateException("out of its depth");
            }
          }
        };
    PolicySpec spec =
        new PolicySpec("broken", "", "", List.of(), PlacementRule::ownSearch, (_, _) -> broken);
    Stage its = new Stage(1, 4, spec, reasons::add);
    reasons.clear();
    long job = its.submit(job(1, ""));
    assertThat(reasons).containsExactly(StartOver.POLICY_FAILED);
    assertThat(its.state(job)).as("fifo goes on in its place").isEqualTo("starting");
  }

  /** A policy numbers jobs as it is shown them, those again that were out of its sight. */
  @Test
  void veryManyJobsWereShownAndWent() {
    stage.submit(job(4, ""));
    int waiting = 4096;
    JobSpec spec = JobSpecs.of(Json.parse(job(1, "")));
    stage.step(
        Stream.generate(
                () -> new Message.Submit("ada", Role.USER, "", spec, new CompletableFuture<Job>()))
            .limit(waiting)
            .toArray(Message[]::new));
    reasons.clear();
    for (int shown = waiting; shown <= 1 << 17; shown += waiting) {
      assertThat(reasons).isEmpty();
      // As long as it waits, nobody less important is shown.
      long urgent = stage.submit(job(4, ", \"priority\": 5"));
      stage.step(new Message.Cancel(urgent, "ada", false, new CompletableFuture<>()));
    }
    stage.submit(job(1, ""));
    assertThat(reasons).containsExactly(StartOver.NUMBERS_USED_UP);
  }
}
