package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.Loaded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A forecast takes no longer than it may, and says what it did not look at. */
class ForecastTest {
  private static final int MOST_JOBS = 20_000;

  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private long submit(double seconds) {
    return stage.submit(
        "{\"command\": [\"train\"], \"gpus\": 4, \"duration_s\": %s}".formatted(seconds));
  }

  private Forecast forecast(List<Job> jobs, BooleanSupplier isTimeUp) {
    Loaded loaded = stage.store.load();
    Map<Long, Job> byId = new HashMap<>();
    jobs.forEach(job -> byId.put(job.id(), job));
    Experience experience = new Experience(stage.config, loaded);
    Capacity capacity =
        new Capacity(
            new Inventory(stage.config, loaded.nodes()), experience, byId.values(), Set.of());
    ChosenPolicy chosen = ChosenPolicy.of(loaded.settings(), stage.config);
    AdmittedJobs admitted = chosen.admit(stage.config, capacity, byId, experience, stage.now, 0);
    PolicyHost host = Objects.requireNonNull(admitted.host());
    return new Forecast(admitted, host, chosen, host.models(), jobs, stage.now, isTimeUp);
  }

  /**
   * One node of 4 GPUs, four jobs of 100 s each on all of it, the first runs. The time is up when
   * the third ends, at 1300: the fourth was not seen to start.
   */
  @Test
  void whatTookTooLongIsCutOffAndSaid() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ids.add(submit(100));
    }
    stage.runs(ids.getFirst());
    AtomicInteger ends = new AtomicInteger();
    Forecast forecast = forecast(stage.store.load().open(), () -> ends.incrementAndGet() > 3);
    assertThat(forecast.isComplete()).isFalse();
    assertThat(forecast.endSeconds(ids.get(0))).isEqualTo(1100);
    assertThat(forecast.startSeconds(ids.get(1))).isEqualTo(1100);
    assertThat(forecast.startSeconds(ids.get(2))).isEqualTo(1200);
    assertThat(forecast.endSeconds(ids.get(2))).isNaN();
    assertThat(forecast.waitSeconds(ids.get(2))).isNaN();
    assertThat(forecast.startSeconds(ids.get(3))).isNaN();
    assertThat(forecast.whatIsMissing(ids.get(1)))
        .isEqualTo("rough, since there was time to look 200 s ahead");
    assertThat(forecast.whatIsMissing(ids.get(3)))
        .isEqualTo("there was time to look 200 s ahead, and the job does not start within that");
    // Two are known to start before it; there may be more.
    assertThat(forecast.ahead(ids.get(3))).isEqualTo(2);
    assertThat(forecast.ahead(ids.get(2))).isEqualTo(1);
  }

  @Test
  void withTimeAllAreSeenToTheirEnds() {
    submit(100);
    long last = submit(100);
    Forecast forecast = forecast(stage.store.load().open(), () -> false);
    assertThat(forecast.isComplete()).isTrue();
    assertThat(forecast.endSeconds(last)).isEqualTo(1200);
  }

  /**
   * Forty jobs took three times as long as was said of them. Of one more that is said to take 100 s
   * about 300 are expected, and of another that has run for 200 s about 100 more.
   */
  @Test
  void whatIsSaidCountsByWhatItWasWorthSoFar() {
    for (int i = 0; i < 40; i++) {
      long job = submit(100);
      stage.runs(job);
      stage.now += 300;
      stage.exits(job, 0, false);
    }
    long running = submit(100);
    stage.runs(running);
    stage.now += 200;
    long waiting = submit(100);
    Forecast forecast = forecast(stage.store.load().open(), () -> false);
    assertThat(forecast.endSeconds(running) - stage.now).isBetween(80.0, 120.0);
    assertThat(forecast.endSeconds(waiting) - forecast.endSeconds(running)).isBetween(250.0, 350.0);
  }

  /** Those that have GPUs come first, then the first of the queue; the others are left out. */
  @Test
  void ofVeryManyJobsTheLastAreLeftOut() {
    long running = submit(100);
    stage.runs(running);
    Job waiting = stage.job(submit(1));
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < MOST_JOBS + 5; i++) {
      jobs.add(Lifecycle.submitted(1000 + i, "ada", "", waiting.spec(), stage.now));
    }
    jobs.add(stage.job(running));
    Forecast forecast = forecast(jobs, () -> false);
    assertThat(forecast.isComplete()).isFalse();
    assertThat(forecast.endSeconds(running)).isEqualTo(1100);
    assertThat(forecast.startSeconds(1000)).isEqualTo(1100);
    assertThat(forecast.startSeconds(1000 + MOST_JOBS - 2)).isEqualTo(1100 + MOST_JOBS - 2.0);
    long leftOut = 1000 + MOST_JOBS - 1;
    assertThat(forecast.startSeconds(leftOut)).isNaN();
    assertThat(forecast.whatIsMissing(leftOut))
        .isEqualTo("no prediction, since 6 more jobs were left out of it");
    assertThat(forecast.whatIsMissing(1000))
        .isEqualTo("rough, since 6 more jobs were left out of it");
  }
}
