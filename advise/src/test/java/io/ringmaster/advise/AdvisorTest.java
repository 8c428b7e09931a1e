package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdvisorTest {
  private static Advice.Start start(Advice advice, int job) {
    return advice.jobs().get(job).start().orElseThrow();
  }

  @Test
  void aLoneJobOnAnEmptyClusterStartsNow() {
    Advice advice = new Queues().waiting("alone", 8).advice(1);
    assertThat(start(advice, 0)).isEqualTo(new Advice.Start(0, 0, 0, 0));
    assertThat(advice.jobs().getFirst().why())
        .isEqualTo("it can start now: it needs 8 GPUs, and 8 are free");
    assertThat(advice.jobs().getFirst().helps()).isEmpty();
  }

  /** Jobs of the kind take 1000 s, and one has run for 400. */
  @Test
  void aJobStartsWhenTheOneBeforeItHasTakenAsLongAsItsKindDoes() {
    Advice advice =
        new Queues()
            .fiftyThatTook(1000)
            .running("first", 8, 400, Queues.NO_LIMIT, "s0001")
            .waiting("second", 8)
            .waiting("third", 1)
            .advice(1, "second", "third");
    assertThat(start(advice, 0)).isEqualTo(new Advice.Start(600, 600, 600, 0));
    assertThat(start(advice, 1)).isEqualTo(new Advice.Start(1600, 1600, 1600, 0));
    assertThat(advice.jobs().get(1).why())
        .isEqualTo(
            "it needs 1 GPU; none is free; ahead of it is 1 job (8 GPUs); GPUs come free next about"
                + " in 10 min, most likely when job first (8 GPUs) ends");
    assertThat(advice.jobs().get(1).helps())
        .contains(
            new Advice.Help("cancelling running job first (8 GPUs)", 600),
            new Advice.Help("cancelling waiting job second (8 GPUs)", 1000),
            new Advice.Help("one more server of 8 GPUs", 1000));
    // Those that may stop a job start the small one at once.
    assertThat(advice.jobs().get(1).helps().getFirst())
        .isEqualTo(new Advice.Help("policy srsf", 1600));
  }

  /**
   * Jobs take 1000 s. The first has 600 to go, or 1200 on half its GPUs, beside which the second
   * starts at once.
   */
  @Test
  void whatAShrunkJobFreesAndWhatItThenHoldsForLonger() {
    Advice advice =
        new Queues()
            .fiftyThatTook(1000)
            .running("first", 8, 400, Queues.NO_LIMIT, "s0001")
            .waiting("second", 4)
            .waiting("third", 8)
            .advice(1, "second", "third");
    Advice.Help shrunk = new Advice.Help("shrinking running job first (8 GPUs) to 4", 600);
    assertThat(advice.jobs().getFirst().helps()).contains(shrunk);
    assertThat(start(advice, 1).medianSeconds()).isEqualTo(1600);
    assertThat(advice.jobs().get(1).helps())
        .contains(new Advice.Help(shrunk.change(), 1600 - 1200));
  }

  /** Four of eight GPUs are free: half of it starts at once. */
  @Test
  void aJobThatAsksForHalfItsGpusStartsBesideOthers() {
    Advice advice =
        new Queues()
            .fiftyThatTook(1000)
            .running("first", 4, 400, Queues.NO_LIMIT, "s0001")
            .waiting("asks", 8)
            .advice(1, "asks");
    assertThat(start(advice, 0).medianSeconds()).isEqualTo(600);
    assertThat(advice.jobs().getFirst().helps())
        .contains(new Advice.Help("asking for 4 GPUs instead of 8", 600));
  }

  @Test
  void thePoliciesThatWhatIfTriesAreTriedHereToo() {
    Advice advice =
        new Queues()
            .fiftyThatTook(1000)
            .running("first", 8, 400, Queues.NO_LIMIT, "s0001")
            .waiting("second", 8)
            .advice(1);
    assertThat(advice.policies())
        .extracting(Advice.OfPolicy::policy)
        .containsExactly("fifo", "easy", "srsf", "las", "maestro");
  }

  /** Nobody knows how long it takes, but when it must end. */
  @Test
  void aLimitIsAHardCap() {
    Advice advice =
        new Queues().running("long", 8, 86_000, 86_400, "s0001").waiting("next", 8).advice(1);
    assertThat(start(advice, 0).highSeconds()).isLessThanOrEqualTo(400);
  }

  @Test
  void underFifoMoreAheadIsNeverSooner() {
    Seeds.each(
        5,
        (random, _) -> {
          Queues queues =
              new Queues()
                  .fiftyThatTook(1000)
                  .running("r1", 8, random.nextInt(2000), Queues.NO_LIMIT, "s0001")
                  .running("r2", 4, random.nextInt(2000), Queues.NO_LIMIT, "s0002");
          for (int i = 0; i < 30; i++) {
            queues.waiting("w" + i, 1 + random.nextInt(8));
          }
          Advice advice = queues.advice(2);
          List<Double> medians =
              advice.jobs().stream().map(j -> j.start().orElseThrow().medianSeconds()).toList();
          assertThat(medians).isSorted();
          assertThat(advice.jobs())
              .allSatisfy(job -> {
                Advice.Start start = job.start().orElseThrow();
                assertThat(start.lowSeconds()).isBetween(0.0, start.medianSeconds());
                assertThat(start.highSeconds()).isGreaterThanOrEqualTo(start.medianSeconds());
              });
        });
  }

  @Test
  void priorityComesBeforeSubmissionAndHeldJobsDoNotCompete() {
    Advice advice =
        new Queues()
            .fiftyThatTook(1000)
            .running("first", 8, 400, Queues.NO_LIMIT, "s0001")
            .waiting("early", 8)
            .waiting("held", 8, 9, "Dependency")
            .waiting("urgent", 8, 5, "")
            .waiting("huge", 9, 7, "")
            .advice(1);
    assertThat(advice.jobs().stream().map(job -> job.job().id()))
        .containsExactly("urgent", "early", "held", "huge");
    assertThat(start(advice, 1).medianSeconds()).isEqualTo(1600);
    assertThat(advice.jobs().get(2).why()).isEqualTo("it is held back: Dependency");
    assertThat(advice.jobs().get(3).why())
        .isEqualTo("it is held back: the whole cluster holds 8 of its GPUs");
    assertThat(advice.jobs().get(3).start()).isEmpty();
  }

  /** Small jobs hold 6 of 8 GPUs for ever, and go first where the shortest do. */
  @Test
  void whenAJobStartsThatIsOvertakenForAsLongAsOthersComeIsNotKnown() {
    Queues queues = new Queues();
    for (int i = 0; i < 990; i++) {
      queues.ended("e" + i, 100 * i, 600);
    }
    for (int i = 0; i < 6; i++) {
      queues.running("r" + i, 1, 100 * i, Queues.NO_LIMIT, "s0001");
    }
    queues.waiting("whole", 8);
    Advice.OfJob overtaken = queues.advice("srsf", 1).jobs().getFirst();
    assertThat(overtaken.start().orElseThrow().hasMedian()).isFalse();
    assertThat(overtaken.why())
        .endsWith("of 100 futures it is overtaken for as long as others come");
    Advice.Start reserved = start(queues.advice("easy", 1), 0);
    assertThat(reserved.openShare()).isZero();
    assertThat(reserved.hasEnd()).isTrue();
  }

  @Test
  void theSameSeedSaysTheSame() {
    Queues queues = new Queues().fiftyThatTook(500).running("r", 8, 10, 9e5, "s0001");
    queues.waiting("a", 2).waiting("b", 8);
    assertThat(queues.advice(1).jobs()).isEqualTo(queues.advice(1).jobs());
  }

  @Test
  void aJobThatDoesNotWaitIsNamed() {
    Queues queues = new Queues().running("runs", 8, 10, 9e5, "s0001").waiting("waits", 2);
    assertThatThrownBy(() -> queues.advice(1, "runs"))
        .isInstanceOf(BadInput.class)
        .hasMessage("job 'runs' runs already");
    assertThatThrownBy(() -> queues.advice(1, "wait"))
        .isInstanceOf(BadInput.class)
        .hasMessageStartingWith("no job 'wait' waits; ");
  }
}
