package io.ringmaster.rehearsal;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Rehearses many worlds on all cores, or shows one. */
public final class Rehearse {
  private static final int LAST_LINES = 40;
  private static final String USAGE =
      "usage: script/rehearse [--seeds 10000] [--first 1] | script/rehearse --seed N";

  private final long first;
  private final long count;

  /** A world that went wrong. */
  private record Found(long seed, Violation violation, List<String> lines) {}

  private Rehearse(long first, long count) {
    this.first = first;
    this.count = count;
  }

  public static void main(String[] args) throws InterruptedException {
    long seeds = 10_000;
    long first = 1;
    @Nullable Long only = null;
    for (int i = 0; i < args.length; i += 2) {
      long value = i + 1 < args.length ? number(args[i + 1]) : -1;
      switch (args[i]) {
        case "--seeds" -> seeds = value;
        case "--first" -> first = value;
        case "--seed" -> only = value;
        default -> value = -1;
      }
      if (value < 0) {
        System.err.println(USAGE);
        System.exit(2);
      }
    }
    System.exit(only == null ? new Rehearse(first, seeds).all() : show(only, System.out));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static int show(long seed, PrintStream out) {
    Rehearsal rehearsal = new Rehearsal(seed, new Stage(), Integer.MAX_VALUE);
    Optional<Violation> violation = rehearsal.play();
    rehearsal.trace().lines().forEach(out::println);
    out.println(violation.map(v -> "violated: " + v).orElse("nothing was violated"));
    return violation.isPresent() ? 1 : 0;
  }

  private int all() throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    AtomicLong done = new AtomicLong();
    AtomicReference<@Nullable Found> found = new AtomicReference<>();
    Thread[] threads = new Thread[Runtime.getRuntime().availableProcessors()];
    long began = System.nanoTime();
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.ofPlatform()
              .start(() -> {
                for (long seed = next.getAndIncrement();
                    seed < first + count && found.get() == null;
                    seed = next.getAndIncrement()) {
                  one(seed, found);
                  progress(done.incrementAndGet(), began);
                }
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    @Nullable Found wrong = found.get();
    if (wrong == null) {
      System.out.printf("%nnothing was violated in %d worlds%n", done.get());
      return 0;
    }
    System.out.printf(
        "%nseed %d violates %s%nThe last lines of its trace:%n", wrong.seed(), wrong.violation());
    wrong.lines().forEach(System.out::println);
    System.out.printf("For all of it: script/rehearse --seed %d%n", wrong.seed());
    return 1;
  }

  private static void one(long seed, AtomicReference<@Nullable Found> found) {
    Rehearsal rehearsal = new Rehearsal(seed, new Stage(), LAST_LINES);
    rehearsal
        .play()
        .ifPresent(v -> found.compareAndSet(null, new Found(seed, v, rehearsal.trace().lines())));
  }

  private void progress(long done, long began) {
    if (done % 100 == 0 || done == count) {
      double seconds = (System.nanoTime() - began) * 1e-9;
      System.out.printf("\r%d of %d worlds, %.0f a second ", done, count, done / seconds);
      System.out.flush();
    }
  }
}
