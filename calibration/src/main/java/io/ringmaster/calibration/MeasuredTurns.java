package io.ringmaster.calibration;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.LinkRing;
import io.ringmaster.model.Network;
import io.ringmaster.model.ShiftedTurns;
import io.ringmaster.model.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * How long iterations of rings take that share their links, free and held to turns, beside what
 * {@link ShiftedTurns} says.
 *
 * @param bytes of an exchange, chosen so that it takes about as long as it is to
 * @param exchangeSeconds what it takes alone
 */
public record MeasuredTurns(int bytes, double exchangeSeconds, List<Row> rows) {

  /** What is done to rings that share links. */
  public enum Way {
    ALONE("alone"),
    TOGETHER("free, started together"),
    RANDOM("free, started at random"),
    HELD("held apart");

    private final String text;

    Way(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Rings of one case.
   *
   * @param share of an iteration that a ring transmits if alone
   * @param seconds of an iteration, the mean of all rings
   * @param least what the model says at least
   * @param most and at most; the same if it says one time
   */
  public record Row(int rings, double share, Way way, double seconds, double least, double most) {
    /** How far outside of what the model says it is, as a share of that; 0 inside. */
    public double error() {
      return seconds < least ? seconds / least - 1 : seconds > most ? seconds / most - 1 : 0;
    }
  }

  private static final List<Double> SHARES = List.of(0.3, 0.5, 0.63, 0.8);
  private static final double EXCHANGE_SECONDS = 0.167;
  private static final int TRIED_BYTES = 1 << 18;
  private static final int MOST_BYTES = 1 << 26;
  private static final int TRIALS = 2;
  private static final double PAUSE_SECONDS = 0.2;
  private static final double TRIAL_SECONDS = 4;
  private static final int LEAST_ITERATIONS = 12;
  private static final int WARM_ITERATIONS = 2;
  private static final int RANDOM_STARTS = 2;

  /** How many runs there are, with up to so many rings. */
  public static int runs(int rings) {
    return TRIALS
        + 1
        + SHARES.size() * (1 + (rings - 1) * (Way.values().length - 2 + RANDOM_STARTS));
  }

  /**
   * Measures rings of one worker on each node, alone and up to so many at once.
   *
   * @param seconds to measure in all; a run has at least a dozen iterations
   */
  public static MeasuredTurns measure(
      ProbeRings probes, int rings, int workers, double seconds, long seed, LongConsumer progress) {
    List<Integer> nodes = IntStream.range(0, workers).boxed().toList();
    probes.form(Collections.nCopies(rings, nodes));
    return new Run(probes, rings, seconds / runs(rings), new Random(seed), progress).all();
  }

  private static final class Run {
    private final ProbeRings probes;
    private final int most;
    private final double span;
    private final Random random;
    private final LongConsumer progress;
    private final List<Row> rows = new ArrayList<>();
    private int done;
    private int bytes = TRIED_BYTES;

    Run(ProbeRings probes, int most, double span, Random random, LongConsumer progress) {
      this.probes = probes;
      this.most = most;
      this.span = span;
      this.random = random;
      this.progress = progress;
    }

    MeasuredTurns all() {
      // Twice, since a link may pass the first bytes at once.
      for (int i = 0; i < TRIALS; i++) {
        bytes = (int) Math.clamp(EXCHANGE_SECONDS / exchange() * bytes, 4, MOST_BYTES);
      }
      double exchange = exchange();
      for (double share : SHARES) {
        double compute = exchange / share - exchange;
        rows.add(
            row(1, share, Way.ALONE, compute, exchange, exchange + compute, exchange + compute));
        for (int rings = 2; rings <= most; rings++) {
          beside(rings, share, exchange, compute);
        }
      }
      return new MeasuredTurns(bytes, exchange, rows);
    }

    private double exchange() {
      return result(
              List.of(new ProbeRings.Order(bytes, PAUSE_SECONDS, 0)),
              PAUSE_SECONDS,
              Math.max(span, TRIAL_SECONDS))
          .getFirst()
          .exchangeSeconds();
    }

    private void beside(int rings, double share, double exchange, double compute) {
      List<LinkRing> alike =
          IntStream.range(0, rings)
              .mapToObj(job -> new LinkRing(job, exchange, compute, 1, compute / exchange))
              .toList();
      ShiftedTurns.Range free = ShiftedTurns.range(alike, 0);
      double period =
          (1 + Network.Shifted.USUAL_SLACK) * Math.max(exchange + compute, rings * exchange);
      for (Way way : List.of(Way.TOGETHER, Way.RANDOM)) {
        rows.add(row(rings, share, way, compute, exchange, free.least(), free.most()));
      }
      rows.add(row(rings, share, Way.HELD, compute, exchange, period, period));
    }

    private Row row(
        int rings,
        double share,
        Way way,
        double compute,
        double exchange,
        double least,
        double most) {
      double sum = 0;
      int repeats = way == Way.RANDOM ? RANDOM_STARTS : 1;
      for (int i = 0; i < repeats; i++) {
        List<ProbeRings.Order> orders = new ArrayList<>();
        for (int ring = 0; ring < rings; ring++) {
          orders.add(order(rings, ring, way, compute, exchange));
        }
        List<ProbeRings.Result> results =
            result(orders, most, Math.max(span, LEAST_ITERATIONS * most));
        sum +=
            results.stream()
                .mapToDouble(ProbeRings.Result::iterationSeconds)
                .average()
                .orElseThrow();
      }
      return new Row(rings, share, way, sum / repeats, least, most);
    }

    private ProbeRings.Order order(int rings, int ring, Way way, double compute, double exchange) {
      double alone = exchange + compute;
      double period = (1 + Network.Shifted.USUAL_SLACK) * Math.max(alone, rings * exchange);
      return switch (way) {
        case ALONE, TOGETHER -> new ProbeRings.Order(bytes, compute, 0);
        case RANDOM -> new ProbeRings.Order(bytes, compute, random.nextDouble() * alone);
        case HELD ->
            new ProbeRings.Order(bytes, compute, 0, new Turn(period, ring * period / rings).text());
      };
    }

    private List<ProbeRings.Result> result(
        List<ProbeRings.Order> orders, double iterationSeconds, double seconds) {
      progress.accept(done++);
      List<ProbeRings.Result> results =
          probes.run(orders, 0, WARM_ITERATIONS * iterationSeconds, seconds, done);
      if (results.stream().anyMatch(result -> result.count() == 0)) {
        throw new BadInput(
            "calibrate: no exchange of %d bytes ended within %.0f s; give it more --seconds"
                .formatted(bytes, seconds));
      }
      return results;
    }
  }
}
