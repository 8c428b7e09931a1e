package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Outlines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** However many ask why they wait, the queue is simulated once. */
class CoalescedExplanationsTest {
  private final Stage stage = new Stage(2, 4, "fifo", Map.of());
  private final Deque<Runnable> simulations = new ArrayDeque<>();

  private StoreExplainer explainer(double mostSeconds) {
    return new StoreExplainer(
        stage.config,
        stage.store,
        () -> stage.now,
        new Outlooks(stage.config, stage.store, () -> stage.now, this::put),
        mostSeconds);
  }

  private synchronized void put(Runnable simulation) {
    simulations.add(simulation);
    notifyAll();
  }

  private synchronized Runnable next() throws InterruptedException {
    while (simulations.isEmpty()) {
      wait();
    }
    return simulations.remove();
  }

  @Test
  void fortyAtOnceCostOne() throws Exception {
    for (int i = 0; i < 20; i++) {
      stage.submit("{\"command\":[\"x\"],\"gpus\":4}");
    }
    StoreExplainer explainer = explainer(60);
    List<CompletableFuture<Optional<Explanation>>> asked = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long id = 1L + i % 20;
      asked.add(
          CompletableFuture.supplyAsync(() -> explainer.explain(id), Thread::startVirtualThread));
    }
    next().run();
    for (CompletableFuture<Optional<Explanation>> each : asked) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isPresent();
    }
    assertThat(explainer.explain(20).orElseThrow().ahead()).isPositive();
    assertThat(simulations).as("nothing has changed").isEmpty();
    long late = stage.submit("{\"command\":[\"x\"],\"gpus\":4}");
    CompletableFuture<Optional<Explanation>> again =
        CompletableFuture.supplyAsync(() -> explainer.explain(late), Thread::startVirtualThread);
    next().run();
    assertThat(again.get(60, TimeUnit.SECONDS)).isPresent();
  }

  /** Who cannot wait gets what is known without a simulation. */
  @Test
  void theFirstIsNotWaitedForTooLong() {
    for (int i = 0; i < 3; i++) {
      stage.submit("{\"command\":[\"x\"],\"gpus\":8}");
    }
    Explanation said = explainer(0.01).explain(3).orElseThrow();
    assertThat(said.why()).containsExactly("waits for GPUs");
    assertThat(said.basis()).contains("no prediction yet", "ask again");
    assertThat(said.startSeconds()).isNaN();
    assertThat(said.asOfSeconds()).isNaN();
  }

  @Test
  void whileTheNextIsMadeTheLastAnswersAndSaysHowOldItIs() throws Exception {
    long first = stage.submit("{\"command\":[\"x\"],\"gpus\":8,\"duration_s\":100}");
    long second = stage.submit("{\"command\":[\"x\"],\"gpus\":8,\"duration_s\":100}");
    StoreExplainer explainer = explainer(0.01);
    assertThat(explainer.explain(second).orElseThrow().asOfSeconds()).isNaN();
    next().run();
    double madeAt = stage.now;
    assertThat(explainer.explain(second).orElseThrow().startSeconds()).isEqualTo(madeAt + 100);
    stage.runs(first);
    stage.now += 7;
    long third = stage.submit("{\"command\":[\"x\"],\"gpus\":8}");
    Explanation said = explainer.explain(second).orElseThrow();
    assertThat(said.startSeconds()).isEqualTo(madeAt + 100);
    assertThat(said.asOfSeconds()).isEqualTo(madeAt);
    assertThat(said.basis()).endsWith("; as the queue stood 7 s ago");
    Explanation running = explainer.explain(first).orElseThrow();
    assertThat(running.why()).contains("runs").doesNotContain("fifo gave it 8 GPUs");
    assertThat(running.endSeconds()).isEqualTo(madeAt + 100);
    assertThat(explainer.explain(third).orElseThrow().basis()).contains("no prediction yet");
    assertThat(simulations).as("one is made at a time").hasSize(1);
    next().run();
    assertThat(explainer.explain(third).orElseThrow().asOfSeconds()).isEqualTo(stage.now);
  }

  @Test
  void aDescriptionIsReadOnce() {
    stage.submit("{\"command\":[\"x\"],\"gpus\":8,\"name\":\"a\"}");
    Outlines outlines = new Outlines();
    List<Job> before = stage.store.loadOutlines(outlines).open();
    stage.submit("{\"command\":[\"x\"],\"gpus\":8,\"name\":\"b\"}");
    List<Job> after = stage.store.loadOutlines(outlines).open();
    assertThat(after).extracting(job -> job.spec().name()).containsExactly("a", "b");
    assertThat(after.getFirst().spec()).isSameAs(before.getFirst().spec());
    assertThat(after)
        .isEqualTo(stage.store.load().open().stream().map(Job::withoutProgram).toList());
  }
}
