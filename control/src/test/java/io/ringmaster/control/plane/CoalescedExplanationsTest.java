package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

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
    return new StoreExplainer(stage.config, stage.store, () -> stage.now, this::put, mostSeconds);
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
  void oneThatTakesTooLongIsNotWaitedFor() {
    for (int i = 0; i < 3; i++) {
      stage.submit("{\"command\":[\"x\"],\"gpus\":8}");
    }
    Explanation said = explainer(0.01).explain(3).orElseThrow();
    assertThat(said.why()).containsExactly("waits for GPUs");
    assertThat(said.basis()).contains("takes too long");
    assertThat(said.startSeconds()).isNaN();
  }
}
