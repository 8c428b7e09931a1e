package io.ringmaster.calibration;

import io.ringmaster.model.BadInput;
import io.ringmaster.training.RingProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rings of real processes that wait for orders: {@link RingProbe}. */
public final class ProbeRings implements AutoCloseable {
  /**
   * What one ring is to do.
   *
   * @param turn to which its exchanges are held, as a worker is told it; empty: none
   */
  record Order(int bytes, double computeSeconds, double phaseSeconds, String turn) {
    Order(int bytes, double computeSeconds, double phaseSeconds) {
      this(bytes, computeSeconds, phaseSeconds, "");
    }
  }

  /** What one ring did: all-reduces that counted, and what one took, alone and with computing. */
  record Result(int count, double exchangeSeconds, double iterationSeconds) {}

  private final Nodes nodes;
  private final int count;
  private final Probes probes;

  /** The numbers of the processes of each ring, by rank. */
  private final List<List<Integer>> rings = new ArrayList<>();

  private int formed;
  private double cpuSeconds;

  private ProbeRings(Nodes nodes, int count, Probes probes) {
    this.nodes = nodes;
    this.count = count;
    this.probes = probes;
  }

  /** Starts so many processes on each of the first nodes, and waits until all are there. */
  public static ProbeRings start(Nodes nodes, int count, int each) {
    Probes probes;
    try {
      probes = nodes.start(command(), count, each);
    } catch (IOException e) {
      throw new BadInput("calibrate: cannot start a process: " + e.getMessage());
    }
    ProbeRings rings = new ProbeRings(nodes, count, probes);
    try {
      for (int number = 0; number < count * each; number++) {
        rings.expect(number, "ready");
      }
      return rings;
    } catch (IOException | RuntimeException e) {
      probes.close();
      throw e instanceof IOException io ? lost(io) : (RuntimeException) e;
    }
  }

  private static List<String> command() {
    // Small and quick to start: there are many, and they share the processors with what they
    // measure.
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-cp",
        classPath(),
        RingProbe.class.getName());
  }

  private static String classPath() {
    try {
      return Path.of(RingProbe.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Closes rings anew.
   *
   * @param places for each ring the nodes of its workers, in the order of the ring
   */
  void form(List<List<Integer>> places) {
    rings.clear();
    int[] taken = new int[count];
    StringBuilder orders = new StringBuilder();
    try {
      for (List<Integer> place : places) {
        List<Integer> members = new ArrayList<>();
        rings.add(members);
        int port = freePort();
        formed++;
        for (int node : place) {
          int number = node + count * taken[node]++;
          orders.append(
              "%d join %d %d %s %d calibrate-%d\n"
                  .formatted(
                      number,
                      members.size(),
                      place.size(),
                      nodes.address(place.getFirst()),
                      port,
                      formed));
          members.add(number);
        }
      }
      probes.tell(orders.toString());
      for (List<Integer> members : rings) {
        for (int number : members) {
          expect(number, "joined");
        }
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The line that begins so. What else a process says before it is why it failed. */
  private String expect(int number, String word) throws IOException {
    String last = "nothing";
    for (@Nullable String line = probes.hear(number); line != null; line = probes.hear(number)) {
      if (line.startsWith(word)) {
        return line;
      }
      last = line;
      if (line.startsWith("broken")) {
        break;
      }
    }
    throw new BadInput("calibrate: a process of a ring ended; it said: " + last.strip());
  }

  private static UncheckedIOException lost(IOException e) {
    return new UncheckedIOException("calibrate: lost a process of a ring: " + e.getMessage(), e);
  }

  /** Of all processes in all runs so far. */
  double cpuSeconds() {
    return cpuSeconds;
  }

  /**
   * Lets the first rings do all-reduces at the same time, one for each order.
   *
   * @param warmSeconds what begins in this time after the start does not count
   * @param spanSeconds what ends in this time after that does
   */
  List<Result> run(
      List<Order> orders, double jitter, double warmSeconds, double spanSeconds, long seed) {
    long start = System.currentTimeMillis() + probes.delayMillis();
    StringBuilder lines = new StringBuilder();
    for (int ring = 0; ring < orders.size(); ring++) {
      Order order = orders.get(ring);
      for (int number : rings.get(ring)) {
        lines.append(
            String.format(
                Locale.ROOT,
                "%d run %d %.9f %.3f %d %.9f %.6f %.6f %d %s\n",
                number,
                order.bytes(),
                order.computeSeconds(),
                jitter,
                start,
                order.phaseSeconds(),
                warmSeconds,
                spanSeconds,
                31 * seed + ring,
                order.turn()));
      }
    }
    try {
      probes.tell(lines.toString());
      List<Result> results = new ArrayList<>();
      for (int ring = 0; ring < orders.size(); ring++) {
        results.add(result(rings.get(ring)));
      }
      return results;
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private Result result(List<Integer> members) throws IOException {
    Result first = new Result(0, 0, 0);
    for (int rank = 0; rank < members.size(); rank++) {
      String[] parts = expect(members.get(rank), "done").split(" ", -1);
      cpuSeconds += Double.parseDouble(parts[4]);
      if (rank == 0) {
        first =
            new Result(
                Integer.parseInt(parts[1]),
                Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]));
      }
    }
    return first;
  }

  @Override
  public void close() {
    probes.close();
  }
}
