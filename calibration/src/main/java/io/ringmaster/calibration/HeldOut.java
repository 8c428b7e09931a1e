package io.ringmaster.calibration;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rings;
import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Whole iterations of rings that compute, beside what the simulator would say of the same rings on
 * the calibrated cluster: its very model is asked.
 *
 * @param rows one for each ring of each case
 */
public record HeldOut(List<Row> rows) {
  /** A ring in one measurement of a case. */
  record Measured(
      HeldOutCase one, String name, int ring, ProbeRings.Order order, ProbeRings.Result result) {}

  /**
   * A ring of a case, over all repeats.
   *
   * @param oneLink whether it crosses the links that were fitted, with as many workers
   */
  public record Row(
      String name,
      int ring,
      boolean oneLink,
      Estimate iteration,
      double contention,
      double transmit) {
    public double contentionError() {
      return contention / iteration.value() - 1;
    }

    public double transmitError() {
      return transmit / iteration.value() - 1;
    }
  }

  /**
   * Absolute relative errors over all rows: half of them, and nine tenths, are at most so large.
   */
  public record Errors(double median, double ninetieth) {}

  public Errors contention() {
    return errors(Row::contentionError);
  }

  public Errors transmit() {
    return errors(Row::transmitError);
  }

  private Errors errors(ToDoubleFunction<Row> error) {
    double[] sorted = rows.stream().mapToDouble(r -> Math.abs(error.applyAsDouble(r))).toArray();
    Arrays.sort(sorted);
    return new Errors(quantile(sorted, 0.5), quantile(sorted, 0.9));
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[Math.clamp((int) Math.ceil(share * sorted.length) - 1, 0, sorted.length - 1)];
  }

  static HeldOut of(Cluster cluster, List<Measured> measured) {
    IterationTime contention = model(cluster, new Network.Contention(cluster.network().terms()));
    IterationTime transmit = model(cluster, new Network.Transmit(cluster.network().terms()));
    List<Row> rows = new ArrayList<>();
    for (String name : measured.stream().map(Measured::name).distinct().toList()) {
      TreeMap<Integer, List<Measured>> byRing = new TreeMap<>();
      measured.stream()
          .filter(m -> m.name.equals(name))
          .forEach(m -> byRing.computeIfAbsent(m.ring, _ -> new ArrayList<>()).add(m));
      List<Measured> rings = byRing.values().stream().map(List::getFirst).toList();
      double[] whole = predicted(contention, cluster.size(), rings);
      double[] shares = predicted(transmit, cluster.size(), rings);
      byRing.forEach((ring, repeats) ->
          rows.add(
              new Row(
                  name,
                  ring,
                  repeats.getFirst().one.oneLink(),
                  Estimate.mean(
                      repeats.stream().mapToDouble(m -> m.result.iterationSeconds()).toArray()),
                  whole[ring],
                  shares[ring])));
    }
    return new HeldOut(rows);
  }

  private static IterationTime model(Cluster cluster, Network network) {
    return IterationTime.of(
        new Cluster(
            cluster.name(), cluster.servers(), cluster.racks(), network, cluster.restartSeconds()));
  }

  private static double[] predicted(IterationTime time, int servers, List<Measured> measured) {
    Rings rings = new Rings(servers, time);
    List<ModelProfile> profiles = new ArrayList<>();
    List<Placement> placements = new ArrayList<>();
    for (Measured ring : measured) {
      profiles.add(
          new ModelProfile(
              "probe", ring.order.bytes(), 1, 0, ring.order.computeSeconds(), "measured"));
      placements.add(placement(ring.one.parts().get(ring.ring).nodes()));
      rings.join(ring.ring, profiles.getLast(), placements.getLast());
    }
    double[] seconds = new double[measured.size()];
    for (int i = 0; i < seconds.length; i++) {
      Placement placement = placements.get(i);
      seconds[i] = time.seconds(profiles.get(i), placement, rings.contenders(i, placement));
    }
    return seconds;
  }

  private static Placement placement(List<Integer> nodes) {
    int[] servers = nodes.stream().mapToInt(n -> n).distinct().toArray();
    int[] gpus =
        Arrays.stream(servers)
            .map(server -> (int) nodes.stream().filter(n -> n == server).count())
            .toArray();
    return Placement.of(servers, gpus);
  }

  /** Those on other places than were fitted. */
  public Stream<Row> otherPlaces() {
    return rows.stream().filter(row -> !row.oneLink);
  }
}
