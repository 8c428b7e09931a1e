package io.ringmaster.calibration;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ByteSize;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.predictor.regression.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was measured between real processes.
 *
 * @param sizes of messages, in bytes
 * @param factors how many times longer the largest message takes beside others; by k, from k = 1
 * @param usedCores processors that the processes of all rings used while all transmitted
 * @param busyShare of this machine's processors in that time, by anybody; NaN where it cannot be
 *     told
 * @param link rings that compute; null if it was not measured
 */
public record Calibration(
    int workers,
    List<Integer> sizes,
    List<AllReduceTime> times,
    ContentionFit fit,
    List<Estimate> factors,
    double usedCores,
    double busyShare,
    @Nullable SharedLink link) {

  /** How long it takes, apart from warming up, and how it is divided. */
  public record Plan(int rings, int workers, double seconds, boolean check, long seed) {
    private int fitRuns() {
      return REPEATS * SIZES * rings;
    }

    private int checkRuns() {
      return check ? CHECKS * cases(rings).size() : 0;
    }

    private double fitSpan() {
      return (checkRuns() > 0 ? FIT_SHARE : 1) * seconds / fitRuns();
    }

    public int runs() {
      return fitRuns() + checkRuns();
    }
  }

  /** Rings of a held-out case: which part of the largest size each sends, and how it computes. */
  private record Part(int divisor, double computeShare) {}

  /** Of all processors: above this, who waits for one waits longer than for a link. */
  private static final double USED = 0.7;

  private static final double BUSY = 0.85;
  private static final int REPEATS = 5;
  private static final int CHECKS = 4;
  private static final int SIZES = 4;
  private static final double FIT_SHARE = 0.5;
  private static final int TINY = 1 << 10;
  private static final int LEAST_LARGEST = 1 << 16;
  private static final int MOST_LARGEST = 1 << 24;

  /** All-reduces of the largest size that are to fit into a span, with all rings at once. */
  private static final int LEAST_COUNT = 8;

  private static final int MOST_LONGER = 8;

  private static final double WARM_SHARE = 0.3;
  private static final double JITTER = 0.1;

  public static Calibration measure(ProbeRings probes, Plan plan, LongConsumer progress) {
    return new Run(probes, plan, progress).all();
  }

  /** What the rings waited for, all at once. */
  public enum Limit {
    PROCESSORS,
    OTHERS,
    LINKS
  }

  public Limit limit() {
    if (usedCores > USED * Runtime.getRuntime().availableProcessors()) {
      return Limit.PROCESSORS;
    }
    return busyShare > BUSY ? Limit.OTHERS : Limit.LINKS;
  }

  /** Bytes a second that a server's link carries: a worker sends 2 (w - 1) / w of a message. */
  public Estimate nicBytesPerSecond() {
    Estimate b = fit.line().b();
    double sent = 2.0 * (workers - 1) / workers;
    return new Estimate(sent / b.value(), Double.NaN, sent / b.high(), sent / b.low());
  }

  /** Seconds of one of the 2 (w - 1) steps of a ring, whatever the size. */
  public @Nullable Estimate stepSeconds() {
    Estimate a = fit.line().a();
    double steps = 2.0 * (workers - 1);
    return a == null
        ? null
        : new Estimate(
            a.value() / steps, a.standardError() / steps, a.low() / steps, a.high() / steps);
  }

  /**
   * Rings by the share of time that each computes when alone: one, equal ones, different ones. Of
   * one ring the models say the same. If it is not so, pauses change how fast this network is.
   */
  private static List<List<Part>> cases(int rings) {
    List<List<Part>> cases = new ArrayList<>();
    if (rings >= 2) {
      cases.add(List.of(new Part(2, 0.5)));
    }
    for (int k = 2; k <= rings; k++) {
      for (double share : new double[] {0.25, 0.5, 0.75}) {
        cases.add(Collections.nCopies(k, new Part(2, share)));
      }
    }
    if (rings >= 2) {
      cases.add(List.of(new Part(2, 0.1), new Part(2, 0.9)));
      cases.add(List.of(new Part(2, 0.25), new Part(8, 0.75)));
    }
    if (rings >= 3) {
      cases.add(List.of(new Part(2, 0.1), new Part(2, 0.5), new Part(2, 0.9)));
    }
    return cases;
  }

  private static final class Run {
    private final ProbeRings probes;
    private final Plan plan;
    private final LongConsumer progress;
    private final Random random;
    private int done;

    Run(ProbeRings probes, Plan plan, LongConsumer progress) {
      this.probes = probes;
      this.plan = plan;
      this.progress = progress;
      this.random = new Random(plan.seed());
    }

    Calibration all() {
      double span = plan.fitSpan();
      double warmUp = Math.max(0.3, 0.02 * plan.seconds());
      together(plan.rings(), LEAST_LARGEST, 0, warmUp);
      int largest = largest(span);
      together(plan.rings(), largest, 0, warmUp);
      List<Integer> sizes = List.of(TINY, largest / 16, largest / 4, largest);
      List<AllReduceTime> times = new ArrayList<>();
      double[][] largestTimes = new double[plan.rings()][REPEATS];
      Cpu cpu = new Cpu();
      for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int cell : shuffled(SIZES * plan.rings())) {
          int k = cell / SIZES + 1;
          int size = sizes.get(cell % SIZES);
          boolean most = size == largest && k == plan.rings();
          cpu.start(most ? probes.cpuSeconds() : Double.NaN);
          double seconds = together(k, size, WARM_SHARE * span, span);
          cpu.stop(probes.cpuSeconds());
          times.add(new AllReduceTime(k, size, seconds));
          if (size == largest) {
            largestTimes[k - 1][repeat] = seconds;
          }
          progress.accept(++done);
        }
      }
      ContentionFit fit = ContentionFit.of(times);
      SharedLink link = plan.checkRuns() > 0 ? check(fit.line(), largest) : null;
      return new Calibration(
          plan.workers(),
          sizes,
          times,
          fit,
          factors(largestTimes),
          cpu.usedCores(),
          cpu.busyShare(),
          link);
    }

    private List<Integer> shuffled(int count) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
      Collections.shuffle(order, random);
      return order;
    }

    /** The mean over rings that transmit all the time. */
    private double together(int k, int bytes, double warm, double span) {
      return run(Collections.nCopies(k, new ProbeRings.Order(bytes, 0, 0)), warm, span).stream()
          .mapToDouble(ProbeRings.Result::exchangeSeconds)
          .average()
          .orElseThrow();
    }

    /** Where a ring was held up by others for a whole span, all are measured again for longer. */
    private List<ProbeRings.Result> run(List<ProbeRings.Order> orders, double warm, double span) {
      for (double longer = span; longer <= MOST_LONGER * span; longer *= 2) {
        List<ProbeRings.Result> results =
            probes.run(orders, JITTER, warm, longer, random.nextInt());
        if (results.stream().allMatch(result -> result.count() > 0)) {
          return results;
        }
      }
      throw new BadInput(
          String.format(
              Locale.ROOT,
              "calibrate: no all-reduce of %s ended within %.3f s; give more --seconds",
              ByteSize.text(orders.getFirst().bytes()),
              MOST_LONGER * span));
    }

    /** The largest size of which enough fit into a span: found in two steps, from a small one. */
    private int largest(double span) {
      int size = LEAST_LARGEST;
      for (int step = 0; step < 2; step++) {
        double seconds = together(plan.rings(), size, 0, Math.max(span, 0.2));
        double fits = size / seconds * span / LEAST_COUNT;
        int power = Integer.highestOneBit((int) Math.min(fits, MOST_LARGEST));
        size = Math.clamp(power, LEAST_LARGEST, MOST_LARGEST);
      }
      return size;
    }

    private List<Estimate> factors(double[][] largestTimes) {
      List<Estimate> factors = new ArrayList<>();
      for (double[] beside : largestTimes) {
        factors.add(
            Estimate.mean(
                IntStream.range(0, REPEATS)
                    .mapToDouble(i -> beside[i] / largestTimes[0][i])
                    .toArray()));
      }
      return factors;
    }

    /** Cases that the fit has not seen, in random order, at random phases. */
    private SharedLink check(ContentionLine line, int largest) {
      double span = (1 - FIT_SHARE) * plan.seconds() / plan.checkRuns();
      List<List<Part>> cases = cases(plan.rings());
      List<List<SharedLink.Measured>> byCase = new ArrayList<>();
      cases.forEach(_ -> byCase.add(new ArrayList<>()));
      for (int repeat = 0; repeat < CHECKS; repeat++) {
        for (int number : shuffled(cases.size())) {
          byCase.get(number).addAll(one(line, cases.get(number), largest, span));
          progress.accept(++done);
        }
      }
      return SharedLink.of(line, byCase.stream().flatMap(List::stream).toList());
    }

    private List<SharedLink.Measured> one(
        ContentionLine line, List<Part> parts, int largest, double span) {
      List<ProbeRings.Order> orders = new ArrayList<>();
      for (Part part : parts) {
        int bytes = largest / part.divisor();
        double alone = Math.max(0, line.seconds(1, bytes));
        double compute = alone * part.computeShare() / (1 - part.computeShare());
        orders.add(new ProbeRings.Order(bytes, compute, random.nextDouble() * (alone + compute)));
      }
      List<ProbeRings.Result> results = run(orders, WARM_SHARE * span, span);
      List<SharedLink.Measured> measured = new ArrayList<>();
      for (int ring = 0; ring < orders.size(); ring++) {
        ProbeRings.Order order = orders.get(ring);
        measured.add(
            new SharedLink.Measured(
                name(parts, largest),
                ring,
                order.bytes(),
                order.computeSeconds(),
                results.get(ring).exchangeSeconds()));
      }
      return measured;
    }

    /** {@code 3 rings, compute 25 %} or {@code compute 25 % + 75 % (small)}. */
    private static String name(List<Part> parts, int largest) {
      List<String> words = new ArrayList<>();
      for (Part part : parts) {
        String share = Math.round(100 * part.computeShare()) + " %";
        words.add(
            part.divisor() == 2
                ? share
                : share + " of " + ByteSize.text((double) largest / part.divisor()));
      }
      return parts.stream().distinct().count() == 1
          ? parts.size() + (parts.size() == 1 ? " ring, " : " rings, ") + words.getFirst()
          : String.join(" + ", words);
    }
  }

  /** Processor time while all rings send the largest message. */
  private static final class Cpu {
    private static final Pattern WORD = Pattern.compile("\\s+");

    private double used;
    private double usedBefore = Double.NaN;
    private long nanos;
    private long startNanos;
    private long[] statBefore = {0, 0};
    private long busy;
    private long total;

    void start(double cpuSeconds) {
      usedBefore = cpuSeconds;
      startNanos = System.nanoTime();
      statBefore = stat();
    }

    void stop(double cpuSeconds) {
      if (!Double.isNaN(usedBefore)) {
        used += cpuSeconds - usedBefore;
        nanos += System.nanoTime() - startNanos;
        long[] now = stat();
        busy += now[0] - statBefore[0];
        total += now[1] - statBefore[1];
      }
    }

    double usedCores() {
      return used / (nanos / 1e9);
    }

    double busyShare() {
      return total == 0 ? Double.NaN : (double) busy / total;
    }

    /** Busy ticks and all ticks of this machine so far, where the system tells. */
    private static long[] stat() {
      try {
        long[] ticks =
            WORD.splitAsStream(Files.readAllLines(Path.of("/proc/stat")).getFirst())
                .skip(1)
                .limit(8)
                .mapToLong(Long::parseLong)
                .toArray();
        long all = Arrays.stream(ticks).sum();
        return new long[] {all - ticks[3] - ticks[4], all};
      } catch (IOException | RuntimeException e) {
        return new long[] {0, 0};
      }
    }
  }
}
