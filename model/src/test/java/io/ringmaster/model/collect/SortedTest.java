package io.ringmaster.model.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class SortedTest {
  @Test
  void byHand() {
    assertThat(Sorted.byKey(new double[] {3, 1, 2, 1})).containsExactly(1, 3, 2, 0);
    assertThat(Sorted.byKey(new double[0])).isEmpty();
  }

  @Test
  void byKeyIsByItsComparator() {
    Seeds.each(
        200,
        (random, _) -> {
          double[] keys = new double[random.nextInt(300)];
          int different = 1 + random.nextInt(400);
          Arrays.setAll(keys, _ -> random.nextInt(different));
          if (random.nextBoolean()) {
            Arrays.sort(keys, 0, random.nextInt(keys.length + 1));
          }
          assertThat(Sorted.byKey(keys))
              .isEqualTo(Sorted.by(Comparator.comparingDouble(i -> keys[i]), keys.length));
        });
  }
}
