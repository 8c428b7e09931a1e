package io.ringmaster.training;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What rank 0 tells about its progress: lines of JSON for the server, plain ones for people. */
final class Reports implements AutoCloseable {
  private static final long LINE_NANOS = 500_000_000L;
  private static final long PRINT_NANOS = 2_000_000_000L;
  private static final double NANOS_IN_SECOND = 1e9;

  private final WorkerOptions options;
  private final int workers;
  private final Progress progress;
  private final @Nullable OutputStream lines;
  private long lastLineNanos;
  private long lastPrintNanos;
  private long lastPrintSamples;

  Reports(WorkerOptions options, int workers, Progress progress, @Nullable Path file)
      throws IOException {
    this.options = options;
    this.workers = workers;
    this.progress = progress;
    lines = file == null ? null : new FileOutputStream(file.toFile(), true);
  }

  void begin() throws IOException {
    lastPrintNanos = System.nanoTime();
    lastPrintSamples = progress.samples;
    System.out.println(
        (progress.samples == 0 ? "begins" : "goes on after sample " + progress.samples)
            + ", workers "
            + workers
            + ", samples "
            + options.samples());
    line();
  }

  void step() throws IOException {
    long now = System.nanoTime();
    if (now - lastLineNanos >= LINE_NANOS) {
      line();
    }
    if (now - lastPrintNanos >= PRINT_NANOS) {
      print();
    }
  }

  /** One write for one line: whoever reads meanwhile sees no half of it. */
  void line() throws IOException {
    lastLineNanos = System.nanoTime();
    if (lines == null) {
      return;
    }
    double done = Math.min(1, (double) progress.samples / options.samples());
    StringBuilder line = new StringBuilder(160);
    line.append("{\"at_s\": ").append(System.currentTimeMillis() / 1000).append('.');
    long millis = System.currentTimeMillis() % 1000;
    line.append(millis < 100 ? millis < 10 ? "00" : "0" : "").append(millis);
    line.append(", \"done\": ").append(done);
    line.append(", \"iteration\": ").append(progress.iteration);
    line.append(", \"samples\": ").append(progress.samples);
    if (progress.iteration > 0 && Double.isFinite(progress.loss)) {
      line.append(", \"loss\": ").append(rounded(progress.loss));
    }
    line.append(", \"workers\": ").append(workers).append("}\n");
    lines.write(line.toString().getBytes(US_ASCII));
  }

  void print() {
    long now = System.nanoTime();
    double seconds = (now - lastPrintNanos) / NANOS_IN_SECOND;
    long perSecond = Math.round((progress.samples - lastPrintSamples) / seconds);
    lastPrintNanos = now;
    lastPrintSamples = progress.samples;
    System.out.println(
        "iteration "
            + progress.iteration
            + ", loss "
            + rounded(progress.loss)
            + ", workers "
            + workers
            + ", "
            + perSecond
            + " samples/s");
  }

  void end() throws IOException {
    print();
    line();
  }

  void accuracy(double share) {
    System.out.println("held-out accuracy " + Math.round(share * 1000) / 10.0 + " %");
  }

  /** To 4 digits after the point, without the machinery of formats. */
  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }

  @Override
  public void close() throws IOException {
    if (lines != null) {
      lines.close();
    }
  }
}
