package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.local.LocalEngine;
import io.ringmaster.engine.local.LocalNode;
import io.ringmaster.engine.local.LocalSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The program of an agent, as Slurm starts it on each node of an allocation. Arguments: the data
 * folder, and settings that the server was given.
 */
public final class AgentMain {
  private static final int TAKE_OVER_MILLIS = 10_000;

  /** A pipe to whoever started this program. */
  private static final Path NURSERY = Path.of("/proc/self/fd/3");

  private final Places places;
  private final double leaseSeconds;
  private final int slots;
  private final LocalSettings settings;
  private final long job;
  private final String host;

  private AgentMain(String[] arguments) {
    places = new Places(Path.of(arguments[0]));
    leaseSeconds = Double.parseDouble(arguments[1]);
    slots = Integer.parseInt(arguments[2]);
    // Slurm has control groups of its own: processes that leave them would leave its care.
    settings = LocalSettings.ofFiles(Long.parseLong(arguments[3]), Long.parseLong(arguments[4]));
    job = Long.parseLong(variable("SLURM_JOB_ID"));
    host = variable("SLURMD_NODENAME");
  }

  /** The command that starts one. */
  static List<String> command(Places places, AllocationSettings settings) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-Xss512k",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        "-cp",
        System.getProperty("java.class.path"),
        AgentMain.class.getName(),
        places.data().toString(),
        Double.toString(settings.leaseSeconds()),
        Integer.toString(settings.slots()),
        Long.toString(settings.ofAgents().logLimitBytes()),
        Long.toString(settings.ofAgents().diskReserveBytes()));
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalStateException(name + " is not set: agents are started by Slurm");
    }
    return value;
  }

  public static void main(String[] arguments) throws Exception {
    outliveTerm();
    new AgentMain(arguments).run();
  }

  /**
   * Slurm asks all processes to end at once when it takes a node back; somebody must still see how
   * the others end. It kills this one too, a little later.
   */
  private static void outliveTerm() throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object proxy =
        Proxy.newProxyInstance(
            AgentMain.class.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> null);
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), proxy);
  }

  private void run() throws Exception {
    SlurmAllocation described = SlurmAllocation.parse(Files.readString(places.job(job)));
    NodeShare node = described.node(host);
    if (node == null) {
      throw new IOException("allocation %d has no node %s".formatted(job, host));
    }
    InetAddress address = InetAddress.getByName(node.address());
    List<Integer> gpus = slots > 0 ? IntStream.range(0, slots).boxed().toList() : gpus(node);
    byte[] key = places.key();
    String name = host;
    LocalEngine engine = opened(name, gpus, key);
    if (engine == null) {
      // Another allocation has the rest of this node, and an agent for it.
      name = host + "-" + job;
      engine = opened(name, gpus, key);
    }
    if (engine == null) {
      return;
    }
    try (Agent agent = new Agent(engine, key, places.beat(name), address, leaseSeconds)) {
      AgentRecord record =
          new AgentRecord(
              job,
              host,
              address.getHostAddress(),
              agent.port(),
              Long.toHexString(System.nanoTime()) + "-" + ProcessHandle.current().pid(),
              ProcessHandle.current().pid(),
              gpus);
      DataFolder.write(places.agent(name), record.json());
      System.err.printf(Locale.ROOT, "agent of %s: %s, %d GPUs%n", name, agent.port(), gpus.size());
      new CountDownLatch(1).await();
    }
  }

  /** The GPUs that this step may use, by the numbers that they have here. */
  private static List<Integer> gpus(NodeShare node) {
    String visible = System.getenv("CUDA_VISIBLE_DEVICES");
    if (visible == null || !visible.matches("\\d{1,4}(,\\d{1,4})*")) {
      return node.gpus();
    }
    List<Integer> gpus = new ArrayList<>();
    for (String number : visible.split(",", -1)) {
      gpus.add(Integer.parseInt(number));
    }
    return gpus;
  }

  /**
   * Opens what earlier agents of this node left; null: an agent of another allocation has it. Ends
   * the program if a living agent of this allocation has it, and ends that agent if it hangs.
   */
  private @Nullable LocalEngine opened(String name, List<Integer> gpus, byte[] key)
      throws IOException {
    long end = System.currentTimeMillis() + TAKE_OVER_MILLIS;
    while (true) {
      try {
        return new LocalEngine(
            places.node(name),
            places.data(),
            new LocalNode(name, gpus),
            settings,
            AgentMain::askNursery);
      } catch (IOException e) {
        AgentRecord other = AgentRecord.read(places.agent(name));
        if (other != null && other.job() != job) {
          return null;
        }
        if (System.currentTimeMillis() > end) {
          throw e;
        }
        if (other != null) {
          if (answers(other, key)) {
            System.err.println("an agent of this node is there already");
            System.exit(0);
          }
          kill(other.pid());
        }
        pause();
      }
    }
  }

  /** One line in one write: the shell that reads it is the parent of this program. */
  private static void askNursery(Path root, AttemptId attempt) throws IOException {
    Files.writeString(NURSERY, "%s %s\n".formatted(attempt, root), StandardOpenOption.WRITE);
  }

  private static boolean answers(AgentRecord other, byte[] key) {
    try {
      Channel.connect(new InetSocketAddress(other.address(), other.port()), key).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Numbers of processes are used again: only what is an agent by its command line. */
  private static void kill(long pid) {
    try {
      String command =
          Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
      if (command.contains(AgentMain.class.getName())) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException e) {
      // It is gone.
    }
  }

  private static void pause() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
