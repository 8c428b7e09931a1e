package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServersSeenTest {
  @Test
  void whatEndsMakesRoom() {
    ServersSeen seen = new ServersSeen();
    seen.held(List.of("a"), 4, 0, 10);
    seen.held(List.of("a"), 3, 10, 20);
    seen.held(List.of("a"), 2, 15, 16);
    assertThat(seen.gpusByServer(false)).isEqualTo(Map.of("a", 5));
  }

  @Test
  void whatIsLeftOverGoesToTheFirst() {
    ServersSeen seen = new ServersSeen();
    seen.held(List.of("n1", "n2", "n10"), 8, 0, ServersSeen.STILL);
    assertThat(seen.gpusByServer(false))
        .containsExactly(Map.entry("n1", 3), Map.entry("n2", 3), Map.entry("n10", 2));
  }

  /** Compared with a count for each second. */
  @Test
  void mostAtOnce() {
    Seeds.each(
        200,
        (random, _) -> {
          ServersSeen seen = new ServersSeen();
          Map<String, int[]> bySecond = new HashMap<>();
          int jobs = 1 + random.nextInt(60);
          for (int j = 0; j < jobs; j++) {
            List<String> servers = new ArrayList<>();
            for (int s = 0; s < 5; s++) {
              if (random.nextBoolean()) {
                servers.add("s" + s);
              }
            }
            int start = random.nextInt(50);
            int end = start + 1 + random.nextInt(20);
            int gpus = servers.size() * (1 + random.nextInt(4));
            seen.held(servers, gpus, start, end);
            for (String server : servers) {
              int[] held = bySecond.computeIfAbsent(server, _ -> new int[100]);
              for (int t = start; t < end; t++) {
                held[t] += gpus / servers.size();
              }
            }
          }
          Map<String, Integer> most = new HashMap<>();
          bySecond.forEach((name, held) -> {
            int top = 0;
            for (int gpus : held) {
              top = Math.max(top, gpus);
            }
            most.put(name, top);
          });
          assertThat(seen.gpusByServer(false)).isEqualTo(most);
        });
  }

  @Test
  void runsOfAJob() {
    RunsSeen runs = new RunsSeen();
    for (long key = 1; key <= 5000; key++) {
      assertThat(runs.run(key, 7)).isEqualTo(1);
    }
    for (long key = 1; key <= 5000; key += 99) {
      assertThat(runs.run(key, 7)).isZero();
      assertThat(runs.run(key, 9)).isEqualTo(2);
      assertThat(runs.run(key, 9)).isZero();
      assertThat(runs.run(key, 8)).isEqualTo(3);
    }
  }
}
