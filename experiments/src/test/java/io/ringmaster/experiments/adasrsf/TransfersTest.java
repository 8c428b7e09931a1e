package io.ringmaster.experiments.adasrsf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.collect.IndexedHeap;
import org.junit.jupiter.api.Test;

/** Speeds of transfers that share links. One takes 1 ms for a megabyte, two take 2.5 ms. */
class TransfersTest {
  private final IndexedHeap events = IndexedHeap.ascending();
  private final Transfers transfers = new Transfers(new LinkCost(1, 0.5), 3, 3, events, 10);

  /**
   * Job 0 moves 50 of its 100 MB by 50 ms. Then job 1 comes to node 1: what is left of job 0 takes
   * 50 * 2.5 = 125 ms, to 175. By then job 1 has moved 50 MB too, and the rest takes it 50 ms.
   */
  @Test
  void whatIsLeftGoesOnAtTheNewSpeed() {
    transfers.start(0, new int[] {0, 1}, 100, 0);
    assertThat(events.key(10)).isEqualTo(100);

    transfers.start(1, new int[] {1, 2}, 100, 50);
    assertThat(events.key(10)).isEqualTo(175);
    assertThat(events.key(11)).isEqualTo(300);
    assertThat(transfers.leastLeft(new int[] {0, 2}, 75)).isCloseTo(40, within(1e-12));

    assertThat(events.poll()).isEqualTo(10);
    transfers.end(0, 175);
    assertThat(events.key(11)).isCloseTo(225, within(1e-9));
  }

  /** The busiest node counts: job 0 meets one other on node 0 and two on node 1. */
  @Test
  void theBusiestNodeSetsTheSpeed() {
    transfers.start(1, new int[] {0, 1}, 100, 0);
    transfers.start(2, new int[] {1, 2}, 100, 0);
    transfers.start(0, new int[] {0, 1}, 100, 0);

    assertThat(transfers.most(new int[] {0})).isEqualTo(2);
    assertThat(transfers.most(new int[] {0, 1})).isEqualTo(3);
    // Three take 3 * 1 + 2 * 0.5 = 4 ms for a megabyte of each.
    assertThat(events.key(10)).isEqualTo(400);
    assertThat(events.key(12)).isEqualTo(400);
    assertThat(transfers.most(new int[] {2})).isEqualTo(1);
  }
}
