package io.ringmaster.model.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heaps against sorted sets, over random operations on few keys, so that many are equal. */
class IndexedHeapTest {
  private record Entry(double key, int tie, int id) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparingDouble(Entry::key).thenComparingInt(Entry::tie);

  /** The plain thing: a sorted set, and where each id is in it. */
  private static final class Reference {
    final TreeSet<Entry> entries;
    final Map<Integer, Entry> byId = new HashMap<>();

    Reference(boolean descending) {
      entries = new TreeSet<>(descending ? ORDER.reversed() : ORDER);
    }

    void put(int id, double key, int tie) {
      remove(id);
      Entry entry = new Entry(key, tie, id);
      byId.put(id, entry);
      entries.add(entry);
    }

    void remove(int id) {
      Entry entry = byId.remove(id);
      if (entry != null) {
        entries.remove(entry);
      }
    }
  }

  private static double key(RandomGenerator random) {
    return random.nextInt(6) / 2.0 - 1;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isASortedSetWithChangingKeys(boolean descending) {
    Seeds.each(
        100,
        (random, _) -> {
          IndexedHeap heap = IndexedHeap.sharing(new IndexedHeap.Positions(), descending);
          Reference reference = new Reference(descending);
          int ids = random.nextInt(1, 120);
          for (int step = 0; step < 600; step++) {
            int id = random.nextInt(ids);
            switch (random.nextInt(5)) {
              case 0 -> {
                heap.remove(id);
                reference.remove(id);
              }
              case 1 -> {
                if (!heap.isEmpty()) {
                  Entry first = reference.entries.getFirst();
                  assertThat(heap.poll()).isEqualTo(first.id());
                  reference.remove(first.id());
                }
              }
              default -> {
                // Ties differ from id to id, and change now and then.
                double key = key(random);
                int tie = random.nextBoolean() ? id : id + ids;
                heap.put(id, key, tie);
                reference.put(id, key, tie);
              }
            }
            same(heap, reference, random);
          }
        });
  }

  private static void same(IndexedHeap heap, Reference reference, RandomGenerator random) {
    assertThat(heap.size()).isEqualTo(reference.entries.size());
    assertThat(heap.isEmpty()).isEqualTo(reference.entries.isEmpty());
    if (!heap.isEmpty()) {
      Entry first = reference.entries.getFirst();
      assertThat(new Entry(heap.peekKey(), heap.peekTie(), heap.peek())).isEqualTo(first);
    }
    int asked = random.nextInt(200);
    Entry known = reference.byId.get(asked);
    assertThat(heap.contains(asked)).isEqualTo(known != null);
    if (known != null) {
      assertThat(heap.key(asked)).isEqualTo(known.key());
    }
    double key = key(random);
    int tie = random.nextInt(4) == 0 ? Integer.MIN_VALUE : random.nextInt(240);
    int limit = random.nextInt(20);
    int before = reference.entries.headSet(new Entry(key, tie, -1)).size();
    assertThat(heap.countBefore(key, tie, limit)).isEqualTo(Math.min(before, limit));
    assertThat(heap.countBefore(key, tie, Integer.MAX_VALUE)).isEqualTo(before);
  }

  @Test
  void heapsThatSharePositionsKeepTheirOwnEntries() {
    Seeds.each(
        60,
        (random, _) -> {
          IndexedHeap.Positions positions = new IndexedHeap.Positions();
          List<IndexedHeap> heaps = new ArrayList<>();
          List<Reference> references = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            heaps.add(IndexedHeap.sharing(positions, false));
            references.add(new Reference(false));
          }
          for (int step = 0; step < 500; step++) {
            int id = random.nextInt(90);
            // An id has its one heap.
            int own = id % 3;
            if (random.nextInt(3) == 0) {
              heaps.get(own).remove(id);
              references.get(own).remove(id);
            } else {
              double key = key(random);
              heaps.get(own).put(id, key);
              references.get(own).put(id, key, id);
            }
            for (int i = 0; i < 3; i++) {
              assertThat(heaps.get(i).size()).isEqualTo(references.get(i).entries.size());
              assertThat(heaps.get(i).contains(id))
                  .isEqualTo(references.get(own).byId.containsKey(id));
              if (!heaps.get(i).isEmpty()) {
                assertThat(heaps.get(i).peek())
                    .isEqualTo(references.get(i).entries.getFirst().id());
              }
            }
          }
        });
  }

  @Test
  void equalKeysComeByIdUnlessToldOtherwise() {
    IndexedHeap heap = IndexedHeap.ascending();
    heap.put(7, 1);
    heap.put(3, 1);
    heap.put(5, 1, -1);
    assertThat(List.of(heap.poll(), heap.poll(), heap.poll())).containsExactly(5, 3, 7);
  }

  /** Keys that change often leave entries behind, more than the heap keeps without tidying up. */
  @Test
  void theLazyHeapIsASortedSetToo() {
    Seeds.each(
        40,
        (random, seed) -> {
          LazyHeap heap = new LazyHeap();
          Reference reference = new Reference(false);
          int ids = random.nextInt(1, 60);
          int polls = seed % 2 == 0 ? 50 : 3;
          for (int step = 0; step < 6000; step++) {
            int id = random.nextInt(ids);
            if (random.nextInt(polls) == 0) {
              heap.remove(id);
              reference.remove(id);
            } else if (random.nextInt(polls) == 0 && !heap.isEmpty()) {
              Entry first = reference.entries.getFirst();
              assertThat(heap.poll()).isEqualTo(first.id());
              reference.remove(first.id());
            } else {
              double key = seed % 3 == 0 ? key(random) : random.nextDouble();
              heap.put(id, key);
              reference.put(id, key, id);
            }
            assertThat(heap.size()).isEqualTo(reference.entries.size());
            assertThat(heap.contains(id)).isEqualTo(reference.byId.containsKey(id));
            // Not at each step: looking at the top tidies it up.
            if (random.nextInt(polls) == 0 && !heap.isEmpty()) {
              Entry first = reference.entries.getFirst();
              assertThat(heap.peek()).isEqualTo(first.id());
              assertThat(heap.peekKey()).isEqualTo(first.key());
              assertThat(heap.key(first.id())).isEqualTo(first.key());
            }
          }
        });
  }

  @Test
  void intListsGrowAndShrinkAtTheEnd() {
    IntList list = new IntList();
    for (int i = 0; i < 1000; i++) {
      list.add(i);
    }
    list.set(999, -5);
    assertThat(list.pop()).isEqualTo(-5);
    assertThat(list.size()).isEqualTo(999);
    assertThat(list.get(998)).isEqualTo(998);
    assertThat(list.toArray()).hasSize(999);
    assertThatThrownBy(() -> list.get(999)).isInstanceOf(IndexOutOfBoundsException.class);
    list.clear();
    assertThat(list.isEmpty()).isTrue();
  }
}
