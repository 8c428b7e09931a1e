package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.whatif.Sized.Needed;
import io.ringmaster.whatif.Sized.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizingTest {
  /** Of a whole server each, all at once: on n servers job i waits for 600 s times i / n, whole. */
  private static final int JOBS = 6;

  private static Needed needed(int servers, String goal) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < JOBS; i++) {
      jobs.addDuration("j" + i, 0, 8, 600, "");
    }
    Cluster cluster = Cluster.uniform(servers, 8, Network.Contention.USUAL, 10);
    History history = new History(History.NATIVE, jobs.build(), cluster, List.of());
    Sized sized =
        new Sizing(history, new Question("predicted", 1, 1, 2))
            .answer(Goal.parse(goal), List.of("fifo"), _ -> {});
    return sized.policies().getFirst();
  }

  @Test
  void theFewestServersThatMeetAGoalAreFoundFromBelowAndFromAbove() {
    // Mean waits on 1 to 6 servers: 1500, 600, 300, 200, 100, 0.
    for (int servers : new int[] {1, 2, 3, 6, 20}) {
      Needed needed = needed(servers, "mean wait < 5min");
      assertThat(needed.fewest()).map(Point::servers).hasValue(4);
      assertThat(needed.fewest().orElseThrow().seconds().mean()).isEqualTo(200);
      assertThat(needed.oneFewer().orElseThrow().seconds().mean()).isEqualTo(300);
      assertThat(needed.curve()).extracting(Point::servers).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void oneServerIsTheLeast() {
    Needed needed = needed(5, "p99 wait < 1d");
    assertThat(needed.fewest()).map(Point::servers).hasValue(1);
    assertThat(needed.oneFewer()).isEmpty();
  }

  @Test
  void whatNoNumberOfServersCanDoIsSaid() {
    Needed needed = needed(2, "mean jct < 10min");
    assertThat(needed.fewest()).isEmpty();
    assertThat(needed.curve().getLast().seconds().mean()).isEqualTo(600);
  }
}
