package io.ringmaster.engine.slurm.partition;

import io.ringmaster.model.settings.Settings;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A Slurm with a partition {@code ring} for tests. */
final class Partition {
  /** Where the slurmrestd of a testbed is. */
  static final String REST = "http://10.77.0.254:6820";

  private static final Map<Path, String> NAMESPACES = new ConcurrentHashMap<>();

  private Partition() {}

  /**
   * Brings one up.
   *
   * @param more as in {@code REST=yes}
   */
  static SlurmTestbed up(int nodes, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("NODES", Integer.toString(nodes));
    environment.put("RATE", "1gbit");
    environment.put(
        "CONF",
        // Slurm gives up a node without power after 15 s then, not 30.
        "PartitionName=ring Nodes=n[1-%d] MaxTime=INFINITE State=UP\nMaxJobCount=20000\nMessageTimeout=5"
            .formatted(nodes));
    return SlurmTestbed.up(environment);
  }

  static Settings settings(SlurmTestbed testbed, Map<String, String> more) {
    Map<String, String> given = new HashMap<>();
    given.put("partition", "ring");
    given.put("wrapper", wrapper(testbed));
    given.put("poll-s", "0.2");
    given.put("settle-s", "3");
    given.put("command-limit-s", "10");
    given.putAll(more);
    return SlurmEngine.KIND.settings(given);
  }

  /**
   * Settings with which its slurmrestd is asked, for a thread that is where it can be reached.
   *
   * @param seconds for which the token is good
   */
  static Map<String, String> rest(SlurmTestbed testbed, int seconds) throws IOException {
    Path token = testbed.folder().resolve("token");
    String said = testbed.run("scontrol", "token", "username=root", "lifespan=" + seconds);
    Files.writeString(token, said);
    return Map.of("rest", REST, "token-file", token.toString());
  }

  /** As the prefix of the testbed, without a shell on the way: tests make thousands of calls. */
  private static String wrapper(SlurmTestbed testbed) {
    String namespace = NAMESPACES.computeIfAbsent(testbed.folder(), Partition::namespace);
    return "nsenter --net=/run/netns/%s env SLURM_CONF=%s"
        .formatted(namespace, testbed.folder().resolve("etc/slurm.conf"));
  }

  private static String namespace(Path folder) {
    try {
      String pid = Files.readString(folder.resolve("run/munged.pid")).strip();
      Process process = new ProcessBuilder("ip", "netns", "identify", pid).start();
      return process.inputReader().readAllAsString().strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has job_submit.lua of the examples hold what people submit to the partition. */
  static void installLua(SlurmTestbed testbed) throws IOException {
    Path etc = testbed.folder().resolve("etc");
    Path lua = Path.of("..", "examples", "slurm", "job_submit.lua");
    Files.copy(lua, etc.resolve("job_submit.lua"));
    Path conf = etc.resolve("slurm.conf");
    Files.writeString(conf, "JobSubmitPlugins=lua\n" + Files.readString(conf));
    // People of the machine may get at their own files there.
    testbed.folder().toFile().setExecutable(true, false);
    testbed.folder().toFile().setReadable(true, false);
    testbed.cluster("kill", "slurmctld");
    testbed.cluster("start", "slurmctld");
    pause(1000);
  }

  /** Cancels all, and waits until nothing runs. */
  static void clear(SlurmTestbed testbed) {
    testbed.run("scancel", "-p", "ring");
    for (int i = 0; i < 300; i++) {
      if (testbed.run("squeue", "-h", "-p", "ring").isBlank()) {
        return;
      }
      pause(100);
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
