package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.Measured;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stops and starts cost, on virtual time. */
class RestartCostTest {
  private final Stage stage = new Stage(1, 4, "srtf", Map.of());

  private long submit(double seconds) {
    return stage.submit(
        "{\"command\": [\"train\"], \"gpus\": 4, \"duration_s\": %s}".formatted(seconds));
  }

  private void reports(long job, double share) {
    Status status =
        new Status(new AttemptId(job, stage.job(job).attempt()), new Status.Running(), share);
    stage.step(new Message.FromEngine(new Report.Changed(status)));
  }

  private List<String> measured() {
    return stage.store.measured().stream()
        .map(m -> "%s %d.%d %.0f".formatted(m.kind().text(), m.job(), m.attempt(), m.seconds()))
        .toList();
  }

  /** A long job is stopped for a short one that takes 10 s, and goes on. */
  private long interrupted(double stopSeconds, double startSeconds, boolean tells) {
    long longer = submit(10_000);
    stage.now += 2;
    stage.runs(longer);
    stage.now += 3;
    if (tells) {
      reports(longer, 0);
    }
    stage.now += 100;
    long shorter = submit(10);
    stage.now += stopSeconds;
    stage.exits(longer, 143, true);
    stage.runs(shorter);
    stage.now += 10;
    stage.exits(shorter, 0, false);
    assertThat(stage.state(longer)).isEqualTo("starting");
    stage.now += 1;
    stage.runs(longer);
    stage.now += startSeconds - 1;
    if (tells) {
      reports(longer, 0.2);
    }
    return longer;
  }

  @Test
  void aRestartCostsItsStopAndItsStartAndNotTheWaitBetween() {
    // Asked to stop at 105, ended at 111: 6. Launched at 121, first progress at 125: 4.
    long job = interrupted(6, 4, true);
    assertThat(stage.job(job).meter().restartSeconds()).isEqualTo(10);
    // Started at 0, ran at 2, first progress at 5. The short job never reports and ran at once.
    assertThat(measured()).containsExactly("restart 1.2 10", "start 1.1 5", "start 2.1 0");
  }

  @Test
  void aJobThatReportsNothingHasStartedWhenItRan() {
    long job = interrupted(6, 4, false);
    // Not known before it has been silent for long. Launched, ran a second later.
    assertThat(stage.job(job).meter().restartSeconds()).isEqualTo(0);
    stage.now += 700;
    stage.runs(job);
    assertThat(stage.job(job).meter().restartSeconds()).isEqualTo(6 + 1);
    assertThat(measured()).containsExactly("restart 1.2 7", "start 1.1 2", "start 2.1 0");
  }

  @Test
  void aStartThatCameToNothingIsLostTimeButNoMeasurement() {
    long job = interrupted(6, 4, true);
    submit(5);
    stage.now += 1;
    stage.exits(job, 143, true);
    stage.runs(3);
    stage.now += 5;
    stage.exits(3, 0, false);
    stage.now += 7;
    // It is stopped again before it reports: 1 s of stop and the 7 s since its launch are lost.
    submit(5);
    assertThat(stage.state(job)).isEqualTo("stopping");
    assertThat(stage.job(job).meter().restartSeconds()).isEqualTo(10 + 1 + 7);
    assertThat(measured()).filteredOn(m -> m.startsWith("restart")).hasSize(1);
  }

  @Test
  void whatWasUnderWayWhenTheServerWasKilledDoesNotCount() {
    long job = submit(10_000);
    stage.now += 1;
    stage.restart();
    stage.now += 5000;
    stage.observe();
    reports(job, 0);
    assertThat(measured()).isEmpty();
    assertThat(stage.job(job).state().text()).isEqualTo("running");
  }

  @Test
  void aFailedAttemptIsNoRestart() {
    long job = stage.submit("{\"command\": [\"train\"], \"gpus\": 4, \"retries\": 1}");
    stage.runs(job);
    reports(job, 0.1);
    stage.exits(job, 1, false);
    stage.now += 1;
    stage.step();
    stage.now += 9;
    stage.runs(job);
    reports(job, 0.1);
    assertThat(stage.job(job).meter().restartSeconds()).isEqualTo(0);
    assertThat(measured()).containsExactly("start 1.1 0", "start 1.2 9");
  }

  @Test
  void policiesSeeWhatRestartsCostAlsoAfterAKill() {
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);
    assertThat(explainer.expected().restartSeconds()).isEqualTo(0);
    interrupted(6, 4, true);
    // The configured 0 s count as five restarts, the one of 10 s as one.
    double expected = (5 * 0 + 1 * 10) / 6.0;
    assertThat(explainer.expected().restartSeconds()).isCloseTo(expected, within(1e-9));
    Experience known = new Experience(stage.config, stage.store.load());
    assertThat(known.priced(stage.config.cluster()).restartSeconds())
        .isCloseTo(expected, within(1e-9));
    stage.restart();
    Experience again = new Experience(stage.config, stage.store.load());
    assertThat(again.priced(stage.config.cluster()).restartSeconds())
        .isCloseTo(expected, within(1e-9));
    // Three starts of 5, 0 and none more: the median of 5 and 0.
    assertThat(again.priced(stage.config.cluster()).startSeconds())
        .isCloseTo(2 * 2.5 / 7, within(1e-9));
  }

  @Test
  void aMedianOfTheLastFiftyIsNotMovedByOneThatHung() {
    ExpectedCost costs = new ExpectedCost(20);
    for (int i = 0; i < 100; i++) {
      costs.add(restart(i < 50 ? 1000 : 10));
    }
    costs.add(restart(1e9));
    // (5 * 20 + 50 * 10) / 55
    assertThat(costs.expectedSeconds()).isCloseTo(600 / 55.0, within(1e-9));
  }

  private static Measured restart(double seconds) {
    return new Measured(Measured.Kind.RESTART, 1, 0, 1, 1, "", "", 1, 1, 1, seconds, 1, Double.NaN);
  }

  @Test
  void costsInAFewNumbers() {
    List<Measured> costs = List.of(restart(1), restart(2), restart(6));
    // Mean 3, squares 4 + 1 + 9 = 14, of 2: 7.
    assertThat(MeasuredSummary.of(Measured.Kind.RESTART, costs))
        .isEqualTo(new MeasuredSummary("", 3, 3, 2, Math.sqrt(7)));
    assertThat(MeasuredSummary.of(Measured.Kind.START, costs).count()).isZero();
    assertThat(MeasuredSummary.by(Measured::model, Measured.Kind.RESTART, costs)).isEmpty();
  }
}
