package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Both were found by a rehearsal: seed 24. */
class AdmittedJobsTest {
  private final Stage stage = new Stage(1, 8, "fifo", Map.of("ada", 3));
  private final AdmittedJobs admitted =
      ChosenPolicy.of(Map.of(), stage.config)
          .admit(
              stage.config,
              new Capacity(stage.config.cluster(), stage.plane.nodes(), List.of(), Set.of()),
              new HashMap<>(),
              new Experience(stage.config, stage.store.load()),
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
}
