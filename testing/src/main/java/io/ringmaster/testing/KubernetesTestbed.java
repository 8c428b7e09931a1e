package io.ringmaster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A real Kubernetes of several nodes, in namespaces of this machine, as {@code
 * testbed/kubernetes/cluster} makes it. Gone without a trace at the end.
 */
public final class KubernetesTestbed implements AutoCloseable {
  /** Why tests that need it are skipped. */
  public static final String MISSING =
      "Kubernetes in namespaces needs root, control groups of version 1 and its programs"
          + " (script/test --kubernetes, or testbed/kubernetes/cluster build)";

  private final ClusterScript script;
  private final Thread atExit = new Thread(this::down);

  private KubernetesTestbed(ClusterScript script) {
    this.script = script;
  }

  /** Whether one can be had here. */
  public static boolean canRun() {
    return "root".equals(System.getProperty("user.name"))
        && Files.isDirectory(Path.of("/sys/fs/cgroup/memory"))
        && Files.isExecutable(cache().resolve("bin/kubelet"));
  }

  private static Path cache() {
    String given = System.getenv().getOrDefault("KUBERNETES_CACHE", "");
    String base = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path usual =
        base.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(base);
    return given.isEmpty() ? usual.resolve("ringmaster/kubernetes") : Path.of(given);
  }

  /**
   * Brings one up, with all nodes ready. Takes about half a minute.
   *
   * @param settings as in {@code NODES=2}: what the script reads from its environment
   */
  public static KubernetesTestbed up(Map<String, String> settings) {
    try {
      KubernetesTestbed testbed = new KubernetesTestbed(ClusterScript.of("kubernetes"));
      Runtime.getRuntime().addShutdownHook(testbed.atExit);
      testbed.script.checked(settings, "up");
      return testbed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file by which clients reach it with all rights. */
  public Path kubeconfig() {
    return script.folder().resolve("kubeconfig");
  }

  /** Where its files are; all of it goes with it. */
  public Path folder() {
    return script.folder();
  }

  /** What kubectl printed. Fails if it does. */
  public String kubectl(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "kubectl";
    System.arraycopy(words, 0, command, 1, words.length);
    return script.checked(Map.of(), "run", command);
  }

  /** Makes or changes objects. */
  public void apply(String yaml) {
    try {
      Path file = Files.createTempFile(script.folder(), "apply", ".yaml");
      Files.writeString(file, yaml);
      kubectl("apply", "-f", file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Any other word of the script, as in {@code cluster("power-off", "n2")}. */
  public String cluster(String word, String... arguments) {
    return script.checked(Map.of(), word, arguments);
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    down();
  }

  private void down() {
    if (Files.exists(script.folder().resolve("etc"))) {
      script.checked(Map.of(), "down");
    }
  }
}
