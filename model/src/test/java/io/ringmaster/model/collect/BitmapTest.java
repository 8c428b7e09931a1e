package io.ringmaster.model.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BitmapTest {
  private static int orMinusOne(@Nullable Integer value) {
    return value == null ? -1 : value;
  }

  /** Capacities at the edges of words and of levels. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 128, 4095, 4096, 4097, 262_144, 262_145})
  void isASortedSet(int capacity) {
    Seeds.each(
        10,
        (random, seed) -> {
          Bitmap bitmap = new Bitmap(capacity);
          TreeSet<Integer> set = new TreeSet<>();
          // Some runs crowd a small part of the range, so that members meet and words get empty.
          int range = seed % 2 == 0 ? capacity : Math.min(capacity, 70);
          for (int step = 0; step < 2000; step++) {
            int value = capacity - range + random.nextInt(range);
            if (random.nextInt(3) == 0) {
              bitmap.remove(value);
              set.remove(value);
            } else if (random.nextBoolean()) {
              bitmap.add(value);
              set.add(value);
            }
            int asked = random.nextInt(capacity);
            assertThat(bitmap.contains(asked)).isEqualTo(set.contains(asked));
            assertThat(bitmap.next(asked)).isEqualTo(orMinusOne(set.ceiling(asked)));
            assertThat(bitmap.previous(asked)).isEqualTo(orMinusOne(set.floor(asked)));
            assertThat(bitmap.size()).isEqualTo(set.size());
            assertThat(bitmap.isEmpty()).isEqualTo(set.isEmpty());
          }
          assertThat(bitmap.next(capacity)).isEqualTo(-1);
          assertThat(bitmap.previous(-1)).isEqualTo(-1);
        });
  }
}
