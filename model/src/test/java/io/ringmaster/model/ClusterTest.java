package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTest {
  private static Cluster of(int... gpus) {
    List<Server> servers = new ArrayList<>();
    for (int each : gpus) {
      servers.add(new Server("s" + servers.size(), each, "v100", "r1", 1e9, 1e10));
    }
    return new Cluster("test", servers, Network.None.USUAL, 0);
  }

  /** Servers of 2, 8, 4, 8 GPUs: the eights in file order, then the four, then the two. */
  @ParameterizedTest
  @CsvSource({
    "1, 1:1",
    "8, 1:8",
    "9, 1:8 3:1",
    "16, 1:8 3:8",
    "18, 1:8 3:8 2:2",
    "22, 1:8 3:8 2:4 0:2"
  })
  void theIdealPlacementTakesLargestServersFirstThenFileOrder(int workers, String placement) {
    assertThat(of(2, 8, 4, 8).idealPlacement(workers)).hasToString(placement);
  }

  @Test
  void theIdealPlacementUsesTheFewestServers() {
    Seeds.each(
        200,
        (random, _) -> {
          int[] gpus = random.ints(random.nextInt(1, 6), 1, 9).toArray();
          Cluster cluster = of(gpus);
          int workers = random.nextInt(1, cluster.totalGpus() + 1);
          Placement ideal = cluster.idealPlacement(workers);
          int fewest = Integer.MAX_VALUE;
          for (int set = 0; set < 1 << gpus.length; set++) {
            int room = 0;
            for (int s = 0; s < gpus.length; s++) {
              room += (set >> s & 1) * gpus[s];
            }
            if (room >= workers) {
              fewest = Math.min(fewest, Integer.bitCount(set));
            }
          }
          assertThat(ideal.workers()).isEqualTo(workers);
          assertThat(ideal.size()).isEqualTo(fewest);
        });
  }

  @Test
  void moreWorkersThanGpusAreRefused() {
    assertThatThrownBy(() -> of(2, 2).idealPlacement(5))
        .hasMessage("5 workers do not fit the 4 GPUs of test");
  }

  @Test
  void aClusterHasServers() {
    assertThatThrownBy(() -> of()).hasMessageContaining("at least one server");
  }

  @Test
  void countsItsGpus() {
    Cluster cluster = of(2, 8, 4);
    assertThat(cluster.totalGpus()).isEqualTo(14);
    assertThat(cluster.maxServerGpus()).isEqualTo(8);
    assertThat(cluster.size()).isEqualTo(3);
    assertThat(cluster.gpus(2)).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"0, s0001", "9, s0010", "9998, s9999", "9999, s10000"})
  void serversAreNamedByTheirPlace(int index, String name) {
    assertThat(Cluster.serverName(index)).isEqualTo(name);
  }
}
