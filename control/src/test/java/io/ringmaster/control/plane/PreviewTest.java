package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.policy.KnownLengths;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What another policy would do with the queue, and that nothing of it is done. */
class PreviewTest {
  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private long submit(int gpus, double seconds, String more) {
    return stage.submit(
        "{\"command\": [\"train\"], \"gpus\": %d, \"duration_s\": %s%s}"
            .formatted(gpus, seconds, more));
  }

  private Preview preview(String policy, Map<String, String> settings) {
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);
    return explainer.preview(policy, settings).join();
  }

  /** Of a job that the present policy does not stop. */
  private Preview.Fate fate(long job, double startSeconds, double presentSeconds, int stops) {
    return new Preview.Fate(
        stage.job(job).withoutProgram(), startSeconds, presentSeconds, stops, 0, 0);
  }

  /**
   * One node of 4 GPUs. A job runs from 1000 to 1100; at 1010 one of 50 s waits, and behind it one
   * of 10 s. Under fifo they start at 1100 and 1150. Under srtf the shortest runs first, then the
   * other, and the first goes on at 1070.
   */
  @Test
  void whoStartsWhenUnderBoth() {
    long first = submit(4, 100, "");
    stage.runs(first);
    long second = submit(4, 50, "");
    long third = submit(4, 10, "");
    stage.now += 10;
    Preview preview = preview("srtf", Map.of());
    assertThat(preview.present())
        .isEqualTo(
            new Preview.Side(
                "fifo", Map.of(), KnownLengths.NONE, (90 + 140) / 3.0, 140, 380 / 3.0, 0, 0));
    assertThat(preview.other())
        .isEqualTo(
            new Preview.Side(
                "srtf",
                Map.of(),
                KnownLengths.PREDICTED,
                (60 + 10) / 3.0,
                60,
                220 / 3.0,
                1,
                // 10 s on 4 GPUs, and no checkpoint has been seen.
                40));
    assertThat(preview.jobs())
        .containsExactly(
            new Preview.Fate(stage.job(first).withoutProgram(), Double.NaN, Double.NaN, 1, 0, 40),
            fate(third, 1010, 1150, 0),
            fate(second, 1020, 1100, 0));
    assertThat(preview.leftOff()).isZero();
    assertThat(preview.basis()).startsWith("simulations of the present queue");
    assertThat(stage.state(first)).isEqualTo("running");
    assertThat(ChosenPolicy.of(stage.store.settings(), stage.config).name()).isEqualTo("fifo");
  }

  @Test
  void whatCannotResumeIsNotStoppedInAPreviewEither() {
    long first = submit(4, 100, ", \"resumable\": false");
    stage.runs(first);
    long shorter = submit(4, 10, "");
    Preview preview = preview("srtf", Map.of());
    assertThat(preview.other().stops()).isZero();
    assertThat(preview.jobs()).containsExactly(fate(shorter, 1100, 1100, 0));
  }

  /** It ran for 50 s on 4 GPUs; what a stop now destroys depends on what is known of its saving. */
  @Test
  void whatAStopWouldDestroy() {
    long first = submit(4, 1000, "");
    stage.runs(first);
    stage.now += 30;
    stage.reports(first, 0.03, false);
    stage.now += 10;
    stage.reports(first, 0.04, false);
    stage.now += 10;
    submit(4, 10, "");
    // Said to be somewhere, but nothing was saved: all is at risk.
    assertThat(preview("srtf", Map.of()).other().atRiskGpuSeconds()).isEqualTo(4 * 50);
    assertThat(preview("srtf", Map.of()).present().atRiskGpuSeconds()).isZero();
    stage.reports(first, 0.04, true);
    // There is a checkpoint: what it did since it last said how far it is.
    assertThat(preview("srtf", Map.of()).other().atRiskGpuSeconds()).isEqualTo(4 * 10);
  }

  /** It says nothing of its progress, so how old its checkpoint is cannot be told. */
  @Test
  void ofASilentJobTheWholeAttemptIsAtRisk() {
    long first = submit(4, 1000, "");
    stage.runs(first);
    stage.now += 50;
    stage.reports(first, Double.NaN, true);
    submit(4, 10, "");
    assertThat(preview("srtf", Map.of()).other().atRiskGpuSeconds()).isEqualTo(4 * 50);
  }

  @Test
  void onlyTheFirstAreListed() {
    for (int i = 0; i < 30; i++) {
      submit(4, 100, "");
    }
    Preview preview = preview("sjf", Map.of());
    assertThat(preview.jobs()).hasSize(20);
    assertThat(preview.leftOff()).isEqualTo(9);
    assertThat(preview.jobs().stream().map(fate -> fate.job().id()).toList())
        .isEqualTo(LongStream.rangeClosed(2, 21).boxed().toList());
  }

  @Test
  void withoutANodeNothingCanBeTold() {
    stage.nodes.replaceAll(node -> node.up(false));
    stage.now += 60;
    stage.observe();
    submit(4, 100, "");
    Preview preview = preview("sjf", Map.of());
    assertThat(preview.other().waitMeanSeconds()).isNaN();
    assertThat(preview.basis()).startsWith("no prediction: no node is open");
  }

  @Test
  void whatMakesSenseInSimulationsOnlyIsRefused() {
    for (String setting : List.of("perfect", "reversed", "noise:1")) {
      assertThatThrownBy(() -> preview("srtf", Map.of("estimate", setting)))
          .hasCauseInstanceOf(BadInput.class)
          .hasMessageContaining(
              "setting estimate of srtf makes sense in simulations only; leave it out");
    }
    assertThatThrownBy(() -> preview("strf", Map.of())).hasMessageContaining("did you mean");
  }
}
