package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.workload.Draws;
import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KindLengthsTest {
  private static final double NOW = 1e6;

  private final List<SeenJob> jobs = new ArrayList<>();

  private void ended(String user, String group, int gpus, double seconds, int count) {
    for (int i = 0; i < count; i++) {
      double submit = 100 * jobs.size();
      jobs.add(
          new SeenJob(
              "e" + jobs.size(),
              SeenJob.State.ENDED,
              submit,
              submit,
              submit + seconds,
              seconds,
              gpus,
              Double.POSITIVE_INFINITY,
              0,
              "",
              user,
              group,
              Demand.NONE,
              Map.of()));
    }
  }

  private KindLengths lengths() {
    Cluster cluster = Cluster.uniform(4, 8, Network.None.USUAL, 0);
    return new KindLengths(new Site(jobs, cluster, List.of()).at(NOW));
  }

  private double[] drawn(String user, String group, int gpus) {
    return drawn(lengths(), user, group, gpus);
  }

  /** What is drawn for a new job in many futures, in order. */
  private static double[] drawn(KindLengths lengths, String user, String group, int gpus) {
    Queue.Kind kind = new Queue.Kind(user, group, gpus);
    Queue.Job job =
        new Queue.Job("new", kind, NOW, Double.POSITIVE_INFINITY, Double.NaN, 0, Demand.NONE);
    double[] all = new double[400];
    for (int i = 0; i < all.length; i++) {
      all[i] = lengths.new Drawing(new Draws(i, 1)).leftSeconds(job, 0);
    }
    Arrays.sort(all);
    return all;
  }

  @Test
  void theSmallJobsOfAUserSayNothingOfTheLargeOnes() {
    ended("ann", "sweep", 1, 60, 500);
    ended("bob", "train", 8, 90_000, 20);
    ended("cyn", "other", 8, 110_000, 20);
    double[] large = drawn("ann", "new", 8);
    assertThat(large[large.length / 10]).isGreaterThan(60_000);
    double[] small = drawn("ann", "new", 1);
    assertThat(small[small.length / 2]).isEqualTo(60);
  }

  @Test
  void aKindThatAlwaysTookAsLongTakesAsLong() {
    ended("ann", "train", 8, 1000, 50);
    double[] drawn = drawn("ann", "train", 8);
    assertThat(drawn[40]).isEqualTo(1000);
    assertThat(drawn[360]).isEqualTo(1000);
  }

  /**
   * Of lengths with a deviation of 1 in their logarithm three are seen of a kind, over and over. A
   * next one is below a share of what is drawn about as often.
   */
  @Test
  void fewLengthsOfAKindDoNotBoundTheNext() {
    Draws chance = new Draws(3, 1);
    int kinds = 150;
    double[] next = new double[kinds];
    for (int kind = 0; kind < kinds; kind++) {
      double middle = 1000 * Math.exp(2 * chance.normal());
      for (int i = 0; i < 3; i++) {
        ended("u" + kind, "g", 1, middle * Math.exp(chance.normal()), 1);
      }
      next[kind] = middle * Math.exp(chance.normal());
    }
    KindLengths lengths = lengths();
    int inside = 0;
    for (int kind = 0; kind < kinds; kind++) {
      Spread drawn = Spread.of(drawn(lengths, "u" + kind, "g", 1));
      inside += next[kind] >= drawn.low(0.8) && next[kind] <= drawn.high(0.8) ? 1 : 0;
    }
    assertThat(inside / (double) kinds).isCloseTo(0.8, within(0.12));
  }

  @Test
  void whereManyWereEndedAtOnceNobodyTakesLonger() {
    ended("ann", "train", 8, 172_800, 6);
    ended("ann", "train", 8, 50_000, 6);
    double[] drawn = drawn("ann", "train", 8);
    assertThat(drawn[drawn.length - 1]).isEqualTo(172_800);
  }
}
