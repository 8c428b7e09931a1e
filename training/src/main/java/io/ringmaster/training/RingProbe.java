package io.ringmaster.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A process that does nothing but all-reduces, to measure them: a member of one ring after another.
 *
 * <p>It has a number: its argument, or else the one that Slurm gave it. It prints {@code ready},
 * and then obeys the lines on standard input that begin with its number. The first joins a ring,
 * after leaving the one before, and is answered by {@code joined}:
 *
 * <pre>NUMBER join RANK SIZE HOST PORT ID
 * NUMBER run BYTES COMPUTE_S JITTER START_MS PHASE_S WARM_S SPAN_S SEED [TURN]</pre>
 *
 * From PHASE_S after a time (milliseconds since 1970) on it sleeps for about so long and does an
 * all-reduce of so many bytes, again and again. What begins and ends in the span after the warm-up
 * counts. All members of a ring sleep equally long, drawn from the seed, evenly between 1 - JITTER
 * and 1 + JITTER times COMPUTE_S: so no member waits for another. With a {@link Turn} each waits
 * for it after the sleep. Then it prints
 *
 * <pre>done COUNT EXCHANGE_S ITERATION_S CPU_S</pre>
 *
 * how many all-reduces counted, what one of them took on average, the same with the sleep before
 * it, and the processor time of the whole run. {@code broken} and a reason is the last line of a
 * process that lost its ring. When standard input ends the process ends: nobody is left behind.
 */
public final class RingProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private @Nullable Ring ring;

  private RingProbe() {}

  public static void main(String[] args) throws InterruptedException {
    String number = args.length > 0 ? args[0] : System.getenv("SLURM_PROCID");
    BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    Thread.ofPlatform().daemon().start(() -> read(number + " ", orders));
    RingProbe probe = new RingProbe();
    System.out.println("ready");
    try {
      while (true) {
        System.out.println(probe.obey(orders.take().split(" ")));
      }
    } catch (RingBroken e) {
      System.out.println("broken " + e.getMessage());
      System.exit(1);
    }
  }

  private static void read(String mine, BlockingQueue<String> orders) {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(mine)) {
          orders.add(line.substring(mine.length()));
        }
      }
    } catch (IOException e) {
      // Whoever gave the orders is gone, as at the end of the input.
    }
    Runtime.getRuntime().halt(0);
  }

  private String obey(String[] order) throws InterruptedException {
    if (!order[0].equals("join")) {
      return run(ring, order);
    }
    if (ring != null) {
      ring.close();
    }
    ring =
        Ring.join(
            Integer.parseInt(order[1]),
            Integer.parseInt(order[2]),
            order[3],
            Integer.parseInt(order[4]),
            order[5],
            PATIENCE);
    return "joined";
  }

  private static String run(@Nullable Ring ring, String[] order) throws InterruptedException {
    if (ring == null) {
      throw new IllegalStateException("run before join");
    }
    float[] data = new float[Math.max(1, Integer.parseInt(order[1]) / Float.BYTES)];
    double computeSeconds = Double.parseDouble(order[2]);
    double jitter = Double.parseDouble(order[3]);
    double warmSeconds = Double.parseDouble(order[6]);
    double spanSeconds = Double.parseDouble(order[7]);
    Turn turn = order.length > 9 ? Turn.of(order[9]) : null;
    SplittableRandom random = new SplittableRandom(Long.parseLong(order[8]));
    Duration cpuBefore = cpu();
    Thread.sleep(Math.max(0, Long.parseLong(order[4]) - System.currentTimeMillis()));
    long from = System.nanoTime() + (long) (warmSeconds * 1e9);
    long to = from + (long) (spanSeconds * 1e9);
    sleep(Double.parseDouble(order[5]));
    boolean isFirst = true;
    int count = 0;
    long exchangeNanos = 0;
    long iterationNanos = 0;
    while (true) {
      long before = System.nanoTime();
      sleep(computeSeconds * (1 - jitter + 2 * jitter * random.nextDouble()));
      sleep(turn == null ? 0 : turn.waitSeconds(Instant.now(), isFirst));
      isFirst = false;
      long begin = System.nanoTime();
      // Rank 0 decides when it is over, and the sum itself tells the others.
      data[0] = ring.rank() == 0 && begin > to ? 1 : 0;
      ring.allReduce(data);
      long end = System.nanoTime();
      if (data[0] > 0) {
        break;
      }
      if (begin >= from && end <= to) {
        count++;
        exchangeNanos += end - begin;
        iterationNanos += end - before;
      }
    }
    return String.format(
        Locale.ROOT,
        "done %d %.9f %.9f %.3f",
        count,
        count == 0 ? 0 : exchangeNanos / 1e9 / count,
        count == 0 ? 0 : iterationNanos / 1e9 / count,
        cpu().minus(cpuBefore).toNanos() / 1e9);
  }

  private static void sleep(double seconds) throws InterruptedException {
    if (seconds > 0) {
      Thread.sleep(Duration.ofNanos((long) (seconds * 1e9)));
    }
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
