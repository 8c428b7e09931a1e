package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Rings with several workers on a server, by hand and against one that is played part by part. */
class HeadStartTest {
  private static final Offset<Double> EXACT = within(1e-12);

  /** 600 MB a second between servers and 6 GB a second inside; nothing else takes time. */
  private static final RingTerms TERMS = new RingTerms(1, 0.2, 0, Double.POSITIVE_INFINITY);

  private static Cluster cluster(Network network, int servers) {
    List<Server> all = new ArrayList<>();
    for (int s = 0; s < servers; s++) {
      all.add(new Server("s" + s, 8, "v100", "r1", 600e6, 6e9));
    }
    return new Cluster("test", all, network, 10);
  }

  private static ModelProfile profile(double gradientBytes, double computeSeconds) {
    return new ModelProfile("test", gradientBytes, 1, 0, computeSeconds, "test");
  }

  private static Placement on(int... gpus) {
    return Placement.of(IntStream.range(0, gpus.length).toArray(), gpus);
  }

  /**
   * 400 MB and four workers: six parts of 100 MB, a sixth of a second each between servers, a
   * sixtieth inside. So two on each of two servers gain 1/6 - 1/60 = 0.15 s; beside another ring,
   * which makes parts twice as long and a fifth more, 2.2 / 6 - 1/60 = 0.35 s.
   */
  @Test
  void workersOfAServerGainAPartForEachOther() {
    IterationTime time = IterationTime.of(cluster(new Network.Transmit(TERMS), 4));
    ModelProfile profile = profile(400e6, 2);
    assertThat(time.seconds(profile, on(2, 2), 1)).isCloseTo(1 + 2 - 0.15, EXACT);
    assertThat(time.seconds(profile, on(3, 1), 1)).isCloseTo(1 + 2 - 0.15, EXACT);
    assertThat(time.seconds(profile, on(2, 2), 2)).isCloseTo(2.2 + 2 - 0.35, EXACT);
    assertThat(time.seconds(profile, on(1, 1, 1, 1), 1)).isEqualTo(3.0);
  }

  @Test
  void nobodyGainsMoreThanThereIsToCompute() {
    IterationTime time = IterationTime.of(cluster(new Network.Transmit(TERMS), 2));
    assertThat(time.seconds(profile(400e6, 0.1), on(2, 2), 1)).isCloseTo(1, EXACT);
    assertThat(time.seconds(profile(400e6, 0), on(2, 2), 1)).isCloseTo(1, EXACT);
  }

  @Test
  void whereRingsCountWholeThereIsNone() {
    IterationTime time = IterationTime.of(cluster(new Network.Contention(TERMS), 2));
    assertThat(time.seconds(profile(400e6, 2), on(2, 2), 1)).isEqualTo(3.0);
  }

  @Test
  void itIsThatOfARingThatIsPlayedPartByPart() {
    Seeds.each(
        200,
        (random, seed) -> {
          int[] gpus = random.ints(random.nextInt(2, 5), 1, 5).toArray();
          ModelProfile profile = profile(random.nextDouble(1e7, 1e9), 2 * random.nextDouble());
          IterationTime time = IterationTime.of(cluster(new Network.Transmit(TERMS), gpus.length));
          assertThat(time.seconds(profile, on(gpus), 1))
              .isCloseTo(played(profile, gpus), within(0.005 * played(profile, gpus)));
        });
  }

  /**
   * Mean seconds of an iteration. A hop carries one part after the other, each as soon as the
   * sender has it: what it got one step before, or in the first step its own. A worker that has got
   * all computes, and begins again.
   */
  private static double played(ModelProfile profile, int[] gpus) {
    int workers = Arrays.stream(gpus).sum();
    double bytes = profile.gradientBytes() / workers;
    double[] hopSeconds = new double[workers];
    Arrays.fill(hopSeconds, bytes / 6e9);
    for (int server = 0, rank = 0; server < gpus.length; rank += gpus[server++]) {
      hopSeconds[rank] = bytes / 600e6;
    }
    double[] hopFree = new double[workers];
    double[] begins = new double[workers];
    int iterations = 400;
    double half = 0;
    for (int i = 0; i < iterations; i++) {
      half = i == iterations / 2 ? begins[0] : half;
      double[] has = begins.clone();
      for (int step = 0; step < 2 * (workers - 1); step++) {
        double[] got = new double[workers];
        for (int rank = 0; rank < workers; rank++) {
          double sent = has[(rank + workers - 1) % workers];
          hopFree[rank] = Math.max(hopFree[rank], sent) + hopSeconds[rank];
          got[rank] = Math.max(has[rank], hopFree[rank]);
        }
        has = got;
      }
      for (int rank = 0; rank < workers; rank++) {
        begins[rank] = has[rank] + profile.computeSeconds();
      }
    }
    return (begins[0] - half) / (iterations - iterations / 2);
  }
}
