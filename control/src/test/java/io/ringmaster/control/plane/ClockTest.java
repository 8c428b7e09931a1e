package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What happens when somebody sets the clock: nothing. */
class ClockTest {
  private static final double DAY = 86_400;
  private static final String LIMITED =
      "{\"command\": [\"train\"], \"gpus\": 1, \"time_limit_s\": 100, \"retries\": 5}";

  private static void set(Stage stage, double forwardSeconds) {
    stage.now += forwardSeconds;
    stage.clockSet += forwardSeconds;
    stage.restart();
    stage.step();
  }

  @Test
  void whatRunsDoesNotNoticeThatTheClockIsSet() {
    AtomicLong wall = new AtomicLong(1_800_000_000_000L);
    AtomicLong nanos = new AtomicLong(77);
    MonotonicClock clock = new MonotonicClock(wall::get, nanos::get);
    assertThat(clock.getAsDouble()).isEqualTo(1.8e9);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
    wall.addAndGet(TimeUnit.DAYS.toMillis(1) + 3000);
    assertThat(clock.getAsDouble()).isEqualTo(1.8e9 + 3);
    assertThat(clock.toldMillis()).isEqualTo(TimeUnit.DAYS.toMillis(1));
    wall.addAndGet(-TimeUnit.DAYS.toMillis(2));
    assertThat(clock.getAsDouble()).isEqualTo(1.8e9 + 3);
    assertThat(clock.toldMillis()).isEqualTo(-TimeUnit.DAYS.toMillis(1));
  }

  @Test
  void overARestartATimeLimitNeitherFiresAtOnceNorNever() {
    for (double jump : new double[] {DAY, -2 * DAY}) {
      Stage stage = new Stage(1, 1, "fifo", Map.of());
      long id = stage.submit(LIMITED);
      stage.runs(id);
      stage.now += 40;
      set(stage, jump);
      stage.runs(id);
      assertThat(stage.state(id)).as("set by %.0f s", jump).isEqualTo("running");
      stage.now += 59;
      stage.step();
      assertThat(stage.state(id)).isEqualTo("running");
      // And once more: the clock is set back to what it was.
      set(stage, -jump);
      stage.runs(id);
      stage.now += 0.5;
      stage.step();
      assertThat(stage.state(id)).isEqualTo("running");
      stage.now += 1;
      stage.step();
      assertThat(stage.state(id)).isEqualTo("timing-out");
      stage.exits(id, 143, true);
      assertThat(stage.job(id).ranSeconds()).isEqualTo(100.5);
    }
  }

  @Test
  void aJobThatWaitsToBeTriedAgainWaitsAsLong() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long id = stage.submit(LIMITED);
    stage.runs(id);
    stage.exits(id, 1, false);
    stage.now += 0.5;
    set(stage, DAY);
    assertThat(stage.state(id)).isEqualTo("queued");
    set(stage, -2 * DAY);
    assertThat(stage.state(id)).isEqualTo("queued");
    stage.now += 0.5;
    stage.step();
    assertThat(stage.state(id)).isEqualTo("starting");
  }

  @Test
  void onAnotherMachineTimeNeverGoesBack() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long id = stage.submit(LIMITED);
    stage.runs(id);
    stage.boot = "b2";
    stage.now -= DAY;
    stage.restart();
    stage.step();
    stage.runs(id);
    stage.now += 99;
    stage.step();
    assertThat(stage.state(id)).isEqualTo("running");
    stage.now += 2;
    stage.step();
    assertThat(stage.state(id)).isEqualTo("timing-out");
  }
}
