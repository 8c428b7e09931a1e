package io.ringmaster.policy.asrpt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VirtualMachineTest {

  /**
   * Job 0 of 10 from 0. At 2 job 1 of 3 arrives: 3 is less than the 8 left, so it runs to 5. At 4
   * job 2 of 1 arrives: as much as is left of job 1, which was submitted first. So 1 ends at 5, 2
   * at 6, and 0 at 14.
   */
  @Test
  void worksOnTheJobWithTheLeastLeft() {
    assertThat(ends(1, new double[] {0, 2, 4}, new double[] {10, 3, 1}))
        .containsExactlyInAnyOrderEntriesOf(Map.of(0, 14.0, 1, 5.0, 2, 6.0));
  }

  /** At half speed the sizes count twice: 20 of job 0, 6 of job 1, from 2 to 8. */
  @Test
  void aSlowerMachineTakesLonger() {
    assertThat(ends(0.5, new double[] {0, 2}, new double[] {10, 3}))
        .containsExactlyInAnyOrderEntriesOf(Map.of(0, 26.0, 1, 8.0));
  }

  @Test
  void whatIsTakenOutIsNotWorkedOn() {
    VirtualMachine machine = new VirtualMachine(1);
    machine.add(0, 4);
    machine.add(1, 9);
    machine.remove(0);
    assertThat(machine.current()).isEqualTo(1);
    assertThat(machine.nextSeconds()).isEqualTo(9);
  }

  /** No schedule that may interrupt jobs has a smaller sum of completion times. */
  @Test
  void isOptimalForFewJobs() {
    Seeds.each(
        300,
        (random, _) -> {
          int jobs = random.nextInt(1, 7);
          double[] release = new double[jobs];
          double[] size = new double[jobs];
          for (int i = 0; i < jobs; i++) {
            release[i] = random.nextInt(6);
            size[i] = random.nextInt(1, 4);
          }
          Arrays.sort(release);
          double sum = ends(1, release, size).values().stream().mapToDouble(c -> c).sum();
          int[] left = Arrays.stream(size).mapToInt(s -> (int) s).toArray();
          assertThat(sum).isCloseTo(best(0, left, release, new HashMap<>()), within(1e-9));
        });
  }

  /** The least sum of completion times from a moment on, by trying every job in every second. */
  private static double best(
      int now, int[] left, double[] release, Map<List<Integer>, Double> known) {
    if (Arrays.stream(left).allMatch(l -> l == 0)) {
      return 0;
    }
    List<Integer> state =
        java.util.stream.IntStream.concat(java.util.stream.IntStream.of(now), Arrays.stream(left))
            .boxed()
            .toList();
    Double before = known.get(state);
    if (before != null) {
      return before;
    }
    double least = Double.POSITIVE_INFINITY;
    boolean any = false;
    for (int job = 0; job < left.length; job++) {
      if (left[job] > 0 && release[job] <= now) {
        any = true;
        int[] next = left.clone();
        next[job]--;
        double end = next[job] == 0 ? now + 1 : 0;
        least = Math.min(least, end + best(now + 1, next, release, known));
      }
    }
    double result = any ? least : best(now + 1, left, release, known);
    known.put(state, result);
    return result;
  }

  private static Map<Integer, Double> ends(double speed, double[] release, double[] size) {
    VirtualMachine machine = new VirtualMachine(speed);
    Map<Integer, Double> ends = new TreeMap<>();
    for (int job = 0; job < size.length; job++) {
      machine.advance(release[job], ends::put);
      machine.add(job, size[job]);
    }
    machine.advance(1e9, ends::put);
    return ends;
  }
}
