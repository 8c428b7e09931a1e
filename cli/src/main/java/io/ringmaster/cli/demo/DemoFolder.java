package io.ringmaster.cli.demo;

import io.ringmaster.cli.live.ServeConfig;
import io.ringmaster.model.Cluster;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.ModelsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The demo's files: what a person would write for {@code ringmaster serve}, and its data. */
record DemoFolder(Path root) {
  private static final int USUAL_PORT = 7070;

  Path trial() {
    return root.resolve("trial");
  }

  /** Writes the files of a server, and reads them as it would. */
  ServeConfig serve(
      Measured measured, Cluster cluster, String policy, Map<String, String> settings) {
    Path file = root.resolve("server.yaml");
    ClusterFile.write(root.resolve("cluster.yaml"), cluster);
    ModelsFile.write(root.resolve("models.csv"), List.of(measured.profile()));
    StringBuilder text = new StringBuilder();
    text.append("cluster: cluster.yaml\nmodels: models.csv\ndata: data\n");
    text.append("listen: 127.0.0.1:").append(port()).append('\n');
    text.append("policy: ").append(policy).append('\n');
    if (!settings.isEmpty()) {
      text.append("set:\n");
      settings.forEach((key, value) -> text.append("  %s: \"%s\"\n".formatted(key, value)));
    }
    AtomicFile.write(file, text.toString());
    return ServeConfig.of(file, new ServeConfig.Given(null, null, null, null));
  }

  /** The usual one, or any if somebody has that. */
  private static int port() {
    try (ServerSocket _ = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
      return USUAL_PORT;
    } catch (IOException e) {
      return 0;
    }
  }

  void delete() {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
