package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Maestro: who is stopped, who waits, and for how long. */
class MaestroTest {
  private static final double HOUR = 3600;

  private static Cluster cluster(int servers, int gpus, double restartSeconds) {
    return Cluster.uniform(servers, gpus, Network.None.USUAL, restartSeconds);
  }

  /** Two servers of two GPUs, where a pair that is scattered takes half as long again. */
  private static Cluster pairs(double restartSeconds) {
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < 2; s++) {
      servers.add(new Server(Cluster.serverName(s), 2, "v100", "r1", 1e9, 1e9));
    }
    Network share = Network.Contention.USUAL.sharing(Pipelining.STEADY);
    return new Cluster("pairs", servers, share, restartSeconds);
  }

  private static ModelTable talkative() {
    return ModelTable.standard().with(List.of(new ModelProfile("talk", 1e9, 1, 0.5, 0.5, "test")));
  }

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  /**
   * One GPU, restarts of 10 s. At 100 s the short one of 50 s comes; the long one, of 10,000 s, has
   * 9,900 s left. To wait costs 9,900 s, to stop it a restart. It goes on at 150 s, and makes no
   * progress until 160.
   */
  @Test
  void aLongJobMakesRoomForAShortOne() {
    Jobs jobs =
        jobs().addDuration("long", 0, 1, 10_000, "").addDuration("short", 100, 1, 50, "").build();
    Play run = Play.of(cluster(1, 1, 10), jobs, "maestro");
    assertThat(run.finishSeconds("short")).isEqualTo(150);
    assertThat(run.finishSeconds("long")).isEqualTo(10_060);
    assertThat(run.restarts(0)).isEqualTo(1);
  }

  /**
   * At 100 s the one of 200 s has 100 s left. For one of 85 s it is not stopped: it would have to
   * have more left by two restarts. For one of 75 s it is.
   */
  @Test
  void aJobIsStoppedOnlyIfItHasMoreLeftByTwoRestarts() {
    for (double length : new double[] {85, 75}) {
      Jobs jobs =
          jobs().addDuration("a", 0, 1, 200, "").addDuration("b", 100, 1, length, "").build();
      Play run = Play.of(cluster(1, 1, 10), jobs, "maestro");
      assertThat(run.startSeconds("b")).isEqualTo(length == 85 ? 200 : 100);
    }
  }

  /**
   * Two GPUs. The pair has 1,000 s left, which are 2,000 GPU-seconds, and the single beside it on
   * the other server 900. Either could go for one of 5 s; it is the single, since 900 is more than
   * 2,000 over the square of 2.
   */
  @Test
  void smallJobsThatAreLongAreStoppedFirst() {
    Cluster two =
        new Cluster(
            "two",
            List.of(
                new Server("s1", 2, "v100", "r1", 1e9, 1e9),
                new Server("s2", 1, "v100", "r1", 1e9, 1e9)),
            Network.None.USUAL,
            10);
    Jobs jobs =
        jobs()
            .addDuration("pair", 0, 2, 1100, "")
            .addDuration("single", 0, 1, 1000, "")
            .addDuration("new", 100, 1, 5, "")
            .build();
    Play run = Play.of(two, jobs, "maestro");
    assertThat(run.startSeconds("new")).isEqualTo(100);
    assertThat(run.restarts(0)).isZero();
    assertThat(run.restarts(1)).isEqualTo(1);
  }

  /**
   * Two servers of two GPUs, each with a single that ends at 10 and at 20 s. The pair that comes at
   * 1 s would wait 9 s for the first; scattered, its iterations take 3 s instead of 2. With 2 s of
   * work that costs 1 s: it starts at once and runs for 3 s. With 200 s it costs 100 s, and it
   * waits.
   */
  @Test
  void aPairIsScatteredOnlyIfWaitingTakesLonger() {
    for (double length : new double[] {2, 200}) {
      Jobs jobs =
          Jobs.builder(talkative())
              .addDuration("a", 0, 1, 10, "")
              .addDuration("d", 0, 1, 0.7, "")
              .addDuration("b", 0.6, 1, 19.4, "")
              .addDuration("p", 1, 2, length, "talk")
              .build();
      Play run = Play.of(pairs(10), jobs, "maestro");
      assertThat(run.startSeconds("p")).isEqualTo(length == 2 ? 1 : 10);
      assertThat(run.finishSeconds("p")).isEqualTo(length == 2 ? 4 : 210);
    }
  }

  /**
   * Two servers of two GPUs, each with a single; both have more than 900 s left. The pair that
   * comes at 1 s would wait for those, and scattered it would take 300 s instead of 200. For a
   * restart of 10 s the single of the first server goes on beside the other. It does not matter
   * that it has less left to do than the pair. With a restart of 110 s the pair is scattered, which
   * costs less.
   */
  @Test
  void aSingleMovesSoThatAPairHasAServer() {
    Jobs jobs =
        Jobs.builder(talkative())
            .addDuration("a", 0, 1, 1000, "")
            .addDuration("d", 0, 1, 0.5, "")
            .addDuration("b", 0.2, 1, 2000, "")
            .addDuration("p", 1, 2, 200, "talk")
            .build();
    for (double restart : new double[] {10, 110}) {
      Play run = Play.of(pairs(restart), jobs, "maestro");
      boolean moves = restart == 10;
      assertThat(run.startSeconds("p")).isEqualTo(1);
      assertThat(run.finishSeconds("p")).isEqualTo(moves ? 201 : 301);
      assertThat(run.restarts(0)).isEqualTo(moves ? 1 : 0);
      assertThat(run.finishSeconds("a")).isEqualTo(moves ? 1010 : 1000);
      assertThat(run.restarts(1)).isZero();
    }
  }

  /**
   * Short jobs keep both GPUs busy for 20 hours, and a wide one wants both for two. It has more to
   * do than any of them, so it would wait to the end. With a patience of 3 hours it begins then,
   * and nobody stops it.
   */
  @Test
  void nobodyWaitsForMuchLongerThanItsPatience() {
    JobsBuilder builder = jobs().addDuration("wide", 1, 2, 2 * HOUR, "");
    for (int i = 0; i < 80; i++) {
      builder.addDuration("s" + i, i * 900.0, 1, 1800, "");
    }
    Jobs jobs = builder.build();
    Play endless = Play.of(cluster(1, 2, 0), jobs, "maestro");
    assertThat(endless.startSeconds("wide")).isGreaterThan(15 * HOUR);
    Play run = Play.of(cluster(1, 2, 0), jobs, "maestro", "patience=3");
    assertThat(run.startSeconds("wide")).isEqualTo(3 * HOUR + 1);
    assertThat(run.finishSeconds("wide") - run.startSeconds("wide")).isEqualTo(2 * HOUR);
  }

  /**
   * Two GPUs, jobs of 3, 3, 2, 2 and 2 s: longest first needs 7 s, the best is 3 + 3 = 2 + 2 + 2.
   */
  @Test
  void theSearchFindsABetterOrderThanLongestFirst() {
    Jobs jobs =
        jobs()
            .addDuration("a", 0, 1, 3, "")
            .addDuration("b", 0, 1, 3, "")
            .addDuration("c", 0, 1, 2, "")
            .addDuration("d", 0, 1, 2, "")
            .addDuration("e", 0, 1, 2, "")
            .build();
    Cluster cluster = cluster(1, 2, 0);
    assertThat(Play.of(cluster, jobs, "longest-first").makespanSeconds()).isEqualTo(7);
    Play run = Play.of(cluster, jobs, "maestro", "objective=makespan");
    assertThat(run.makespanSeconds()).isEqualTo(6);
    Play plain = Play.of(cluster, jobs, "maestro", "objective=makespan", "search=0");
    assertThat(plain.makespanSeconds()).isEqualTo(7);
  }
}
