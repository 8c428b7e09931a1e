package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** GADGET: what a slot gives to whom. */
class GadgetTest {
  private static final Offset<Double> CLOSE = within(1e-6);

  private static Cluster fourGpus(double restartSeconds) {
    return Cluster.uniform(1, 4, Network.None.USUAL, restartSeconds);
  }

  /** Elastic jobs of one to four workers that do not communicate, by GPU-seconds of work. */
  private static JobsBuilder elastic(JobsBuilder jobs, String id, double submit, double work) {
    return jobs.add(id, submit, 1, 1, 4, work, true, "", "", "");
  }

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  private static double number(Play run, String note) {
    return ((Number) Objects.requireNonNull(run.notes().get(note), note)).doubleValue();
  }

  /**
   * Slots of 100 s, four GPUs. A worker of b does all its 100 GPU-seconds in the slot: a gain of 1,
   * and more workers gain nothing. A worker of a gains 100 / 400. So b has one, a three. At 100 s a
   * has 100 GPU-seconds left; nobody else wants the fourth GPU, so it ends 25 s later. Both slots
   * are as good as they can be: 1 + 0.75, then 0.25, and F / (F + LP) = 2 / (2 + 2), but for what
   * ending sooner than at the end of the slot counts.
   */
  @Test
  void gainOfASlotByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 100);
    Play run = Play.of(fourGpus(0), jobs.build(), "gadget", "slot=100");
    assertThat(run.finishSeconds(1)).isCloseTo(100, CLOSE);
    assertThat(run.finishSeconds(0)).isCloseTo(100 + 100 / 4.0, CLOSE);
    assertThat(number(run, "slots")).isEqualTo(2);
    assertThat(number(run, "utility")).isCloseTo(2, CLOSE);
    assertThat(number(run, "slot_ratio_mean")).isCloseTo(1, within(1e-3));
    assertThat(number(run, "certified_ratio")).isCloseTo(0.5, within(1e-3));
    assertThat(number(run, "guarantee")).isCloseTo(0.5, within(1e-3));
  }

  /**
   * Weighted by work, a GPU gains as much with either: the job that came first is given all four,
   * and b waits for the slot after.
   */
  @Test
  void weightByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 400);
    Play run = Play.of(fourGpus(0), jobs.build(), "gadget", "slot=100", "weight=work");
    assertThat(run.finishSeconds(0)).isCloseTo(100, CLOSE);
    assertThat(run.finishSeconds(1)).isCloseTo(200, CLOSE);
  }

  /** A fair utility gives both the same: log(1 + x) rises ever more slowly. */
  @Test
  void fairnessByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 400);
    Play run = Play.of(fourGpus(0), jobs.build(), "gadget", "slot=100", "utility=fair");
    assertThat(run.finishSeconds(0)).isCloseTo(200, CLOSE);
    assertThat(run.finishSeconds(1)).isCloseTo(200, CLOSE);
  }

  /** What comes between slots takes what is free at once, and what is not at the next slot. */
  @Test
  void betweenSlotsWhatIsFreeIsGivenOut() {
    Jobs jobs =
        jobs()
            .addDuration("first", 0, 3, 150, "")
            .addDuration("one", 10, 1, 30, "")
            .addDuration("two", 20, 2, 30, "")
            .build();
    Play run = Play.of(fourGpus(0), jobs, "gadget", "slot=100");
    assertThat(run.startSeconds(1)).isEqualTo(10);
    // Of 3 GPUs for 100 s, a gain of 2/3; of 2 GPUs for 30 s, all of 1.
    assertThat(run.startSeconds(2)).isEqualTo(100);
    assertThat(run.finishSeconds(0)).isCloseTo(130 + 50, CLOSE);
  }

  /** Nothing is free when it comes; at 50 s all is. */
  @Test
  void whatComesWhenAllIsTakenStartsWhenItIsFree() {
    Jobs jobs = jobs().addDuration("a", 0, 4, 50, "").addDuration("b", 10, 4, 30, "").build();
    Play run = Play.of(fourGpus(0), jobs, "gadget", "slot=100");
    assertThat(run.startSeconds(1)).isEqualTo(50);
  }

  /** Restarts that outlast a slot: slots without gain prove nothing, and are written as such. */
  @Test
  void aSlotWithoutGainHasNoLambda() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4000);
    elastic(jobs, "b", 150, 500);
    Play run = Play.of(fourGpus(250), jobs.build(), "gadget", "slot=100", "weigh=0");
    assertThat(run.notes()).containsEntry("lambda_greatest", "unlimited");
    assertThat(number(run, "guarantee")).isZero();
    assertThat(number(run, "certified_ratio")).isBetween(0.01, 1.0);
  }

  /**
   * A job of two GPUs has run for a slot when a shorter one of four comes. Stopped for it, it would
   * have to restart, for 90 of 100 s: too much if that is weighed, nothing if it is not.
   */
  @Test
  void aRestartIsWeighed() {
    JobsBuilder jobs = jobs();
    jobs.add("long", 0, 2, 2, 2, 1000, true, "", "", "");
    jobs.add("wide", 50, 2, 2, 4, 800, true, "", "", "");
    Jobs both = jobs.build();
    Play blind = Play.of(fourGpus(90), both, "gadget", "slot=100", "weigh=0");
    Play wary = Play.of(fourGpus(90), both, "gadget", "slot=100");
    assertThat(blind.restarts(0) + blind.restarts(1))
        .isGreaterThan(wary.restarts(0) + wary.restarts(1));
    assertThat(wary.restarts(0)).isZero();
  }
}
