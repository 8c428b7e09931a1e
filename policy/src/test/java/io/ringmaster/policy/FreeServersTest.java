package io.ringmaster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.testing.Seeds;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The buckets against plain searches through all servers. */
class FreeServersTest {
  @Test
  void everyQuestionIsAnsweredAsByLookingAtAllServers() {
    Seeds.each(
        150,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers servers = new FreeServers(cluster);
          int[] free = IntStream.range(0, cluster.size()).map(cluster::gpus).toArray();
          Deque<Placement> taken = new ArrayDeque<>();
          for (int step = 0; step < 80; step++) {
            if (random.nextBoolean() && servers.total() > 0) {
              Placement placement = somewhere(random, free);
              servers.take(placement, Demand.NONE);
              taken.add(placement);
              change(free, placement, -1);
            } else if (!taken.isEmpty()) {
              Placement placement = random.nextBoolean() ? taken.removeFirst() : taken.removeLast();
              servers.release(placement, Demand.NONE);
              change(free, placement, 1);
            }
            same(servers, cluster, free);
          }
          // What if all ended? And nothing has changed afterwards.
          try (FreeServers.Supposition ended = servers.suppose()) {
            int[] then = free.clone();
            for (Placement placement : taken) {
              ended.release(placement, Demand.NONE);
              change(then, placement, 1);
              same(servers, cluster, then);
            }
            assertThat(servers.total()).isEqualTo(cluster.totalGpus());
          }
          same(servers, cluster, free);
        });
  }

  private static void change(int[] free, Placement placement, int sign) {
    for (int i = 0; i < placement.size(); i++) {
      free[placement.server(i)] += sign * placement.gpus(i);
    }
  }

  private static Placement somewhere(RandomGenerator random, int[] free) {
    int[] counts = Arrays.stream(free).map(f -> random.nextInt(f + 1)).toArray();
    int[] used = IntStream.range(0, free.length).filter(s -> counts[s] > 0).toArray();
    if (used.length == 0) {
      int first = IntStream.range(0, free.length).filter(s -> free[s] > 0).findFirst().getAsInt();
      return Placement.on(first, 1);
    }
    return Placement.of(used, Arrays.stream(used).map(s -> counts[s]).toArray());
  }

  private static List<Integer> sorted(int[] free, Comparator<Integer> order) {
    return IntStream.range(0, free.length).boxed().sorted(order).toList();
  }

  /** What follows each in a list, -1 after the last. */
  private static int after(List<Integer> list, int server) {
    int at = list.indexOf(server);
    return at + 1 < list.size() ? list.get(at + 1) : -1;
  }

  private static void same(FreeServers servers, Cluster cluster, int[] free) {
    List<Integer> tightest = sorted(free, Comparator.comparingInt(s -> free[s]));
    List<Integer> freest =
        sorted(free, Comparator.comparingInt(s -> -free[s])).stream()
            .filter(s -> free[s] > 0)
            .toList();
    List<Integer> whole =
        sorted(free, Comparator.comparingInt(s -> -cluster.gpus(s))).stream()
            .filter(s -> free[s] == cluster.gpus(s))
            .toList();
    assertThat(servers.total()).isEqualTo(Arrays.stream(free).sum());
    for (int gpus = 1; gpus <= cluster.maxServerGpus() + 1; gpus++) {
      int wanted = gpus;
      int best = tightest.stream().filter(s -> free[s] >= wanted).findFirst().orElse(-1);
      assertThat(servers.bestFit(gpus)).isEqualTo(best);
    }
    assertThat(servers.freest()).isEqualTo(freest.isEmpty() ? -1 : freest.getFirst());
    assertThat(servers.largestWhole()).isEqualTo(whole.isEmpty() ? -1 : whole.getFirst());
    for (int s = 0; s < free.length; s++) {
      int server = s;
      assertThat(servers.gpus(s)).isEqualTo(free[s]);
      assertThat(servers.nextTightest(s)).isEqualTo(after(tightest, s));
      if (freest.contains(s)) {
        assertThat(servers.nextFreest(s)).isEqualTo(after(freest, s));
      }
      if (whole.contains(s)) {
        assertThat(servers.nextWhole(s)).isEqualTo(after(whole, s));
      }
      assertThat(servers.nextWholeBehind(s))
          .isEqualTo(
              whole.stream()
                  .filter(t -> free[t] < free[server] || (free[t] == free[server] && t > server))
                  .findFirst()
                  .orElse(-1));
      assertThat(servers.firstWithRoom(s))
          .isEqualTo(
              IntStream.range(server, free.length).filter(t -> free[t] > 0).findFirst().orElse(-1));
      assertThat(servers.holds(Placement.on(s, free[s] + 1), Demand.NONE)).isFalse();
      assertThat(free[s] == 0 || servers.holds(Placement.on(s, free[s]), Demand.NONE)).isTrue();
    }
  }
}
