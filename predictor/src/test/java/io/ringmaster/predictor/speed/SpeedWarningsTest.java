package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpeedWarningsTest {
  @Test
  void fewTimesTellLittle() {
    assertThat(warnings(List.of(time(4, 1, 8, 1))))
        .anyMatch(w -> w.startsWith("one number of workers was measured"))
        .anyMatch(w -> w.startsWith("no time of one worker"))
        .anyMatch(w -> w.startsWith("there are no more points than parameters"))
        .anyMatch(w -> w.startsWith("all times are of one batch"));
    assertThat(warnings(List.of(time(1, 1, 8, 1), time(2, 1, 8, 2))))
        .anyMatch(w -> w.startsWith("two numbers of workers"))
        .anyMatch(w -> w.startsWith("nothing was measured across servers"))
        .anyMatch(w -> w.startsWith("the overlap cannot be told"));
    assertThat(warnings(List.of(time(1, 1, 8, 1), time(2, 2, 8, 2), time(4, 4, 8, 3))))
        .anyMatch(w -> w.startsWith("three numbers of workers"))
        .anyMatch(w -> w.startsWith("several workers on one server were not measured"));
  }

  /** Four servers take three times as long as the form can say with a step that two servers set. */
  @Test
  void aPlaceThatIsOffIsNamed() {
    List<StepTime> times = new ArrayList<>();
    for (double batch : new double[] {8, 16, 32, 64}) {
      for (int workers : new int[] {1, 2, 4, 8}) {
        times.add(time(workers, 1, batch, 0.1 * batch + 0.01 * workers));
      }
      for (int workers : new int[] {4, 8, 12, 16}) {
        times.add(time(workers, 2, batch, 0.1 * batch + 0.05 * workers));
        times.add(time(workers, 4, batch, 0.3 * batch + 0.15 * workers));
      }
    }
    assertThat(warnings(times))
        .anyMatch(w -> w.matches("times of two servers are [0-9.]+ % shorter than fitted.*"))
        .anyMatch(w -> w.matches("times of three servers and more are [0-9.]+ % longer.*"));
  }

  private static List<String> warnings(List<StepTime> times) {
    return SpeedWarnings.of(SpeedFit.of(times, SpeedForm.PLACED, AllReduce.RING), SpeedForm.PLACED);
  }

  private static StepTime time(int workers, int servers, double batch, double seconds) {
    return new StepTime(workers, servers, Math.ceilDiv(workers, servers), batch, seconds);
  }
}
