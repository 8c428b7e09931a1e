package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
  @Test
  void aJobWithALimitIsExpectedToTakeAsLong() {
    Queues queues = new Queues().fiftyThatTook(1000).running("r", 8, 10, 7200, "s0001");
    Expectations expected = Expectations.of(queues.jobs, Queues.servers(1));
    assertThat(expected.seconds(queues.jobs.getLast())).isEqualTo(7200);
    assertThat(expected.spread(queues.jobs.getLast())).isZero();
  }

  /** The last of the fifty ends after all of them came. */
  @Test
  void whatEndsLaterChangesNothing() {
    List<SeenJob> fifty = new Queues().fiftyThatTook(1000).jobs;
    List<SeenJob> others = new Queues().fiftyThatTook(5000).jobs;
    List<SeenJob> changed = new ArrayList<>(fifty.subList(0, 49));
    changed.add(others.get(49));
    Expectations some = Expectations.of(fifty, Queues.servers(1));
    Expectations more = Expectations.of(changed, Queues.servers(1));
    assertThat(fifty).allSatisfy(job -> assertThat(more.seconds(job)).isEqualTo(some.seconds(job)));
  }

  @Test
  void whoKnowsTheTruthExpectsIt() {
    SeenJob job = new Queues().fiftyThatTook(1000).jobs.getFirst();
    assertThat(Expectations.TRUE.seconds(job)).isNaN();
  }
}
