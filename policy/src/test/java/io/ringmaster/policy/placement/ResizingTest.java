package io.ringmaster.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.Rooms;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizingTest {
  @ParameterizedTest
  @CsvSource({"9, 1:4 2:4 0:1", "8, 1:4 2:4", "5, 1:4 2:1", "4, 1:4", "1, 1:1"})
  void shrinkingGivesUpWhereTheJobHasTheFewest(int workers, String expected) {
    Placement from = Placement.of(new int[] {0, 1, 2}, new int[] {2, 4, 4});
    assertThat(Resizing.shrink(from, workers)).hasToString(expected);
  }

  /** Servers of eight; the job has 2 on the first, where 3 are free; then 5, 4 and 2. */
  @ParameterizedTest
  @CsvSource({
    // On its own server as far as that goes; then on the tightest that holds the rest.
    "3, 0:3",
    "5, 0:5",
    "7, 0:5 3:2",
    "8, 0:5 2:3",
    "10, 0:5 1:5",
    // None holds six: the freest, then the tightest for the rest.
    "11, 0:5 1:5 3:1",
    "16, 0:5 1:5 2:4 3:2",
  })
  void growingTakesTheOwnServersFirst(int workers, String expected) {
    Cluster cluster = Rooms.cluster(8, 8, 8, 8);
    FreeServers free = Rooms.free(cluster, 3, 5, 4, 2);
    assertThat(Resizing.grow(free, Demand.NONE, Placement.on(0, 2), workers)).hasToString(expected);
  }

  /** The own server is the tightest for what is left, but has nothing left: not a dead end. */
  @Test
  void growingPassesOverTheOwnServersWhenTheyAreFull() {
    Cluster cluster = Rooms.cluster(4, 4);
    FreeServers free = Rooms.free(cluster, 2, 3);
    assertThat(Resizing.grow(free, Demand.NONE, Placement.on(0, 2), 6)).hasToString("0:4 1:2");
  }

  private static Placement somewhere(RandomGenerator random, FreeServers free, int servers) {
    int[] counts = IntStream.range(0, servers).map(s -> random.nextInt(free.gpus(s) + 1)).toArray();
    int[] used = IntStream.range(0, servers).filter(s -> counts[s] > 0).toArray();
    return used.length == 0
        ? Placement.on(free.freest(), 1)
        : Placement.of(used, Arrays.stream(used).map(s -> counts[s]).toArray());
  }

  private static int[] counts(Placement placement, int servers) {
    int[] counts = new int[servers];
    for (int i = 0; i < placement.size(); i++) {
      assertThat(placement.gpus(i)).isPositive();
      assertThat(counts[placement.server(i)]).as("a server twice").isZero();
      counts[placement.server(i)] = placement.gpus(i);
    }
    return counts;
  }

  @Test
  void resizingMovesNobodyWhoCanStay() {
    Seeds.each(
        400,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers before = Rooms.someFree(random, cluster);
          if (before.total() == 0) {
            return;
          }
          Placement from = somewhere(random, before, cluster.size());
          int[] had = counts(from, cluster.size());
          FreeServers free =
              Rooms.free(
                  cluster,
                  IntStream.range(0, cluster.size()).map(s -> before.gpus(s) - had[s]).toArray());
          for (int workers = 1; workers <= from.workers() + free.total(); workers++) {
            Placement to =
                workers < from.workers()
                    ? Resizing.shrink(from, workers)
                    : Resizing.grow(free, Demand.NONE, from, workers);
            int[] has = counts(to, cluster.size());
            assertThat(to.workers()).isEqualTo(workers);
            boolean ownFull = true;
            for (int s = 0; s < has.length; s++) {
              assertThat(has[s]).isBetween(0, had[s] + free.gpus(s));
              if (workers < from.workers()) {
                assertThat(has[s]).isLessThanOrEqualTo(had[s]);
              } else {
                assertThat(has[s]).isGreaterThanOrEqualTo(had[s]);
              }
              ownFull &= had[s] == 0 || has[s] == had[s] + free.gpus(s);
            }
            assertThat(ownFull || to.size() <= from.size())
                .as("%s to %s opens a server while its own have room", from, to)
                .isTrue();
          }
        });
  }
}
