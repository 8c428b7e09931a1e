package io.ringmaster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real Slurm of several nodes, in namespaces of this machine, as {@code testbed/slurm/cluster}
 * makes it. Gone without a trace at the end.
 */
public final class SlurmTestbed implements AutoCloseable {
  /** Why tests that need it are skipped. */
  public static final String MISSING =
      "Slurm in namespaces needs root and Debian's packages (testbed/slurm/cluster install)";

  private final ClusterScript script;
  private final Thread atExit = new Thread(this::down);

  private SlurmTestbed(ClusterScript script) {
    this.script = script;
  }

  /** Whether one can be had here. */
  public static boolean canRun() {
    return "root".equals(System.getProperty("user.name"))
        && Files.isExecutable(Path.of("/usr/sbin/slurmctld"))
        && Files.isExecutable(Path.of("/usr/sbin/slurmd"))
        && ClusterScript.call(
                    List.of("unshare", "--net", "--uts", "--pid", "--fork", "true"), Map.of())
                .code()
            == 0;
  }

  /** Whether one can have slurmdbd, too. */
  public static boolean canAccount() {
    return Files.isExecutable(Path.of("/usr/sbin/slurmdbd"))
        && Files.isExecutable(Path.of("/usr/sbin/mariadbd"));
  }

  /** Whether one can have slurmrestd, too. */
  public static boolean canRest() {
    return Files.isExecutable(Path.of("/usr/sbin/slurmrestd"))
        && Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/slurm-wlm/auth_jwt.so"));
  }

  /**
   * Brings one up, with all nodes idle. Takes a few seconds.
   *
   * @param settings as in {@code NODES=2}: what the script reads from its environment
   */
  public static SlurmTestbed up(Map<String, String> settings) {
    try {
      SlurmTestbed testbed = new SlurmTestbed(ClusterScript.of("slurm"));
      Runtime.getRuntime().addShutdownHook(testbed.atExit);
      testbed.script.checked(settings, "up");
      return testbed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Words that get a command to where Slurm's own commands reach this Slurm. */
  public List<String> prefix() {
    return script.prefix("run");
  }

  /** The same for a command on a node. */
  public List<String> prefix(String node) {
    return script.prefix("on", node);
  }

  /** Where its files are; all of it goes with it. */
  public Path folder() {
    return script.folder();
  }

  /** What a command printed that reached Slurm. Fails if it does. */
  public String run(String... words) {
    return script.checked(Map.of(), "run", words);
  }

  /** The same on a node. */
  public String on(String node, String... words) {
    List<String> command = new ArrayList<>(List.of(node));
    command.addAll(List.of(words));
    return script.checked(Map.of(), "on", command.toArray(String[]::new));
  }

  /**
   * Moves the calling thread to where its nodes can be reached, and with it the threads and
   * processes that it starts from now on, until what is returned is closed.
   */
  public Namespace enter() {
    try {
      return new Namespace(Files.readString(script.folder().resolve("run/munged.pid")).strip());
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
      cluster("down");
    }
  }
}
