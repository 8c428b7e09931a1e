package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Both were found by a rehearsal: seed 24. */
class GateQuotaTest {
  private final Gate gate = new Gate(Map.of("ada", 3));

  private static Job job(long id, int gpus) {
    return Lifecycle.submitted(
        id, "ada", "", JobSpecs.of(Map.of("command", List.of("train"), "gpus", gpus)), 1000.0 + id);
  }

  private List<Long> shown() {
    List<Long> shown = new ArrayList<>();
    gate.sync(job -> shown.add(job.id()), job -> {});
    return shown;
  }

  /** 2 of 3 are held by a job that is being cancelled: 2 more would make 4. */
  @Test
  void aJobThatIsBeingStoppedCountsUntilItsGpusAreFree() {
    Job first = job(1, 2);
    gate.enterPlaced(first);
    gate.enter(job(2, 2));
    assertThat(shown()).isEmpty();

    gate.holds(first);
    gate.leave(first);
    assertThat(shown()).isEmpty();

    gate.frees(first);
    assertThat(shown()).containsExactly(2L);
  }

  /** Told twice, it counts once. */
  @Test
  void aJobThatIsBeingStoppedCountsOnce() {
    Job first = job(1, 2);
    gate.holds(first);
    gate.holds(first);
    gate.frees(first);
    gate.frees(first);
    gate.enter(job(2, 3));
    assertThat(shown()).containsExactly(2L);
  }
}
