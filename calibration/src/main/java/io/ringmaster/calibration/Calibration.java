package io.ringmaster.calibration;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ByteSize;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was measured between real processes.
 *
 * @param sizes of messages, in bytes
 * @param inside rings within a node; null if it was not measured
 * @param factors how many times longer the largest message takes beside others; by k, from k = 1
 * @param usedCores processors that the processes of all rings used while all transmitted
 * @param busyShare of this machine's processors in that time, by anybody; NaN where it cannot be
 *     told
 * @param link rings that compute; null if it was not measured
 * @param heldOut whole iterations of these, and of rings in other places; null with it
 */
public record Calibration(
    int workers,
    List<Integer> sizes,
    List<AllReduceTime> times,
    ContentionFit fit,
    @Nullable Inside inside,
    List<Estimate> factors,
    double usedCores,
    double busyShare,
    @Nullable SharedLink link,
    @Nullable HeldOut heldOut) {

  /**
   * How long it takes, apart from warming up, and how it is divided.
   *
   * @param inside workers of a ring within a node; 0 if that is not to be measured
   * @param intraBytesPerSecond within a node where it is not measured; NaN: as between nodes, since
   *     all are on one machine
   */
  public record Plan(
      int rings,
      int workers,
      int inside,
      double intraBytesPerSecond,
      double seconds,
      boolean check,
      long seed) {
    private int fitRuns() {
      return REPEATS * SIZES * (rings + (inside > 0 ? 1 : 0));
    }

    private int checkRuns() {
      return check ? CHECKS * HeldOutCase.all(rings, workers).size() : 0;
    }

    private double fitSpan() {
      return (checkRuns() > 0 ? FIT_SHARE : 1) * seconds / fitRuns();
    }

    /** Processes that must be started on each node, of which there are as many as workers. */
    public int each() {
      return Math.max(inside, check ? HeldOutCase.each(rings, workers) : rings);
    }

    public int runs() {
      return fitRuns() + checkRuns();
    }
  }

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

  /** Between messages within a node, and how many of them are to fit into a span. */
  private static final double PAUSE_SECONDS = 0.1;

  private static final int PAUSES = 20;

  /** A busy machine may hold a process up for so long, however short the spans are. */
  private static final double PATIENCE_SECONDS = 5;

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
    return nicBytesPerSecond(fit, workers);
  }

  static Estimate nicBytesPerSecond(ContentionFit fit, int workers) {
    Estimate b = fit.line().b();
    double sent = 2.0 * (workers - 1) / workers;
    // What takes no time a byte, as far as can be told, has no upper end.
    double high = b.low() > 0 ? sent / b.low() : Double.NaN;
    return new Estimate(sent / b.value(), Double.NaN, sent / b.high(), high);
  }

  /** Seconds of one of the 2 (w - 1) steps of a ring, whatever the size. */
  public @Nullable Estimate stepSeconds() {
    return stepSeconds(fit, workers);
  }

  private static @Nullable Estimate stepSeconds(ContentionFit fit, int workers) {
    Estimate a = fit.line().a();
    double steps = 2.0 * (workers - 1);
    return a == null
        ? null
        : new Estimate(
            a.value() / steps, a.standardError() / steps, a.low() / steps, a.high() / steps);
  }

  /** Rings with all workers on one node, which pause between messages. */
  public record Inside(int workers, ContentionFit fit) {
    /** Bytes a second between two workers; null if large messages took no longer than small. */
    public @Nullable Estimate bytesPerSecond() {
      return fit.line().b().value() > 0 ? nicBytesPerSecond(fit, workers) : null;
    }

    /** As between nodes. */
    public @Nullable Estimate stepSeconds() {
      return Calibration.stepSeconds(fit, workers);
    }
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
      List<Integer> everywhere = IntStream.range(0, plan.workers()).boxed().toList();
      probes.form(Collections.nCopies(plan.rings(), everywhere));
      together(plan.rings(), LEAST_LARGEST, 0, warmUp);
      int largest = largest(span);
      together(plan.rings(), largest, 0, warmUp);
      List<Integer> sizes = List.of(TINY, largest / 16, largest / 4, largest);
      List<AllReduceTime> times = new ArrayList<>();
      double[][] largestTimes = new double[plan.rings()][REPEATS];
      CpuMeter cpu = new CpuMeter();
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
      Inside inside = plan.inside() > 0 ? inside(largest, span) : null;
      List<HeldOut.Measured> compute =
          plan.checkRuns() > 0 ? check(fit.line(), largest) : List.of();
      return new Calibration(
          plan.workers(),
          sizes,
          times,
          fit,
          inside,
          factors(largestTimes),
          cpu.usedCores(),
          cpu.busyShare(),
          compute.isEmpty() ? null : SharedLink.of(fit.line(), shared(compute)),
          compute.isEmpty()
              ? null
              : HeldOut.of(CalibratedCluster.plain(fit, inside, plan), compute));
    }

    /**
     * After pauses, as jobs that compute make them: one right after the other, messages that never
     * leave a node come from the processors' caches, and are several times as fast. Each repeat is
     * on another node, so that the interval is also one over nodes.
     */
    private Inside inside(int largest, double span) {
      double pause = Math.min(PAUSE_SECONDS, span / PAUSES);
      int most = (int) Math.min(4L * largest, MOST_LARGEST);
      List<Integer> sizes = List.of(TINY, most / 16, most / 4, most);
      List<AllReduceTime> times = new ArrayList<>();
      for (int repeat = 0; repeat < REPEATS; repeat++) {
        probes.form(List.of(Collections.nCopies(plan.inside(), repeat % plan.workers())));
        for (int cell : shuffled(SIZES)) {
          ProbeRings.Order order = new ProbeRings.Order(sizes.get(cell), pause, 0);
          ProbeRings.Result result = run(List.of(order), WARM_SHARE * span, span).getFirst();
          times.add(new AllReduceTime(1, order.bytes(), result.exchangeSeconds()));
          progress.accept(++done);
        }
      }
      return new Inside(plan.inside(), ContentionFit.of(times));
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
      double longest = Math.max(MOST_LONGER * span, PATIENCE_SECONDS);
      for (double longer = span; longer <= longest; longer *= 2) {
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
              longest));
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
    private List<HeldOut.Measured> check(ContentionLine line, int largest) {
      double span = (1 - FIT_SHARE) * plan.seconds() / plan.checkRuns();
      List<HeldOutCase> cases = HeldOutCase.all(plan.rings(), plan.workers());
      List<List<HeldOut.Measured>> byCase = new ArrayList<>();
      cases.forEach(_ -> byCase.add(new ArrayList<>()));
      for (int repeat = 0; repeat < CHECKS; repeat++) {
        for (int number : shuffled(cases.size())) {
          byCase.get(number).addAll(one(line, cases.get(number), largest, span));
          progress.accept(++done);
        }
      }
      return byCase.stream().flatMap(List::stream).toList();
    }

    private List<HeldOut.Measured> one(
        ContentionLine line, HeldOutCase one, int largest, double span) {
      List<ProbeRings.Order> orders = new ArrayList<>();
      for (HeldOutCase.Part part : one.parts()) {
        int bytes = largest / part.divisor();
        double alone = Math.max(0, line.seconds(1, bytes));
        double compute = alone * part.computeShare() / (1 - part.computeShare());
        orders.add(new ProbeRings.Order(bytes, compute, random.nextDouble() * (alone + compute)));
      }
      probes.form(one.places());
      List<ProbeRings.Result> results = run(orders, WARM_SHARE * span, span);
      List<HeldOut.Measured> measured = new ArrayList<>();
      for (int ring = 0; ring < orders.size(); ring++) {
        measured.add(
            new HeldOut.Measured(
                one, one.name(largest), ring, orders.get(ring), results.get(ring)));
      }
      return measured;
    }

    private static List<SharedLink.Measured> shared(List<HeldOut.Measured> measured) {
      return measured.stream()
          .filter(m -> m.one().oneLink())
          .map(m ->
              new SharedLink.Measured(
                  m.name(),
                  m.ring(),
                  m.order().bytes(),
                  m.order().computeSeconds(),
                  m.result().exchangeSeconds()))
          .toList();
    }
  }
}
