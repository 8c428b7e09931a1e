package io.ringmaster.policy.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Demand;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queues of policies against plain lists. */
class QueuesTest {
  private record Entry(int job, int gpus, double key, int tie) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparingDouble(Entry::key).thenComparingInt(Entry::tie);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sizeQueuesAreOneSortedListForEachSize(boolean descending) {
    Comparator<Entry> order = descending ? ORDER.reversed() : ORDER;
    Seeds.each(
        80,
        (random, _) -> {
          SizeQueues queues = descending ? SizeQueues.descending() : SizeQueues.ascending();
          // Job -> entry; sizes in the order in which they were first seen do not matter.
          TreeMap<Integer, Entry> jobs = new TreeMap<>();
          TreeMap<Integer, Boolean> sizes = new TreeMap<>();
          for (int step = 0; step < 400; step++) {
            int job = random.nextInt(60);
            int gpus = 1 << job % 5;
            switch (random.nextInt(4)) {
              case 0 -> {
                queues.remove(job, gpus, Demand.NONE);
                jobs.remove(job);
              }
              case 1 -> {
                if (queues.classes() > 0) {
                  int c = random.nextInt(queues.classes());
                  if (!queues.of(c).isEmpty()) {
                    Entry head = first(jobs, queues.gpus(c), order);
                    assertThat(queues.poll(c)).isEqualTo(head.job());
                    jobs.remove(head.job());
                  }
                }
              }
              default -> {
                sizes.put(gpus, true);
                double key = random.nextInt(4);
                if (random.nextBoolean()) {
                  queues.put(job, gpus, Demand.NONE, key);
                  jobs.put(job, new Entry(job, gpus, key, job));
                } else {
                  queues.put(job, gpus, Demand.NONE, key, 100 + job);
                  jobs.put(job, new Entry(job, gpus, key, 100 + job));
                }
              }
            }
            same(queues, jobs, new ArrayList<>(sizes.keySet()), order, descending);
          }
        });
  }

  private static Entry first(Map<Integer, Entry> jobs, int gpus, Comparator<Entry> order) {
    return jobs.values().stream().filter(e -> e.gpus() == gpus).min(order).orElseThrow();
  }

  private static void same(
      SizeQueues queues,
      Map<Integer, Entry> jobs,
      List<Integer> sizes,
      Comparator<Entry> order,
      boolean descending) {
    assertThat(queues.size()).isEqualTo(jobs.size());
    assertThat(queues.isEmpty()).isEqualTo(jobs.isEmpty());
    for (int job = 0; job < 60; job++) {
      assertThat(queues.contains(job)).isEqualTo(jobs.containsKey(job));
    }
    List<Integer> classes = new ArrayList<>();
    for (int c = 0; c < queues.classes(); c++) {
      int gpus = queues.gpus(c);
      classes.add(gpus);
      long there = jobs.values().stream().filter(e -> e.gpus() == gpus).count();
      assertThat(queues.of(c).size()).isEqualTo((int) there);
      if (there > 0) {
        assertThat(queues.of(c).peek()).isEqualTo(first(jobs, gpus, order).job());
      }
      for (int d = 0; d < c && !descending; d++) {
        if (there > 0 && !queues.of(d).isEmpty()) {
          assertThat(queues.headBefore(c, d))
              .isEqualTo(
                  order.compare(first(jobs, gpus, order), first(jobs, queues.gpus(d), order)) < 0);
        }
      }
    }
    assertThat(classes).containsAll(sizes).isSorted();
  }

  @Test
  void firstBelowIsTheFirstInOrderOfArrivalThatIsShortEnough() {
    Seeds.each(
        150,
        (random, seed) -> {
          FirstBelow queue = new FirstBelow();
          List<Entry> list = new ArrayList<>();
          int next = 0;
          // Some runs let the queue grow, others keep it near empty.
          int adds = seed % 2 == 0 ? 3 : 2;
          for (int step = 0; step < 400; step++) {
            if (random.nextInt(4) < adds) {
              double value = random.nextInt(20);
              queue.add(next, value);
              list.add(new Entry(next++, 1, value, 0));
            } else if (!list.isEmpty()) {
              Entry gone = list.get(random.nextInt(list.size()));
              switch (random.nextInt(3)) {
                case 0 -> queue.removeJob(gone.job());
                case 1 -> {
                  gone = list.getFirst();
                  queue.remove(queue.first());
                }
                default -> {
                  double limit = gone.key();
                  gone = list.stream().filter(e -> e.key() <= limit).findFirst().orElseThrow();
                  queue.remove(queue.find(limit));
                }
              }
              list.remove(gone);
            }
            assertThat(queue.isEmpty()).isEqualTo(list.isEmpty());
            int front = queue.first();
            assertThat(front < 0 ? -1 : queue.job(front))
                .isEqualTo(list.isEmpty() ? -1 : list.getFirst().job());
            double limit = random.nextInt(-1, 21);
            int found = queue.find(limit);
            assertThat(found < 0 ? -1 : queue.job(found))
                .isEqualTo(
                    list.stream()
                        .filter(e -> e.key() <= limit)
                        .findFirst()
                        .map(Entry::job)
                        .orElse(-1));
          }
        });
  }
}
