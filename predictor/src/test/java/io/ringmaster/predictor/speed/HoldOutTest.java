package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class HoldOutTest {
  /** |1 - 2| / 2, |1 - 4| / 4, |1 - 5| / 5: 0.5, 0.75, 0.8; p90 at 1.8 between the last two. */
  @Test
  void errorsAreRelativeToTheMeasuredTime() {
    List<StepTime> times = List.of(time(2), time(4), time(5));
    RelativeErrors errors = RelativeErrors.of((_, _, _, _) -> 1, times);
    assertThat(errors.median()).isCloseTo(0.75, within(1e-12));
    assertThat(errors.mean()).isCloseTo(2.05 / 3, within(1e-12));
    assertThat(errors.p90()).isCloseTo(0.79, within(1e-12));
    assertThat(RelativeErrors.together(List.of(errors, errors)).sorted()).hasSize(6);
    assertThat(RelativeErrors.together(List.of()).median()).isNaN();
  }

  /** Three samples in 1 s, 2 * 3 in 8 s: 3 and 3/4 a second; their geometric mean is 1.5. */
  @Test
  void constantSpeedIsTheSameSamplesASecond() {
    ConstantSpeed speed =
        ConstantSpeed.of(List.of(new StepTime(1, 1, 1, 3, 1), new StepTime(2, 1, 2, 3, 8)));
    assertThat(speed.samplesPerSecond()).isCloseTo(1.5, within(1e-12));
    assertThat(speed.seconds(4, 1, 4, 3)).isCloseTo(8, within(1e-12));
  }

  @Test
  void linearScalingKnowsTheBatchAlone() {
    List<StepTime> times =
        List.of(
            new StepTime(1, 1, 1, 10, 3),
            new StepTime(2, 1, 2, 20, 5),
            new StepTime(4, 2, 2, 30, 7));
    LinearScaling scaling = LinearScaling.of(times);
    assertThat(scaling.constantSeconds()).isCloseTo(1, within(1e-9));
    assertThat(scaling.secondsPerSample()).isCloseTo(0.2, within(1e-9));
    assertThat(scaling.seconds(64, 8, 8, 5)).isCloseTo(2, within(1e-9));
  }

  /**
   * Times of Pollux' own form with gamma = 1 and no growth with workers cost nothing in its
   * objective, so it finds them.
   */
  @Test
  void polluxFindsTimesOfItsOwnForm() {
    List<StepTime> times = new ArrayList<>();
    for (int[] place : new int[][] {{1, 1, 1}, {2, 1, 2}, {4, 1, 4}, {4, 2, 2}, {8, 2, 4}}) {
      for (double batch : new double[] {8, 16, 64}) {
        double exchange = place[0] == 1 ? 0 : place[1] == 1 ? 0.02 : 0.3;
        times.add(new StepTime(place[0], place[1], place[2], batch, 0.1 + 0.01 * batch + exchange));
      }
    }
    PolluxSpeed speed = PolluxSpeed.of(times);
    assertThat(speed.objective()).isLessThan(1e-3);
    assertThat(RelativeErrors.of(speed, times).p90()).isLessThan(2e-3);
  }

  @Test
  void wholePlacesAreHeldOut() {
    List<StepTime> times = new ArrayList<>();
    for (int workers = 1; workers <= 9; workers++) {
      for (double batch : new double[] {1, 2}) {
        times.add(new StepTime(workers, 1, workers, batch, 1 + 0.1 * workers + batch));
      }
    }
    HoldOut third = HoldOut.of(times, 1 / 3.0, 1, AllReduce.RING);
    assertThat(third.places()).isEqualTo(9);
    assertThat(third.heldOut()).isEqualTo(3);
    Map<HoldOut.Method, RelativeErrors> errors = third.errors();
    assertThat(errors.keySet()).containsExactly(HoldOut.Method.values());
    assertThat(errors.values()).allSatisfy(e -> assertThat(e.sorted()).hasSize(6));
    // The times are of the paper's form, so both that have it find them.
    assertThat(Objects.requireNonNull(errors.get(HoldOut.Method.PAPER)).p90()).isLessThan(1e-6);
    assertThat(Objects.requireNonNull(errors.get(HoldOut.Method.PLACED)).p90()).isLessThan(1e-6);
    assertThat(HoldOut.possible(times)).isTrue();
    assertThat(HoldOut.possible(times.subList(0, 4))).isFalse();
  }

  private static StepTime time(double seconds) {
    return new StepTime(1, 1, 1, 1, seconds);
  }
}
