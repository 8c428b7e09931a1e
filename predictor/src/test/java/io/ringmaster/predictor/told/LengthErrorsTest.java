package io.ringmaster.predictor.told;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LengthErrorsTest {
  private static final int MANY = 100_000;

  /** A bin is 12 % wide. */
  private static Offset<Double> aBinOf(double seconds) {
    return within(0.12 * seconds);
  }

  private static LikelyLeft likely(LengthErrors errors) {
    return errors.likely(_ -> {});
  }

  /** A log-normal error has its median at 1; far beyond, half of what is done is left. */
  @Test
  void withNothingKnownWhatIsToldIsTheMedian() {
    LikelyLeft left = likely(new LengthErrors());
    assertThat(left.medianSeconds(1000, 0)).isCloseTo(1000, aBinOf(1000));
    assertThat(left.medianSeconds(1000, 1e6)).isCloseTo(5e5, aBinOf(5e5));
    assertThat(left.medianSeconds(0, 10)).isZero();
  }

  /**
   * One half is over after half of what was told, the other after ten times as long. Who comes
   * beyond the first half has all of the ten to do.
   */
  @Test
  void whoOutlivesTheShortOnesIsOneOfTheLong() {
    LengthErrors errors = new LengthErrors();
    for (int i = 0; i < MANY; i++) {
      errors.ended(100, i % 2 == 0 ? 50 : 1000);
    }
    LikelyLeft left = likely(errors);
    assertThat(left.medianSeconds(100, 100)).isCloseTo(900, aBinOf(1000));
    assertThat(left.medianSeconds(100, 500)).isCloseTo(500, aBinOf(1000));
  }

  /** Of those told as a minute and as ten hours, only the first are off. */
  @Test
  void shortAndLongOnesAreWrongInTheirOwnWays() {
    LengthErrors errors = new LengthErrors();
    for (int i = 0; i < MANY; i++) {
      errors.ended(60, 600);
      errors.ended(36_000, 36_000);
    }
    LikelyLeft left = likely(errors);
    assertThat(left.medianSeconds(60, 0)).isCloseTo(600, aBinOf(600));
    assertThat(left.medianSeconds(36_000, 0)).isCloseTo(36_000, aBinOf(36_000));
  }

  /** Ten have ended as told. That a thousand others are past it, gone or not, says more. */
  @Test
  void whoIsNotOverCountsToo() {
    LengthErrors gone = new LengthErrors();
    LengthErrors there = new LengthErrors();
    for (int i = 0; i < 10; i++) {
      gone.ended(100, 100);
      there.ended(100, 100);
    }
    for (int i = 0; i < 1000; i++) {
      gone.censored(100, 400);
    }
    LikelyLeft left =
        there.likely(each -> {
          for (int i = 0; i < 1000; i++) {
            each.job(100, 400);
          }
        });
    assertThat(left.medianSeconds(100, 0)).isGreaterThan(400);
    assertThat(likely(gone).medianSeconds(100, 0)).isEqualTo(left.medianSeconds(100, 0));
    assertThat(likely(there).medianSeconds(100, 0)).isLessThan(200);
    assertThat(gone.ended()).isEqualTo(10);
  }

  /** By hand: the median of those that got as far, of very many with a smooth error. */
  @Test
  void manyJobsSayWhatTheirOwnMedianSays() {
    Seeds.each(
        5,
        (random, seed) -> {
          LengthErrors errors = new LengthErrors();
          double[] lengths = new double[20_001];
          for (int i = 0; i < lengths.length; i++) {
            lengths[i] = 1000 * Math.exp(1.5 * random.nextGaussian());
            errors.ended(1000, lengths[i]);
          }
          Arrays.sort(lengths);
          LikelyLeft left = likely(errors);
          for (int done : new int[] {0, 5000, 10_000, 15_000}) {
            double sofar = done == 0 ? 0 : lengths[done];
            double median = lengths[(done + lengths.length) / 2];
            assertThat(sofar + left.medianSeconds(1000, sofar)).isCloseTo(median, aBinOf(median));
          }
        });
  }

  /** The further a job is, the later it is expected to end. */
  @Test
  void theExpectedEndNeverMovesBack() {
    Seeds.each(
        50,
        (random, seed) -> {
          LengthErrors errors = new LengthErrors();
          for (int i = 0; i < random.nextInt(300); i++) {
            double told = Math.exp(12 * random.nextDouble());
            double length = Math.exp(14 * random.nextDouble());
            if (random.nextInt(3) == 0) {
              errors.censored(told, length);
            } else {
              errors.ended(told, length);
            }
          }
          LikelyLeft left = likely(errors);
          double told = Math.exp(12 * random.nextDouble());
          double before = 0;
          for (double done = 0; done < 1e9; done = 1.3 * done + told / 50) {
            double end = done + left.medianSeconds(told, done);
            assertThat(end).isGreaterThanOrEqualTo(done).isGreaterThanOrEqualTo(before * 0.999999);
            before = end;
          }
        });
  }
}
