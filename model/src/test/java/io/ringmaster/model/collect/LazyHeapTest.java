package io.ringmaster.model.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LazyHeapTest {
  private record Entry(double key, int id) {}

  @Test
  void equalsASortedSetWhateverIsDoneToIt() {
    Seeds.each(
        200,
        (random, _) -> {
          LazyHeap heap = new LazyHeap();
          Map<Integer, Double> keys = new HashMap<>();
          TreeSet<Entry> sorted =
              new TreeSet<>(Comparator.comparingDouble(Entry::key).thenComparingInt(Entry::id));
          int ids = 1 + random.nextInt(60);
          for (int step = 0; step < 600; step++) {
            int id = random.nextInt(ids);
            switch (random.nextInt(4)) {
              case 0, 1 -> {
                double key = random.nextInt(20);
                heap.put(id, key);
                Double before = keys.put(id, key);
                if (before != null) {
                  sorted.remove(new Entry(before, id));
                }
                sorted.add(new Entry(key, id));
              }
              case 2 -> {
                heap.remove(id);
                Double before = keys.remove(id);
                if (before != null) {
                  sorted.remove(new Entry(before, id));
                }
              }
              default -> {
                if (!sorted.isEmpty()) {
                  Entry first = sorted.removeFirst();
                  keys.remove(first.id());
                  assertThat(heap.peekKey()).isEqualTo(first.key());
                  assertThat(heap.peek()).isEqualTo(first.id());
                  assertThat(heap.poll()).isEqualTo(first.id());
                }
              }
            }
            assertThat(heap.size()).isEqualTo(sorted.size());
            assertThat(heap.isEmpty()).isEqualTo(sorted.isEmpty());
            assertThat(heap.contains(id)).isEqualTo(keys.containsKey(id));
            if (keys.containsKey(id)) {
              assertThat(heap.key(id)).isEqualTo(keys.get(id));
            }
          }
        });
  }

  @Test
  void forgetsOldEntriesBeforeTheyFillTheMemory() {
    LazyHeap heap = new LazyHeap();
    for (int step = 0; step < 1_000_000; step++) {
      heap.put(step % 3, step);
    }
    assertThat(heap.size()).isEqualTo(3);
    assertThat(heap.poll()).isEqualTo(999_997 % 3);
    assertThat(heap.poll()).isEqualTo(999_998 % 3);
    assertThat(heap.peekKey()).isEqualTo(999_999);
  }
}
