package io.ringmaster.calibration;

import io.ringmaster.predictor.contention.ByteSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rings that compute, at the same time. The fit has seen none of them.
 *
 * @param oneLink whether all rings cross the very links that were fitted, with as many workers
 */
record HeldOutCase(List<Part> parts, boolean oneLink) {
  /**
   * A ring: which part of the largest size it sends, how much of its time alone it computes, and
   * the nodes of its workers.
   */
  record Part(int divisor, double computeShare, List<Integer> nodes) {}

  /** All that can be measured with so many rings on so many nodes. */
  static List<HeldOutCase> all(int rings, int nodes) {
    List<HeldOutCase> cases = new ArrayList<>();
    if (rings >= 2) {
      cases.addAll(oneLink(rings, IntStream.range(0, nodes).boxed().toList()));
      cases.addAll(otherPlaces(nodes));
    }
    return cases;
  }

  /**
   * Rings by the share of time that each computes when alone: one, equal ones, different ones. Of
   * one ring the models say the same. If it is not so, pauses change how fast this network is.
   */
  private static List<HeldOutCase> oneLink(int rings, List<Integer> nodes) {
    List<List<Part>> cases = new ArrayList<>();
    cases.add(List.of(new Part(2, 0.5, nodes)));
    for (int k = 2; k <= rings; k++) {
      for (double share : new double[] {0.25, 0.5, 0.75}) {
        cases.add(Collections.nCopies(k, new Part(2, share, nodes)));
      }
    }
    cases.add(List.of(new Part(2, 0.1, nodes), new Part(2, 0.9, nodes)));
    cases.add(List.of(new Part(2, 0.25, nodes), new Part(8, 0.75, nodes)));
    if (rings >= 3) {
      cases.add(List.of(new Part(2, 0.1, nodes), new Part(2, 0.5, nodes), new Part(2, 0.9, nodes)));
    }
    return cases.stream().map(parts -> new HeldOutCase(parts, true)).toList();
  }

  /** Other numbers of workers, on other nodes, of which rings share all, one or none. */
  private static List<HeldOutCase> otherPlaces(int nodes) {
    List<List<List<Integer>>> places = new ArrayList<>();
    if (nodes >= 3) {
      places.add(List.of(List.of(0, 1)));
      places.add(List.of(List.of(0, 0)));
      places.add(List.of(List.of(0, 0, 1, 1)));
      places.add(List.of(List.of(0, 1), List.of(1, 2)));
      places.add(List.of(List.of(0, 0, 1, 1), List.of(1, 2)));
      places.add(List.of(List.of(0, 1, 2), List.of(0, 1)));
    }
    if (nodes >= 4) {
      places.add(List.of(List.of(0, 1), List.of(2, 3)));
      places.add(List.of(List.of(0, 1), List.of(1, 2), List.of(2, 3)));
      places.add(List.of(List.of(0, 1, 2, 3), List.of(0, 1), List.of(1, 2)));
    }
    return places.stream()
        .map(rings -> rings.stream().map(ring -> new Part(2, 0.5, ring)).toList())
        .map(parts -> new HeldOutCase(parts, false))
        .toList();
  }

  /** Most processes that a case needs on one node. */
  static int each(int rings, int nodes) {
    int most = rings;
    for (HeldOutCase one : all(rings, nodes)) {
      for (int node = 0; node < nodes; node++) {
        int here = node;
        most =
            Math.max(
                most,
                (int) one.places().stream().flatMap(List::stream).filter(n -> n == here).count());
      }
    }
    return most;
  }

  List<List<Integer>> places() {
    return parts.stream().map(Part::nodes).toList();
  }

  /** {@code 3 rings, 25 %}, {@code 25 % + 75 % of 64 KiB}, or {@code nodes 1 2 + 2 3}. */
  String name(int largest) {
    if (!oneLink) {
      return places().stream()
          .map(ring -> ring.stream().map(n -> "" + (n + 1)).collect(Collectors.joining(" ")))
          .collect(Collectors.joining(" + ", "nodes ", ""));
    }
    List<String> shares = new ArrayList<>();
    for (Part part : parts) {
      String share = Math.round(100 * part.computeShare()) + " %";
      shares.add(
          part.divisor() == 2
              ? share
              : share + " of " + ByteSize.text((double) largest / part.divisor()));
    }
    return parts.stream().distinct().count() == 1
        ? parts.size() + (parts.size() == 1 ? " ring, " : " rings, ") + shares.getFirst()
        : String.join(" + ", shares);
  }
}
