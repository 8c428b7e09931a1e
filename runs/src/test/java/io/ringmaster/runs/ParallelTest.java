package io.ringmaster.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void afterAFailureTheOthersHaveEndedToo() {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean working = new AtomicBoolean();
    assertThatThrownBy(() ->
            Parallel.map(
                2,
                2,
                _ -> {},
                task -> {
                  if (task == 0) {
                    await(begun);
                    throw new IllegalStateException("no space left");
                  }
                  working.set(true);
                  begun.countDown();
                  // Until it is interrupted, as in the middle of a file.
                  await(new CountDownLatch(1));
                  working.set(false);
                  return task;
                }))
        .hasMessage("no space left");
    assertThat(working).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
