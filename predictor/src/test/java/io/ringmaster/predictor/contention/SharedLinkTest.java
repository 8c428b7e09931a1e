package io.ringmaster.predictor.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.TransmitShare;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measurements that are made up, so that the truth is known: a, b and alpha, and which model. */
class SharedLinkTest {
  private static final double A = 0.7e-3;
  private static final double B = 80e-9;
  private static final double ALPHA = 0.2;

  private static double noise(RandomGenerator random) {
    return 1 + 0.03 * random.nextGaussian();
  }

  private static double seconds(double bytes, double k) {
    return A + B * bytes * (k + ALPHA * (k - 1));
  }

  private static ContentionFit fitted(RandomGenerator random) {
    List<AllReduceTime> times = new ArrayList<>();
    for (int repeat = 0; repeat < 5; repeat++) {
      for (int k = 1; k <= 3; k++) {
        for (double bytes : new double[] {1 << 10, 1 << 16, 1 << 18, 1 << 20}) {
          times.add(new AllReduceTime(k, bytes, seconds(bytes, k) * noise(random)));
        }
      }
    }
    return ContentionFit.of(times);
  }

  /** Two and three rings that compute for a quarter, a half, three quarters of the time alone. */
  private static List<SharedLink.Measured> cases(RandomGenerator random, boolean shares) {
    double bytes = 1 << 20;
    List<SharedLink.Measured> measured = new ArrayList<>();
    for (double share : new double[] {0.25, 0.5, 0.75}) {
      for (int rings = 2; rings <= 3; rings++) {
        double compute = seconds(bytes, 1) * share / (1 - share);
        double found = TransmitShare.of((compute + A) / (B * bytes), rings, ALPHA);
        double k = shares ? 1 + (rings - 1) * found : rings;
        for (int repeat = 0; repeat < 3; repeat++) {
          for (int ring = 0; ring < rings; ring++) {
            measured.add(
                new SharedLink.Measured(
                    rings + " at " + share,
                    ring,
                    bytes,
                    compute,
                    seconds(bytes, k) * noise(random)));
          }
        }
      }
    }
    return measured;
  }

  /** Each interval may miss the truth now and then, none of them often. */
  @Test
  void whatIsFittedHasTheTruthInItsIntervals() {
    int[] missed = new int[3];
    int count = 60;
    Seeds.each(
        count,
        (random, _) -> {
          ContentionLine line = fitted(random).line();
          missed[0] += line.a() != null && line.a().mayBe(A) ? 0 : 1;
          missed[1] += line.b().mayBe(B) ? 0 : 1;
          missed[2] += line.alpha() != null && line.alpha().mayBe(ALPHA) ? 0 : 1;
          assertThat(line.b().value()).isCloseTo(B, within(0.1 * B));
        });
    assertThat(IntStream.of(missed).max().orElseThrow()).isLessThanOrEqualTo(count / 5);
  }

  @Test
  void theTruerModelIsFound() {
    Seeds.each(
        30,
        (random, _) -> {
          ContentionLine line = fitted(random).line();
          SharedLink shares = SharedLink.of(line, cases(random, true));
          assertThat(shares.transmitIsTruer()).isTrue();
          assertThat(shares.contentionIsTruer()).isFalse();
          assertThat(shares.transmitError().value()).isLessThan(0.1);
          assertThat(shares.rows()).hasSize(15);
          SharedLink whole = SharedLink.of(line, cases(random, false));
          assertThat(whole.contentionIsTruer()).isTrue();
          assertThat(whole.contentionError().value()).isLessThan(0.1);
        });
  }

  /**
   * a = 0, b = 1 s/MB, alpha = 0: one ring computes 1 s and sends 1 MB, the other sends all the
   * time. The first finds the other always: 2 s by both models. The other finds the first half the
   * time: 1.5 s, not 2.
   */
  @Test
  void ringsThatDiffer() {
    List<AllReduceTime> times = new ArrayList<>();
    for (int k = 1; k <= 2; k++) {
      for (double bytes : new double[] {1e6, 2e6, 4e6}) {
        times.add(new AllReduceTime(k, bytes, k * bytes * 1e-6));
      }
    }
    SharedLink link =
        SharedLink.of(
            ContentionFit.of(times).line(),
            List.of(
                new SharedLink.Measured("alone, and not counted", 0, 1e6, 1, 5),
                new SharedLink.Measured("pair", 0, 1e6, 1, 2),
                new SharedLink.Measured("pair", 1, 1e6, 0, 1.5)));
    assertThat(link.rows().get(1).transmit()).isCloseTo(2, within(1e-6));
    assertThat(link.rows().getFirst().transmit()).isCloseTo(1, within(1e-6));
    assertThat(link.rows().getLast().transmit()).isCloseTo(1.5, within(1e-6));
    assertThat(link.rows().getLast().contention()).isCloseTo(2, within(1e-6));
    assertThat(link.rows().getLast().contentionError()).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(link.gain().value()).isCloseTo(1 / 6.0, within(1e-6));
    assertThat(link.transmitIsTruer()).isFalse();
  }
}
