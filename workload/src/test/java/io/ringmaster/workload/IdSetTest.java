package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdSetTest {
  @Test
  void namesTheLineOfTheFirst() {
    IdSet ids = new IdSet();
    assertThat(ids.add("a", 2)).isEqualTo(-1);
    assertThat(ids.add("b", 3)).isEqualTo(-1);
    assertThat(ids.add("b", 4)).isEqualTo(3);
    assertThat(ids.add("a", 5)).isEqualTo(2);
    assertThat(ids.add("ä", 6)).isEqualTo(-1);
    assertThat(ids.add("ä", 7)).isEqualTo(6);
  }

  @Test
  void idsThatGrowAndThenRepeat() {
    IdSet ids = new IdSet();
    for (int i = 0; i < 5000; i++) {
      assertThat(ids.add("j" + i, i)).isEqualTo(-1);
    }
    assertThat(ids.add("j10", 9999)).isEqualTo(10);
    assertThat(ids.add("j4999", 9999)).isEqualTo(4999);
    assertThat(ids.add("j5000", 9999)).isEqualTo(-1);
  }

  @Test
  void likeAMapOnRandomIds() {
    long seed = 11;
    Random random = new Random(seed);
    IdSet ids = new IdSet();
    Map<String, Integer> lines = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      String id = Integer.toString(random.nextInt(80_000), 36);
      Integer before = lines.putIfAbsent(id, i);
      assertThat(ids.add(id, i)).as("seed " + seed).isEqualTo(before == null ? -1 : before);
    }
  }
}
