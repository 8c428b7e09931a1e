package io.ringmaster.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ContentionFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Iterations that follow from a network that is made up, beside what the models say of it. */
class HeldOutTest {
  /** Rings of four workers: 1.5 s for each MB, so a link carries 1 MB/s. No start-up, no alpha. */
  private static final ContentionFit FIT = fit();

  private static ContentionFit fit() {
    List<AllReduceTime> times = new ArrayList<>();
    for (int k = 1; k <= 2; k++) {
      for (double bytes : new double[] {1e6, 2e6, 4e6}) {
        times.add(new AllReduceTime(k, bytes, 1.5e-6 * k * bytes));
      }
    }
    return ContentionFit.of(times);
  }

  private static HeldOut.Row row(HeldOut heldOut, int ring) {
    return heldOut.rows().get(ring);
  }

  private static HeldOut measured(double seconds, List<List<Integer>> rings) {
    return measured(seconds, Double.NaN, rings);
  }

  private static HeldOut measured(double seconds, double intra, List<List<Integer>> rings) {
    HeldOutCase one =
        new HeldOutCase(
            rings.stream().map(ring -> new HeldOutCase.Part(2, 0.5, ring)).toList(), false);
    List<HeldOut.Measured> measured = new ArrayList<>();
    for (int ring = 0; ring < rings.size(); ring++) {
      measured.add(
          new HeldOut.Measured(
              one,
              "a case",
              ring,
              new ProbeRings.Order(1_000_000, 1, 0),
              new ProbeRings.Result(10, seconds - 1, seconds)));
    }
    Calibration.Plan plan = new Calibration.Plan(2, 4, 0, intra, 10, true, 1);
    return HeldOut.of(CalibratedCluster.plain(FIT, null, plan), measured);
  }

  /** Two workers send each 1 MB of the million: 1 s, and they compute for another. */
  @Test
  void aRingOfTwoWhereFourWereFitted() {
    HeldOut.Row row = row(measured(2, List.of(List.of(2, 3))), 0);
    assertThat(row.contention()).isCloseTo(2, within(1e-3));
    assertThat(row.transmit()).isCloseTo(2, within(1e-3));
    assertThat(row.transmitError()).isCloseTo(0, within(1e-3));
  }

  /** Two on each of two nodes are four workers: 1.5 s over the link. */
  @Test
  void twoWorkersOnEachNode() {
    HeldOut.Row row = row(measured(2.5, List.of(List.of(0, 0, 1, 1))), 0);
    assertThat(row.transmit()).isCloseTo(2.5, within(1e-3));
  }

  /** Where hops inside take no time, the second worker of a node is one part of six ahead. */
  @Test
  void twoWorkersOnEachNodeWithAFastWayInside() {
    HeldOut.Row row = row(measured(2.25, 1e12, List.of(List.of(0, 0, 1, 1))), 0);
    assertThat(row.contention()).isCloseTo(2.5, within(1e-3));
    assertThat(row.transmit()).isCloseTo(2.25, within(1e-3));
  }

  /** A ring of three that takes 4/3 ms for each MB within a node: 1 GB/s. */
  @Test
  void aRingInsideANodeThatWasMeasured() {
    List<AllReduceTime> times = new ArrayList<>();
    for (double bytes : new double[] {1e6, 2e6, 4e6}) {
      times.add(new AllReduceTime(1, bytes, 4e-9 / 3 * bytes));
    }
    Calibration.Inside inside = new Calibration.Inside(3, ContentionFit.of(times));
    assertThat(Objects.requireNonNull(inside.bytesPerSecond()).value()).isCloseTo(1e9, within(1.0));
    Calibration.Plan plan = new Calibration.Plan(2, 4, 3, 37.5e9, 10, true, 1);
    assertThat(CalibratedCluster.plain(FIT, inside, plan).server(0).intraBytesPerSecond())
        .isEqualTo(1e9);
  }

  /** Each finds the other half of the time: 1 + 1.5 s; contention has 1 + 2 s. */
  @Test
  void ringsThatShareOneNode() {
    HeldOut heldOut = measured(2.5, List.of(List.of(0, 1), List.of(1, 2)));
    for (int ring = 0; ring < 2; ring++) {
      assertThat(row(heldOut, ring).transmit()).isCloseTo(2.5, within(1e-3));
      assertThat(row(heldOut, ring).contention()).isCloseTo(3, within(1e-3));
    }
    assertThat(heldOut.transmit().median()).isCloseTo(0, within(1e-3));
    assertThat(heldOut.contention().ninetieth()).isCloseTo(0.2, within(1e-3));
  }

  @Test
  void ringsThatShareNothing() {
    HeldOut heldOut = measured(2, List.of(List.of(0, 1), List.of(2, 3)));
    assertThat(row(heldOut, 0).contention()).isCloseTo(2, within(1e-3));
    assertThat(row(heldOut, 1).contention()).isCloseTo(2, within(1e-3));
  }

  @Test
  void casesNeedNoMoreProcessesThanAreStarted() {
    assertThat(HeldOutCase.each(1, 4)).isEqualTo(1);
    assertThat(HeldOutCase.each(2, 2)).isEqualTo(2);
    assertThat(HeldOutCase.each(2, 4)).isEqualTo(3);
    assertThat(HeldOutCase.each(5, 4)).isEqualTo(5);
    assertThat(HeldOutCase.all(2, 2)).allMatch(HeldOutCase::oneLink);
    assertThat(HeldOutCase.all(1, 4)).isEmpty();
  }

  @Test
  void casesHaveNames() {
    assertThat(HeldOutCase.all(3, 4).stream().map(one -> one.name(1 << 20)))
        .contains(
            "1 ring, 50 %",
            "3 rings, 75 %", "25 % + 75 % of 128 KiB", "nodes 1 2 + 2 3", "nodes 1 1 2 2")
        .doesNotHaveDuplicates();
  }
}
