package io.ringmaster.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which GPUs each rule takes. Server 0 has GPUs 0 and 1, server 1 has 2 to 5, server 2 has 6. */
class GpuRulesTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private static Gpus gpus() {
    List<Server> servers = new ArrayList<>();
    for (int each : new int[] {2, 4, 1}) {
      servers.add(new Server("s" + servers.size(), each, "v100", "r1", 1e9, 1e9));
    }
    return new Gpus(new Cluster("test", servers, Network.None.USUAL, 0));
  }

  private static int[] chosen(
      GpuRule rule, Gpus gpus, int workers, double seconds, double limit, boolean anyGpu) {
    int[] into = new int[workers];
    return rule.choose(gpus, Demand.NONE, seconds, limit, anyGpu, into) ? into : new int[0];
  }

  private static int[] chosen(GpuRule rule, Gpus gpus, int workers) {
    return chosen(rule, gpus, workers, 1, NO_LIMIT, false);
  }

  private static void plan(Gpus gpus, double seconds, int... which) {
    gpus.plan(which, seconds);
  }

  @Test
  void packPrefersTheServerThatIsJustLargeEnough() {
    GpuRule pack = new FragmentAwarePack();
    assertThat(chosen(pack, gpus(), 1)).containsExactly(6);
    assertThat(chosen(pack, gpus(), 2)).containsExactly(0, 1);
    assertThat(chosen(pack, gpus(), 3)).containsExactly(2, 3, 4);
    Gpus used = gpus();
    used.occupy(new int[] {2, 3, 4}, Demand.NONE);
    // One idle GPU on servers 1 and 2: the first.
    assertThat(chosen(pack, used, 1)).containsExactly(5);
  }

  @Test
  void packTakesTheLargestRestsIfNoServerIsLargeEnough() {
    assertThat(chosen(new FragmentAwarePack(), gpus(), 5)).containsExactly(0, 2, 3, 4, 5);
  }

  @Test
  void packTakesTheLeastPlannedFirst() {
    Gpus gpus = gpus();
    plan(gpus, 5, 0, 1, 2);
    assertThat(chosen(new FragmentAwarePack(), gpus, 2)).containsExactly(3, 4);
    plan(gpus, 1, 3, 4, 5);
    assertThat(chosen(new FragmentAwarePack(), gpus, 2)).containsExactly(3, 6);
  }

  @Test
  void noGpuMayHaveMoreThanTheLimit() {
    Gpus gpus = gpus();
    plan(gpus, 5, 0, 1, 2);
    for (GpuRule rule :
        List.of(
            new FragmentAwarePack(),
            new LeastBusySpread(4),
            new FirstGpus(),
            new LeastPlannedGpus(),
            new RandomGpus(new SplittableRandom(1)))) {
      assertThat(chosen(rule, gpus, 4, 4, 8.9, false)).containsExactly(3, 4, 5, 6);
      assertThat(chosen(rule, gpus, 5, 4, 8.9, false)).isEmpty();
      assertThat(chosen(rule, gpus, 5, 4, 9, false)).hasSize(5);
    }
  }

  @Test
  void spreadLooksAtJustEnoughOfTheLeastBusyServers() {
    Gpus gpus = gpus();
    // Means: 1 on server 0, 0.25 on server 1, 3 on server 2.
    plan(gpus, 2, 0);
    plan(gpus, 1, 2);
    plan(gpus, 3, 6);
    assertThat(chosen(new LeastBusySpread(1), gpus, 2)).containsExactly(3, 4);
    assertThat(chosen(new LeastBusySpread(1), gpus, 5)).containsExactly(1, 2, 3, 4, 5);
    assertThat(chosen(new LeastBusySpread(3), gpus, 2)).containsExactly(1, 3);
    gpus.occupy(new int[] {3, 4, 5}, Demand.NONE);
    // Server 1 alone is looked at, and has one idle GPU, though servers 0 and 2 have three.
    assertThat(chosen(new LeastBusySpread(1), gpus, 2)).isEmpty();
    assertThat(chosen(new LeastBusySpread(2.5), gpus, 2)).containsExactly(1, 2);
  }

  @Test
  void firstFitTakesTheFirst() {
    Gpus gpus = gpus();
    gpus.occupy(new int[] {1, 2}, Demand.NONE);
    assertThat(chosen(new FirstGpus(), gpus, 3)).containsExactly(0, 3, 4);
    assertThat(chosen(new FirstGpus(), gpus, 6)).isEmpty();
    assertThat(chosen(new FirstGpus(), gpus, 6, 1, NO_LIMIT, true))
        .containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void fixedGpusArePackedOnTheServerThatIsFreeFirst() {
    Gpus gpus = gpus();
    plan(gpus, 3, 0);
    plan(gpus, 1, 2, 3);
    plan(gpus, 2, 4, 5);
    gpus.occupy(new int[] {2, 3}, Demand.NONE);
    // Two on server 0 could begin at 3, on server 1 at 1, busy or not.
    assertThat(chosen(new FragmentAwarePack(), gpus, 2, 1, NO_LIMIT, true)).containsExactly(2, 3);
    assertThat(chosen(new FragmentAwarePack(), gpus, 2, 1, 1.5, true)).containsExactly(1, 6);
  }

  @Test
  void theLeastUsedAreThoseThatSortingFinds() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 500; round++) {
      int count = random.nextInt(1, 30);
      int wanted = random.nextInt(1, count + 1);
      LeastUsed least = new LeastUsed(wanted);
      List<double[]> shown = new ArrayList<>();
      for (int gpu = 0; gpu < count; gpu++) {
        double[] each = {random.nextInt(5), random.nextInt(3), gpu};
        shown.add(each);
        least.offer(gpu, each[0], (int) each[1]);
      }
      shown.sort(
          java.util.Comparator.<double[]>comparingDouble(e -> e[0])
              .thenComparingDouble(e -> e[1])
              .thenComparingDouble(e -> e[2]));
      int[] expected =
          shown.subList(0, wanted).stream().mapToInt(e -> (int) e[2]).sorted().toArray();
      int[] found = new int[wanted];
      assertThat(least.into(found)).isTrue();
      assertThat(found).as("round %d", round).containsExactly(expected);
    }
  }
}
