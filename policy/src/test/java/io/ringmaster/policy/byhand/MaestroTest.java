package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
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

  private static Jobs.Builder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  /**
   * One GPU, restarts of 10 s. At 100 s the short one of 50 s comes; the long one, of 10,000 s, has
   * 9,900 s left. To wait costs 9,900 s, to stop it 0.05 x (50 + 10). It goes on at 150 s, and
   * makes no progress until 160.
   */
  @Test
  void aLongJobMakesRoomForAShortOne() {
    Jobs jobs =
        jobs().addDuration("long", 0, 1, 10_000, "").addDuration("short", 100, 1, 50, "").build();
    Play run = Play.of(cluster(1, 1, 10), jobs, "maestro");
    assertThat(run.finishSeconds("short")).isEqualTo(150);
    assertThat(run.finishSeconds("long")).isEqualTo(10_060);
    assertThat(run.restarts(0)).isEqualTo(1);
    Play staying = Play.of(cluster(1, 1, 10), jobs, "maestro", "without=preemption");
    assertThat(staying.finishSeconds("short")).isEqualTo(10_050);
  }

  /** The same at 30 s: a job that has run for less than a minute is left alone. */
  @Test
  void aJobRunsForAMinuteBeforeItIsStopped() {
    Jobs jobs =
        jobs().addDuration("long", 0, 1, 10_000, "").addDuration("short", 30, 1, 50, "").build();
    Play run = Play.of(cluster(1, 1, 10), jobs, "maestro");
    assertThat(run.finishSeconds("long")).isEqualTo(10_000);
  }

  /**
   * Two servers of two GPUs, each with a single that ends at 10 and at 20 s. The pair that comes at
   * 1 s would wait 9 s for the first; scattered, its iterations take 3 s instead of 2. With 2 s of
   * work that costs 1 s: it starts at once and runs for 3 s. With 200 s it costs 100 s, and it
   * waits.
   */
  @Test
  void aPairIsScatteredOnlyIfWaitingTakesLonger() {
    ModelTable models =
        ModelTable.standard().with(List.of(new ModelProfile("talk", 1e9, 1, 0.5, 0.5, "test")));
    Network share = Network.Contention.USUAL.sharing(Pipelining.STEADY);
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < 2; s++) {
      servers.add(new Server(Cluster.serverName(s), 2, "v100", "r1", 1e9, 1e9));
    }
    Cluster pairs = new Cluster("pairs", servers, share, 0);
    for (double length : new double[] {2, 200}) {
      Jobs jobs =
          Jobs.builder(models)
              .addDuration("a", 0, 1, 10, "")
              .addDuration("d", 0, 1, 0.7, "")
              .addDuration("b", 0.6, 1, 19.4, "")
              .addDuration("p", 1, 2, length, "talk")
              .build();
      Play run = Play.of(pairs, jobs, "maestro");
      assertThat(run.startSeconds("p")).isEqualTo(length == 2 ? 1 : 10);
      assertThat(run.finishSeconds("p")).isEqualTo(length == 2 ? 4 : 210);
    }
  }

  /**
   * Short jobs keep both GPUs busy for 20 hours, and a wide one wants both for two. It has more to
   * do than any of them, so it would wait to the end. With a patience of 3 hours it begins within
   * the minute that a new job is left alone, and nobody stops it.
   */
  @Test
  void nobodyWaitsForMuchLongerThanItsPatience() {
    Jobs.Builder builder = jobs().addDuration("wide", 1, 2, 2 * HOUR, "");
    for (int i = 0; i < 80; i++) {
      builder.addDuration("s" + i, i * 900.0, 1, 1800, "");
    }
    Jobs jobs = builder.build();
    Play endless = Play.of(cluster(1, 2, 0), jobs, "maestro", "trust=1e12");
    assertThat(endless.startSeconds("wide")).isGreaterThan(15 * HOUR);
    Play run = Play.of(cluster(1, 2, 0), jobs, "maestro", "trust=1e12", "patience=3");
    assertThat(run.startSeconds("wide")).isBetween(3 * HOUR, 3 * HOUR + 62);
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
    Play plain = Play.of(cluster, jobs, "maestro", "objective=makespan", "without=search");
    assertThat(plain.makespanSeconds()).isEqualTo(7);
  }
}
