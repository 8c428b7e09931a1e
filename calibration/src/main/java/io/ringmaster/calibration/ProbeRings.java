package io.ringmaster.calibration;

import io.ringmaster.model.BadInput;
import io.ringmaster.training.RingProbe;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rings of real processes that wait for orders: {@link RingProbe}. Rank i of every ring is on node
 * i + 1, so that all rings cross the same links. A probe ends when its standard input does: also if
 * this process is killed, none is left.
 */
public final class ProbeRings implements AutoCloseable {
  private static final long LEAD_MILLIS = 40;
  private static final long PATIENCE_SECONDS = 3;

  /** What one ring is to do. */
  record Order(int bytes, double computeSeconds, double phaseSeconds) {}

  /** What one ring did: all-reduces that counted, and what one took. */
  record Result(int count, double exchangeSeconds) {}

  /** How to start a process on a node, and how others reach it. */
  public record Nodes(String launch, String host) {
    public static final Nodes HERE = new Nodes("", "127.0.0.1");

    private List<String> prefix(int node) {
      return launch.isBlank() ? List.of() : List.of(at(launch, node).strip().split("\\s+"));
    }

    private static String at(String text, int node) {
      return text.replace("{node}", String.valueOf(node));
    }
  }

  private record Probe(Process process, BufferedReader out, BufferedWriter in) {}

  private final List<List<Probe>> rings = new ArrayList<>();
  private double cpuSeconds;

  private ProbeRings() {}

  /** Starts all processes and waits until every ring is closed. */
  public static ProbeRings start(int count, int workers, Nodes nodes) {
    ProbeRings probes = new ProbeRings();
    try {
      for (int ring = 0; ring < count; ring++) {
        List<Probe> members = new ArrayList<>();
        probes.rings.add(members);
        int port = freePort();
        for (int rank = 0; rank < workers; rank++) {
          members.add(probe(ring, rank, workers, port, nodes));
        }
      }
      for (List<Probe> members : probes.rings) {
        for (Probe probe : members) {
          expect(probe, "ready");
        }
      }
      return probes;
    } catch (IOException | RuntimeException e) {
      probes.close();
      throw e instanceof IOException io
          ? new BadInput("calibrate: cannot start a process: " + io.getMessage())
          : (RuntimeException) e;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Probe probe(int ring, int rank, int workers, int port, Nodes nodes)
      throws IOException {
    List<String> command = new ArrayList<>(nodes.prefix(rank + 1));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Small and quick to start: there are many, and they share the processors with what they
    // measure.
    command.addAll(
        List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(List.of("-cp", classPath(), RingProbe.class.getName()));
    command.addAll(List.of(String.valueOf(rank), String.valueOf(workers)));
    command.addAll(List.of(Nodes.at(nodes.host(), 1), String.valueOf(port), "calibrate-" + ring));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new Probe(process, process.inputReader(), process.outputWriter());
  }

  private static String classPath() {
    try {
      return Path.of(RingProbe.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The line that begins so. What else a process says before it is why it failed. */
  private static String expect(Probe probe, String word) throws IOException {
    String last = "nothing";
    for (@Nullable String line = probe.out().readLine();
        line != null;
        line = probe.out().readLine()) {
      if (line.startsWith(word)) {
        return line;
      }
      last = line;
    }
    throw new BadInput("calibrate: a process of a ring ended; it said: " + last.strip());
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
    long start = System.currentTimeMillis() + LEAD_MILLIS;
    try {
      for (int ring = 0; ring < orders.size(); ring++) {
        Order order = orders.get(ring);
        String line =
            String.format(
                Locale.ROOT,
                "run %d %.9f %.3f %d %.9f %.6f %.6f %d%n",
                order.bytes(),
                order.computeSeconds(),
                jitter,
                start,
                order.phaseSeconds(),
                warmSeconds,
                spanSeconds,
                31 * seed + ring);
        for (Probe probe : rings.get(ring)) {
          probe.in().write(line);
          probe.in().flush();
        }
      }
      List<Result> results = new ArrayList<>();
      for (int ring = 0; ring < orders.size(); ring++) {
        results.add(result(rings.get(ring)));
      }
      return results;
    } catch (IOException e) {
      throw new UncheckedIOException("calibrate: lost a process of a ring: " + e.getMessage(), e);
    }
  }

  private Result result(List<Probe> members) throws IOException {
    Result first = new Result(0, 0);
    for (int rank = 0; rank < members.size(); rank++) {
      String[] parts = expect(members.get(rank), "done").split(" ", -1);
      cpuSeconds += Double.parseDouble(parts[3]);
      if (rank == 0) {
        first = new Result(Integer.parseInt(parts[1]), Double.parseDouble(parts[2]));
      }
    }
    return first;
  }

  @Override
  public void close() {
    rings.forEach(members -> members.forEach(ProbeRings::end));
    for (List<Probe> members : rings) {
      for (Probe probe : members) {
        try {
          if (!probe.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            probe.process().destroyForcibly();
          }
        } catch (InterruptedException e) {
          probe.process().destroyForcibly();
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static void end(Probe probe) {
    try {
      probe.in().close();
    } catch (IOException e) {
      // It is gone already, or is about to be.
      probe.process().destroyForcibly();
    }
  }
}
