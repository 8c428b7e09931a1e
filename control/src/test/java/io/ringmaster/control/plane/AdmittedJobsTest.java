package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.ADMITTED_ONCE;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.POLICY_AGREES;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.QUOTA_COUNTS;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.SHOWN_BY_PRIORITY;
import static io.ringmaster.control.plane.InvariantsTest.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.job.Lost;
import io.ringmaster.control.job.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The first two were found by a rehearsal: seed 24. */
class AdmittedJobsTest {
  private final Stage stage = new Stage(1, 8, "fifo", Map.of("ada", 3));
  private final Map<Long, Job> jobs = new HashMap<>();
  private final Experience experience = new Experience(stage.config, stage.store.load());
  private final AdmittedJobs admitted =
      ChosenPolicy.of(Map.of(), stage.config)
          .admit(
              stage.config,
              new Capacity(stage.plane.inventory(), experience, List.of(), Set.of()),
              jobs,
              experience,
              stage.now,
              1);

  private static Job job(long id, int gpus) {
    return Lifecycle.submitted(
        id, "ada", "", JobSpecs.of(Map.of("command", List.of("train"), "gpus", gpus)), 1000.0 + id);
  }

  private static Job placed(Job job) {
    return new Lifecycle(3)
        .step(job, new JobEvent.Assign(Allocation.of("s0001:2"), 1, "a test"), 1000)
        .job();
  }

  private List<Long> shown() {
    admitted.sync(stage.now);
    PolicyHost host = Objects.requireNonNull(admitted.host());
    return LongStream.range(0, 10).filter(host::shows).boxed().toList();
  }

  /** 2 of 3 are held by a job that is being cancelled: 2 more would make 4. */
  @Test
  void aJobThatIsBeingStoppedCountsUntilItsGpusAreFree() {
    Job first = placed(job(1, 2));
    admitted.enter(first);
    admitted.enter(job(2, 2));
    assertThat(shown()).containsExactly(1L);

    admitted.holds(first);
    admitted.leave(first, stage.now);
    assertThat(shown()).isEmpty();

    admitted.frees(first);
    assertThat(shown()).containsExactly(2L);
  }

  /** 2 of 3 are taken: the job of 2 holds up that of 1 until it is cancelled. */
  @Test
  void whoStoodBehindACancelledJobIsLetIn() {
    Job second = job(2, 2);
    admitted.enter(placed(job(1, 2)));
    admitted.enter(second);
    admitted.enter(job(3, 1));
    assertThat(shown()).containsExactly(1L);

    admitted.leave(second, stage.now);
    assertThat(shown()).containsExactly(1L, 3L);
  }

  /**
   * 2 of 3 are held by a job that has lost its work and begins again with as many: no other is let
   * in meanwhile. A rehearsal found it: seed 3980.
   */
  @Test
  void aJobThatBeginsAgainWithItsGpusKeepsItsShareOfTheQuota() {
    Lifecycle lifecycle = new Lifecycle(3);
    AttemptId attempt = new AttemptId(1, 1);
    List<JobEvent> events =
        List.of(
            new JobEvent.Begin(),
            new JobEvent.Seen(new Status(attempt, new Status.Running())),
            new JobEvent.Assign(Allocation.of("s0001:1"), 1, "a test"),
            new JobEvent.Seen(new Status(attempt, new Status.Exited(143, true))));
    Map<String, Object> elastic =
        Map.of("command", List.of("train"), "gpus", 2, "min_gpus", 1, "max_gpus", 2);
    Job now = entered(placed(Lifecycle.submitted(1, "ada", "", JobSpecs.of(elastic), 1001)));
    entered(job(2, 2));
    for (int i = 0; i < events.size(); i++) {
      Job before = now;
      now = lifecycle.step(before, events.get(i), 1010.0 + i).job();
      jobs.put(1L, now);
      admitted.changed(before, now, stage.now);
    }
    assertThat(now.lost()).isNotEqualTo(Lost.NOTHING);
    assertThat(now.target()).isNotNull();
    assertThat(shown()).containsExactly(1L);
  }

  /** Told twice, it counts once. */
  @Test
  void aJobThatIsBeingStoppedCountsOnce() {
    Job first = job(1, 2);
    admitted.holds(first);
    admitted.holds(first);
    admitted.frees(first);
    admitted.frees(first);
    admitted.enter(job(2, 3));
    assertThat(shown()).containsExactly(2L);
  }

  /** A job comes, and all that must hold does. */
  private Job entered(Job job) {
    jobs.put(job.id(), job);
    admitted.enter(job);
    admitted.sync(stage.now);
    admitted.check(job);
    admitted.checkAll();
    return job;
  }

  @Test
  void aJobThatThePolicyMaySeeIsLetInOnceAndNoOtherIs() {
    assertBroken(ADMITTED_ONCE, () -> admitted.check(job(1, 2)));
    Job first = entered(job(1, 2));
    Job ended = new Lifecycle(3).step(first, new JobEvent.Cancel("ada", false), 1001).job();
    assertBroken(ADMITTED_ONCE, () -> admitted.check(ended));
  }

  @Test
  void whatCountsForAQuotaIsWhatWasLetIn() {
    Job first = entered(job(1, 2));
    admitted.holds(job(7, 1));
    assertBroken(QUOTA_COUNTS, admitted::checkAll);

    Quotas quotas = new Quotas(Map.of("ada", 3));
    quotas.count(first, 1);
    assertBroken(QUOTA_COUNTS, () -> quotas.checkAll(List.of(), jobs));
    quotas.count(first, -1);
    quotas.count(first, -1);
    assertBroken(QUOTA_COUNTS, () -> quotas.check(first));
  }

  @Test
  void whoWaitsFirstIsShown() {
    Job first = entered(job(1, 2));
    Objects.requireNonNull(admitted.host()).hide(1, stage.now);
    assertBroken(SHOWN_BY_PRIORITY, () -> admitted.check(first));
  }

  @Test
  void thePolicyThinksWhatWasDecided() {
    entered(placed(job(1, 2)));
    Job elsewhere =
        new Lifecycle(3)
            .step(job(1, 2), new JobEvent.Assign(Allocation.of("s0001:3"), 1, "a test"), 1000)
            .job();
    assertBroken(POLICY_AGREES, () -> admitted.check(elsewhere));
    Objects.requireNonNull(admitted.host()).show(placed(job(8, 2)), 8, stage.now);
    assertBroken(POLICY_AGREES, admitted::checkAll);
  }
}
