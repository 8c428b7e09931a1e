package io.ringmaster.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The ring that computes most for what it sends goes first on a link, and the others have what it
 * leaves: Cao et al., "Crux: GPU-Efficient Communication Scheduling for Deep Learning Training",
 * SIGCOMM 2024.
 *
 * <p>What the others have is simulated: each computes and transmits in turn, and the link carries
 * those that transmit in the order of their ranks. Three numbers come from rings that were measured
 * on links in namespaces: times of computing vary a little, without which two rings could stay in a
 * step in which they never meet; who was put off needs a moment to be under way again; and who has
 * nearly sent all is not put off, as what is left is in the queue of the card.
 *
 * <p>Departures: there are as many levels as rings, where network cards have few. A ring is never
 * left with less than a twentieth of what it would have alone.
 */
public record PriorityTurns() implements Turns {
  private static final double VARIES = 0.03;
  private static final double TO_BE_UNDER_WAY = 0.01;
  private static final double QUEUED = 0.01;
  private static final double MOST_STRETCH = 20;
  private static final int ITERATIONS = 60;
  private static final int ENOUGH_ITERATIONS = 10;
  private static final int MOST_STEPS = 4000;

  /** Multiples of these, less their whole parts, spread evenly: the same at every run. */
  private static final double[] SPREADS = {
    (Math.sqrt(5) - 1) / 2, Math.sqrt(2) - 1, Math.sqrt(3) - 1, Math.sqrt(5) - 2
  };

  /** Who goes first, at the front; of equals, who was submitted first. */
  public static final Comparator<LinkRing> RANKS =
      Comparator.comparingDouble(LinkRing::intensity).reversed().thenComparingInt(LinkRing::job);

  @Override
  public double[] stretches(List<LinkRing> rings) {
    double[] stretches = new double[rings.size()];
    Arrays.fill(stretches, 1);
    if (rings.size() > 1) {
      List<LinkRing> ranked = rings.stream().sorted(RANKS).toList();
      double[] byRank = new OneLink(ranked).run();
      for (int i = 0; i < stretches.length; i++) {
        stretches[i] = byRank[ranked.indexOf(rings.get(i))];
      }
    }
    return stretches;
  }

  /** Rings on a link from when all begin to transmit. */
  private static final class OneLink {
    private final List<LinkRing> ranked;

    /** By rank: seconds of transmitting that are left, at full speed; 0 while it computes. */
    private final double[] left;

    private final double[] readyAt;
    private final double[] rate;
    private final boolean[] isPutOff;
    private final int[] iterations;
    private final double[] firstEnd;
    private final double[] lastEnd;
    private double now;

    OneLink(List<LinkRing> ranked) {
      this.ranked = ranked;
      int rings = ranked.size();
      left = new double[rings];
      readyAt = new double[rings];
      rate = new double[rings];
      isPutOff = new boolean[rings];
      iterations = new int[rings];
      firstEnd = new double[rings];
      lastEnd = new double[rings];
    }

    double[] run() {
      int last = ranked.size() - 1;
      for (int step = 0; step < MOST_STEPS && iterations[last] <= ITERATIONS; step++) {
        step();
      }
      double[] stretches = new double[ranked.size()];
      double before = 0;
      for (int i = 0; i < stretches.length; i++) {
        LinkRing ring = ranked.get(i);
        double stretch =
            iterations[i] > ENOUGH_ITERATIONS
                ? ring.stretch((lastEnd[i] - firstEnd[i]) / (iterations[i] - 1))
                : Math.max(1, 1 / (ring.width() * (1 - before)));
        // The first waits for nobody.
        stretches[i] = i == 0 ? 1 : before >= 1 ? MOST_STRETCH : Math.min(MOST_STRETCH, stretch);
        before += ring.load();
      }
      return stretches;
    }

    private void step() {
      double free = 1;
      double next = Double.POSITIVE_INFINITY;
      for (int i = 0; i < left.length; i++) {
        LinkRing ring = ranked.get(i);
        if (left[i] == 0 && readyAt[i] <= now) {
          left[i] = ring.exchangeSeconds();
        }
        if (left[i] == 0) {
          next = Math.min(next, readyAt[i] - now);
          continue;
        }
        boolean isQueued = left[i] <= QUEUED * ring.exchangeSeconds();
        rate[i] = isQueued ? 1 : Math.min(1, free * ring.width());
        free = Math.max(0, free - rate[i] / ring.width());
        if (rate[i] == 0) {
          isPutOff[i] = left[i] < ring.exchangeSeconds();
        } else {
          if (isPutOff[i]) {
            left[i] += TO_BE_UNDER_WAY * ring.exchangeSeconds();
            isPutOff[i] = false;
          }
          next = Math.min(next, left[i] / rate[i]);
        }
      }
      advance(next);
    }

    private void advance(double seconds) {
      now += seconds;
      for (int i = 0; i < left.length; i++) {
        if (left[i] == 0) {
          continue;
        }
        LinkRing ring = ranked.get(i);
        left[i] -= rate[i] * seconds;
        if (left[i] <= 1e-9 * ring.exchangeSeconds()) {
          left[i] = 0;
          lastEnd[i] = now;
          firstEnd[i] = iterations[i] == 0 ? now : firstEnd[i];
          iterations[i]++;
          double spread = (iterations[i] * SPREADS[i % SPREADS.length] + 0.37 * i) % 1;
          readyAt[i] = now + ring.restSeconds() * (1 + VARIES * (2 * spread - 1));
        }
      }
    }
  }
}
