package io.ringmaster.cli.terminal;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on standard error for what takes over two seconds. Nothing is shown, and the
 * library for it not even loaded, before that or if nobody looks: the launcher says whether
 * standard error is a terminal.
 */
public final class Progress implements AutoCloseable {
  private static final long DELAY_NANOS = 2_000_000_000L;
  private static final boolean WATCHED = Boolean.getBoolean("ringmaster.terminal");

  private final String task;
  private final long total;
  private final long startedNanos = System.nanoTime();
  private @Nullable ProgressBar bar;

  public Progress(String task, long total) {
    this.task = Shown.line(task);
    this.total = total;
  }

  public synchronized void at(long done) {
    if (!WATCHED || System.nanoTime() - startedNanos < DELAY_NANOS) {
      return;
    }
    ProgressBar shown = bar;
    if (shown == null) {
      shown =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(200)
              .setConsumer(new ConsoleProgressBarConsumer(Terminal.rawErr()))
              .startsFrom(0, Duration.ofNanos(System.nanoTime() - startedNanos))
              .clearDisplayOnFinish()
              .build();
      bar = shown;
    }
    shown.stepTo(done);
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
