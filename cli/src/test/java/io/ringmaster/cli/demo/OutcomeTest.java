package io.ringmaster.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the demo predicts, and how it judges that. */
class OutcomeTest {
  /** An iteration of 8 workers takes 50 ms and 7 pairs of hops of 4 ms each. */
  private static final Measured MEASURED = new Measured(1, 0.5, 8, 0.078);

  /** Of 8 and 20 s, 10 and 16 were said: 25 % too many, 20 % too few. */
  @Test
  void errorsAreThoseOfJobsInTheMean() {
    Outcome real = new Outcome("x", List.of(8.0, 20.0), 20, 1, 2);
    Outcome said = new Outcome("x", List.of(10.0, 16.0), 18, 0, 0);
    assertThat(said.errorAgainst(real)).isCloseTo(0.225, within(1e-12));
    assertThat(real.meanSeconds()).isEqualTo(14);
  }

  /**
   * One job of 800 mini-batches alone has 8 workers: 100 iterations of 50 + 7 * 4 ms, a second
   * after its submission.
   */
  @Test
  void aJobAloneHasEightWorkers() {
    Outcome outcome =
        Outcome.simulated(
            List.of(new DemoJob("one", 0, 800, 1)),
            MEASURED.cluster(16),
            MEASURED.models(),
            "doubling",
            Map.of());
    assertThat(outcome.jctSeconds()).hasSize(1);
    assertThat(outcome.makespanSeconds()).isCloseTo(1 + 100 * 0.078, within(1e-9));
  }

  @Test
  void whatIsServedIsWhatIsSimulated() {
    assertThat(MEASURED.cluster(16).startSeconds()).isEqualTo(1);
    assertThat(MEASURED.cluster(16).restartSeconds()).isEqualTo(1.5);
    assertThat(MEASURED.cluster(16).totalGpus()).isEqualTo(16);
    assertThat(MEASURED.cluster(10).servers()).hasSize(3);
    assertThat(DemoJob.draw(12, 16, 1)).isEqualTo(DemoJob.draw(12, 16, 1)).hasSize(12);
  }
}
