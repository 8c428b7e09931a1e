package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** SJF-BCO and longest first, worked out by hand. */
class SjfBcoTest {
  /** Servers of 2 and 4 GPUs; s1 and s2 have one worker, p has four, all alike in length. */
  private static final Cluster TWO_AND_FOUR =
      new Cluster(
          "test",
          List.of(
              new Server("a", 2, "v100", "r1", 1.25e9, 37.5e9),
              new Server("b", 4, "v100", "r1", 1.25e9, 37.5e9)),
          Network.Contention.USUAL,
          0);

  /**
   * Small jobs are packed on the small server, so the large one stays on one server and is alone in
   * its ideal place: all end after 100 s. First fit does the same here, since the small server
   * comes first; with the servers the other way round it does not.
   */
  @Test
  void packingKeepsTheLargeServerFree() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("s1", 0, 1, 100, "vgg16")
            .addDuration("s2", 0, 1, 100, "vgg16")
            .addDuration("p", 0, 4, 100, "vgg16")
            .build();
    assertThat(Play.of(TWO_AND_FOUR, jobs, "sjf-bco").makespanSeconds())
        .isCloseTo(100, within(1e-9));
    List<Server> reversed = new ArrayList<>(TWO_AND_FOUR.servers()).reversed();
    Cluster other = new Cluster("test", reversed, Network.Contention.USUAL, 0);
    assertThat(Play.of(other, jobs, "sjf-bco").makespanSeconds()).isCloseTo(100, within(1e-9));
    assertThat(Play.of(other, jobs, "first-fit").makespanSeconds()).isGreaterThan(150);
  }

  /**
   * n_g = 4, u = 2, l = 0.5. phi is that of the four workers: at worst two on each server, beside
   * no other ring, since the others have one worker. Ideally 0.0211 + 0.0039 + 0.09 + 0.0005 =
   * 0.1155 s an iteration, across 0.6317 + 0.0039 + 0.09 + 0.001 = 0.7266 s.
   */
  @Test
  void saysItsRatio() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("s1", 0, 1, 100, "vgg16")
            .addDuration("p", 0, 4, 100, "vgg16")
            .build();
    Map<String, Object> notes = Play.of(TWO_AND_FOUR, jobs, "sjf-bco", "u=2", "l=0.5").notes();
    assertThat((Double) notes.get("ratio"))
        .isCloseTo(4 * (0.726628 / 0.115504) * 2 / 0.5, within(1e-6));
  }

  @Test
  void longestFirstStartsTheLongestThatFits() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("short", 0, 2, 10, "")
            .addDuration("long", 0, 3, 50, "")
            .addDuration("small", 0, 1, 5, "")
            .build();
    Play run = Play.of(cluster, jobs, "longest-first");
    assertThat(run.startSeconds(1)).isZero();
    assertThat(run.startSeconds(2)).isZero();
    assertThat(run.startSeconds(0)).isEqualTo(50);
    Play blocking = Play.of(cluster, jobs, "longest-first", "blocking=true");
    assertThat(blocking.startSeconds(2)).isEqualTo(50);
  }
}
