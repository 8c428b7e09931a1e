package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Time in slots of 10 s, worked out by hand. A ring of two workers on two servers takes 3 s an
 * iteration alone and 4.5 s beside another: three or two whole iterations a slot.
 */
class SlotsTest {
  private static final Network NETWORK =
      new Network.Contention(new RingTerms(1, 0.5, 0, 0.5e9, Double.POSITIVE_INFINITY, 10));

  private static Cluster servers(int count) {
    return Pairs.servers(count, NETWORK);
  }

  /** Submitted at 7, it begins with the slot at 10; ten iterations take four slots of three. */
  @Test
  void everythingBeginsAndEndsWithASlot() {
    RunResult run = Scripted.run(servers(2), Pairs.jobs(7, 10), Scripted.ring(0, 1));
    assertThat(run.startSeconds(0)).isEqualTo(10);
    assertThat(run.finishSeconds(0)).isEqualTo(50);
  }

  /**
   * The first alone for three slots: 9 of 15. Then both do two a slot: its other 6 take until 60,
   * when the second has done 6 of 12. Alone at three a slot it ends at 80.
   */
  @Test
  void speedsChangeBetweenSlots() {
    RunResult run =
        Scripted.run(
            servers(3), Pairs.jobs(0, 15, 30, 12), Scripted.ring(0, 1), Scripted.ring(1, 2));
    assertThat(run.finishSeconds(0)).isEqualTo(60);
    assertThat(run.finishSeconds(1)).isEqualTo(80);
  }

  /** Every policy's schedule in slots is valid, at random. */
  @Test
  void schedulesInSlotsAreValid() {
    Seeds.each(
        60,
        (random, seed) -> {
          RingTerms base = Workloads.contention(random).terms();
          Network network =
              new Network.Contention(
                  new RingTerms(
                      base.xi1(),
                      base.alpha(),
                      base.overheadSeconds(),
                      base.reduceBytesPerSecond(),
                      random.nextBoolean() ? 0.5 : Double.POSITIVE_INFINITY,
                      200));
          Cluster cluster = Workloads.cluster(random, network, random.nextInt(3) * 30);
          Jobs jobs = Workloads.mixed(random, cluster, 20, false);
          for (String policy : List.of("fifo", "srtf", "sjf-bco", "list-scheduling", "random")) {
            Segments segments = new Segments();
            RunResult run = Runs.run(cluster, jobs, policy, seed, segments);
            assertThat(Validator.check(cluster, jobs, segments, run)).as(policy).isEmpty();
          }
        });
  }
}
