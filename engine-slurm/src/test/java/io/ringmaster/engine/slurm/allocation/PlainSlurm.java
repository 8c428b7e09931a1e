package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Programs that answer as Slurm's do, of an allocation whose two nodes are this machine. */
final class PlainSlurm implements AutoCloseable {
  /** The one allocation that there is. */
  static final long JOB = 7;

  private final Path folder;

  PlainSlurm(Path folder) throws IOException {
    this.folder = folder;
    try (InputStream script =
        Objects.requireNonNull(PlainSlurm.class.getResourceAsStream("plain-slurm.sh"))) {
      Files.write(folder.resolve("plain-slurm.sh"), script.readAllBytes());
    }
  }

  SlurmCommands commands() {
    return new SlurmCommands(
        List.of("sh", folder.resolve("plain-slurm.sh").toString(), folder.toString()),
        Duration.ofSeconds(60));
  }

  static List<Node> nodes() {
    return List.of(node("left", 4, 16, 4096), node("right", 2, 8, 2048));
  }

  private static Node node(String name, int gpus, double cpus, double megabytes) {
    return new Node(
        name,
        gpus,
        "a100",
        cpus,
        megabytes * (1 << 20),
        Double.NaN,
        List.of(),
        Map.of(),
        Node.Held.NOTHING,
        true);
  }

  /** What Slurm is to say from now on, as in {@code say("state", "CANCELLED")}. */
  void say(String what, String value) throws IOException {
    Files.writeString(folder.resolve(what), value);
  }

  /** Kills the agents, what starts them again, and all that they run. */
  @Override
  public void close() throws IOException {
    // Twice: a process that was about to start another may have done so.
    send("", ProcessHandle::destroyForcibly);
    send("", ProcessHandle::destroyForcibly);
  }

  /** The node's machine is switched off. */
  void killAllOf(String node) throws IOException {
    send(node, ProcessHandle::destroyForcibly);
    send(node, ProcessHandle::destroyForcibly);
  }

  /** Slurm asks all processes of a node to end. */
  void termAllOf(String node) throws IOException {
    send(node, ProcessHandle::destroy);
  }

  private void send(String node, Consumer<ProcessHandle> signal) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(String.valueOf(process.getFileName()));
        String environment = text(process.resolve("environ"));
        boolean isOurs =
            environment.contains(folder.toString())
                || text(process.resolve("cmdline")).contains(folder.toString());
        boolean isOfNode =
            environment.contains("SLURMD_NODENAME=" + node + "\0")
                || environment.contains("/slurm-allocation/nodes/" + node + "\0");
        if (pid != ProcessHandle.current().pid() && isOurs && (node.isEmpty() || isOfNode)) {
          ProcessHandle.of(pid).ifPresent(signal);
        }
      }
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
