package io.ringmaster.cli.calibrate;

import io.ringmaster.calibration.Nodes;
import io.ringmaster.calibration.Probes;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the Slurm allocation that we are in. Processes get there by one {@code srun}, which
 * sends what it reads to all of them, and says whose each line is that it prints.
 *
 * @param host where processes are reached instead of where Slurm reaches nodes; null: there
 */
record SlurmNodes(String job, List<Node> nodes, @Nullable String host, SlurmCommands commands)
    implements Nodes {
  private static final long DELAY_MILLIS = 200;
  private static final long PATIENCE_SECONDS = 10;
  private static final double USUAL_BYTES_PER_SECOND = 10e9 / 8;
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;
  private static final double RESTART_SECONDS = 10;
  private static final Pattern GPUS = Pattern.compile("gpu:(?:[^:,(]*:)?(\\d+)");

  /** As Slurm knows it; without GPUs 0. */
  record Node(String name, String address, int gpus) {}

  /** Those of the job whose variables these are; null if there is none, or it has one node only. */
  static @Nullable SlurmNodes here(
      Map<String, String> environment, @Nullable String host, SlurmCommands commands) {
    String job = environment.get("SLURM_JOB_ID");
    String list = environment.get("SLURM_JOB_NODELIST");
    if (job == null || list == null) {
      return null;
    }
    try {
      List<Node> nodes = new ArrayList<>();
      for (String name : commands.run("scontrol", "show", "hostnames", list).lines().toList()) {
        nodes.add(node(name, commands.run("scontrol", "-o", "show", "node", name)));
      }
      return nodes.size() > 1 ? new SlurmNodes(job, nodes, host, commands) : null;
    } catch (IOException e) {
      throw new BadInput(
          "calibrate: SLURM_JOB_ID is %s, but Slurm does not tell its nodes: %s"
              .formatted(job, e.getMessage()));
    }
  }

  private static Node node(String name, String text) {
    int gpus = 0;
    Matcher matcher = GPUS.matcher(value(text, "Gres", ""));
    while (matcher.find()) {
      gpus += Integer.parseInt(matcher.group(1));
    }
    return new Node(name, value(text, "NodeAddr", name), gpus);
  }

  private static String value(String text, String key, String otherwise) {
    Matcher matcher = Pattern.compile("(?:^|\\s)" + key + "=(\\S*)").matcher(text);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  int size() {
    return nodes.size();
  }

  @Override
  public String address(int node) {
    return host == null
        ? nodes.get(node).address
        : host.replace("{node}", String.valueOf(node + 1));
  }

  /**
   * Servers by the names of the nodes, whose links are to be measured.
   *
   * @param gpusOtherwise of nodes of which Slurm knows no GPUs
   */
  Cluster cluster(int gpusOtherwise) {
    List<Server> servers =
        nodes.stream()
            .map(node ->
                new Server(
                    node.name,
                    node.gpus > 0 ? node.gpus : gpusOtherwise,
                    "gpu",
                    "r1",
                    USUAL_BYTES_PER_SECOND,
                    INTRA_BYTES_PER_SECOND))
            .toList();
    return new Cluster("calibrated", servers, Network.Contention.USUAL, RESTART_SECONDS);
  }

  @Override
  public Probes start(List<String> command, int count, int each) throws IOException {
    List<String> words = new ArrayList<>(List.of("srun", "--overlap", "--overcommit"));
    words.addAll(List.of("--mpi=none", "--kill-on-bad-exit=1", "--label", "--unbuffered"));
    words.addAll(List.of("--input=all", "--distribution=cyclic", "--nodes=" + count));
    words.add("--nodelist=" + String.join(",", names().subList(0, count)));
    words.addAll(List.of("--ntasks=" + count * each, "--ntasks-per-node=" + each));
    words.addAll(command);
    return new Step(commands.start(words), count * each);
  }

  private List<String> names() {
    return nodes.stream().map(Node::name).toList();
  }

  /** A step of the job, whose tasks are the processes. */
  private static final class Step implements Probes {
    private static final Pattern LABELLED = Pattern.compile(" *(\\d+): (.*)");

    private final Process srun;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final List<ArrayDeque<String>> heard = new ArrayList<>();

    /** What srun itself said first, as when it cannot start anything. */
    private @Nullable String complaint;

    Step(Process srun, int tasks) {
      this.srun = srun;
      this.out = srun.inputReader();
      this.in = srun.outputWriter();
      for (int task = 0; task < tasks; task++) {
        heard.add(new ArrayDeque<>());
      }
    }

    @Override
    public void tell(String lines) throws IOException {
      in.write(lines);
      in.flush();
    }

    @Override
    public @Nullable String hear(int number) throws IOException {
      ArrayDeque<String> mine = heard.get(number);
      while (mine.isEmpty()) {
        String line = out.readLine();
        if (line == null) {
          String last = complaint;
          complaint = null;
          return last;
        }
        Matcher matcher = LABELLED.matcher(line);
        if (matcher.matches() && Integer.parseInt(matcher.group(1)) < heard.size()) {
          heard.get(Integer.parseInt(matcher.group(1))).add(matcher.group(2));
        } else if (complaint == null) {
          complaint = line;
        }
      }
      return mine.remove();
    }

    @Override
    public long delayMillis() {
      return DELAY_MILLIS;
    }

    @Override
    public void close() {
      try {
        in.close();
        if (!srun.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          srun.destroyForcibly();
        }
      } catch (IOException e) {
        srun.destroyForcibly();
      } catch (InterruptedException e) {
        srun.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
