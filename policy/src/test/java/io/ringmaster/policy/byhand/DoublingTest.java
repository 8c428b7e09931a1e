package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The policies doubling and fixed, worked out by hand. */
class DoublingTest {
  private static final Offset<Double> CLOSE = within(1e-6);

  /** One server without a network: twice the workers are twice as fast. */
  private static Cluster linear(int gpus, double restartSeconds) {
    return Cluster.uniform(1, gpus, Network.None.USUAL, restartSeconds);
  }

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  /** A job of so many GPU-seconds, of one worker up to so many. */
  private static JobsBuilder elastic(
      JobsBuilder jobs, String id, double submit, int most, double work) {
    return jobs.add(id, submit, 1, 1, most, work, true, "", "", "");
  }

  /**
   * Four GPUs. Both begin with one; doubling saves 200 s a worker for b, 50 s for a: b has two.
   * Doubling b again takes two, and one is left: it goes to a. At 50 s a is done, b has 300 left
   * and takes all four: 75 s more.
   */
  @Test
  void allocationByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4, 100);
    elastic(jobs, "b", 0, 4, 400);
    Play play = Play.of(linear(4, 0), jobs.build(), "doubling");
    assertThat(play.segments()).containsExactly("0 2 0.0-50.0", "1 2 0.0-50.0", "1 4 50.0-125.0");
    assertThat(play.learningRates()).containsExactly("0 2.0", "1 2.0", "1 4.0");
  }

  /** At 50 s b has 300 left: 150 s with two, 75 s and a restart with four. */
  @Test
  void aChangeIsMadeIfItSavesTwoRestarts() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4, 100);
    elastic(jobs, "b", 0, 4, 400);
    Play play = Play.of(linear(4, 10), jobs.build(), "doubling");
    assertThat(play.finishSeconds(1)).isCloseTo(50 + 10 + 75, CLOSE);
    assertThat(play.restarts(1)).isEqualTo(1);
  }

  /** At 50 s b has 50 left: 25 s with two. With four it would be 12.5 s, and less is saved. */
  @Test
  void aChangeThatSavesLessIsNotMade() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4, 100);
    elastic(jobs, "b", 0, 4, 150);
    Play run = Play.of(linear(4, 10), jobs.build(), "doubling");
    assertThat(run.finishSeconds(1)).isCloseTo(75, CLOSE);
    assertThat(run.restarts(1)).isZero();
    Play eager = Play.of(linear(4, 10), jobs.build(), "doubling", "hysteresis=0");
    assertThat(eager.finishSeconds(1)).isCloseTo(50 + 10 + 12.5, CLOSE);
  }

  /**
   * Two jobs of 400 that have two GPUs each do not change places as one gets ahead of the other,
   * and a third that comes gets its worker from one of them: at 100 s both have 200 left, and of
   * equals the later gives way.
   */
  @Test
  void aNewJobGetsItsWorker() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4, 400);
    elastic(jobs, "b", 0, 4, 400);
    elastic(jobs, "c", 100, 1, 50);
    Play play = Play.of(linear(4, 0), jobs.build(), "doubling");
    assertThat(play.segments()).contains("1 2 0.0-100.0", "2 1 100.0-150.0", "1 1 100.0-150.0");
  }

  /** More jobs than GPUs: those that came first run. */
  @Test
  void jobsBeyondCapacityWait() {
    JobsBuilder jobs = jobs();
    for (int i = 0; i < 3; i++) {
      elastic(jobs, "j" + i, i, 4, 100);
    }
    Play play = Play.of(linear(2, 0), jobs.build(), "doubling");
    // j0 has both GPUs for the first second; from then on each of two has one.
    assertThat(play.finishSeconds(0)).isCloseTo(1 + 98, CLOSE);
    assertThat(play.startSeconds(2)).isCloseTo(99, CLOSE);
  }

  @Test
  void sizesArePowersOfTwoInARange() {
    Jobs jobs =
        jobs()
            .add("rigid", 0, 3, 3, 3, 90, true, "", "", "")
            .add("range", 100, 3, 3, 7, 90, true, "", "", "")
            .add("wide", 200, 1, 1, 7, 90, true, "", "", "")
            .add("none", 300, 6, 5, 7, 90, true, "", "", "")
            .build();
    Play play = Play.of(linear(8, 0), jobs, "doubling");
    assertThat(play.workers()).containsExactly(3, 4, 4, 6);
    assertThat(play.learningRates()).containsExactly("0 1.0", "1 " + 4 / 3.0, "2 4.0", "3 1.0");
  }

  /** Everything waits for the next of the times at which GPUs are given out. */
  @Test
  void everySoOften() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 4, 400);
    elastic(jobs, "b", 10, 4, 400);
    Play play = Play.of(linear(4, 0), jobs.build(), "doubling", "every=60");
    // At 60 s a has 160 left: 2 GPUs each; a is done at 140. At 180 s b has 160 left, for 40 s.
    assertThat(play.segments())
        .containsExactly("0 4 0.0-60.0", "0 2 60.0-140.0", "1 2 60.0-180.0", "1 4 180.0-220.0");
  }

  /**
   * Sixteen GPUs, eight held. One worker for 150 s does 150; after a restart two do 280, four 560,
   * eight 1120: 2110 at 600 s. It could have all sixteen then, and 7890 is left: 10 s + 493.125 s.
   */
  @Test
  void explorationByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 16, 10_000);
    Play play = Play.of(linear(16, 10), jobs.build(), "doubling", "mode=exploratory");
    assertThat(play.segments())
        .startsWith("0 1 0.0-150.0", "0 2 150.0-300.0", "0 4 300.0-450.0", "0 8 450.0-600.0");
    assertThat(play.workers()).endsWith(16);
    assertThat(play.finishSeconds(0)).isCloseTo(600 + 10 + 493.125, CLOSE);
    assertThat(play.notes()).containsEntry("explored_jobs", 1);
  }

  /** A second job tries on the other half; a third has to wait for one of them. */
  @Test
  void gpusAreHeldForTrials() {
    JobsBuilder jobs = jobs();
    for (int i = 0; i < 3; i++) {
      elastic(jobs, "j" + i, 0, 8, 1200);
    }
    Play play = Play.of(linear(16, 0), jobs.build(), "doubling", "mode=exploratory");
    assertThat(play.startSeconds(1)).isZero();
    // 150 + 300 + 600 are done at 450 s, and the rest in 150 / 8 s.
    assertThat(play.startSeconds(2)).isCloseTo(450 + 18.75, CLOSE);
  }

  /**
   * What was measured is the truth here, so once all is tried both modes think alike: they finish
   * what is left at the same speeds. The exchange costs so much that four workers are the best.
   */
  @Test
  void whatIsLearnedIsWhatIsTrue() {
    ModelProfile chatty =
        new ModelProfile("chatty", 1, 1, 0, 1, "test")
            .exchanging(FittedExchange.anywhere(AllReduce.RING, 0.1, 0.2, 0.25));
    ModelTable models = ModelTable.standard().with(List.of(chatty));
    Jobs jobs = Jobs.builder(models).add("a", 0, 1, 1, 16, 20_000, false, "chatty", "", "").build();
    Cluster cluster = Cluster.uniform(1, 16, Network.Contention.USUAL, 10);
    Play known = Play.of(cluster, jobs, "doubling");
    Play learned = Play.of(cluster, jobs, "doubling", "mode=exploratory");
    assertThat(learned.workers().getLast()).isEqualTo(known.workers().getLast());
  }

  @Test
  void fixedByHand() {
    JobsBuilder jobs = jobs();
    elastic(jobs, "a", 0, 8, 400);
    elastic(jobs, "b", 0, 2, 400);
    elastic(jobs, "c", 0, 8, 400);
    jobs.addDuration("rigid", 0, 1, 10, "");
    Play play = Play.of(linear(8, 0), jobs.build(), "fixed", "workers=4");
    // c does not fit beside a and b, and holds up the rigid job behind it.
    assertThat(play.segments())
        .containsExactlyInAnyOrder(
            "0 4 0.0-100.0", "1 2 0.0-200.0", "2 4 100.0-200.0", "3 1 100.0-110.0");
  }
}
