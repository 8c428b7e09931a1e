package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has Slurm start agents: one step for all nodes of an allocation that need one, not a step for
 * each attempt.
 */
final class AgentStarter {
  private static final Logger LOG = LoggerFactory.getLogger(AgentStarter.class);

  private static final String NURSERY = "nursery.sh";

  private final SlurmCommands slurm;
  private final Places places;
  private final List<String> agent;

  AgentStarter(SlurmCommands slurm, Places places, AllocationSettings settings) {
    this.slurm = slurm;
    this.places = places;
    this.agent = AgentMain.command(places, settings);
  }

  /** Starts agents on some nodes of an allocation, and does not wait for them. */
  void start(SlurmAllocation job, List<NodeShare> nodes) throws IOException {
    try (InputStream script =
        Objects.requireNonNull(AgentStarter.class.getResourceAsStream(NURSERY))) {
      DataFolder.write(
          places.own().resolve(NURSERY), new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
    // A step asks for the same number of GPUs of each of its nodes.
    Map<Integer, List<NodeShare>> byGpus =
        nodes.stream()
            .collect(
                Collectors.groupingBy(
                    node -> node.gpus().size(), TreeMap::new, Collectors.toList()));
    for (Map.Entry<Integer, List<NodeShare>> each : byGpus.entrySet()) {
      start(job, each.getValue(), each.getKey());
    }
  }

  private void start(SlurmAllocation job, List<NodeShare> nodes, int gpus) throws IOException {
    String hosts = nodes.stream().map(NodeShare::host).collect(Collectors.joining(","));
    // In a session of its own: what ends the server does not end the agents.
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(slurm.prefix());
    command.addAll(
        List.of(
            "srun",
            "--jobid=" + job.id(),
            "--nodelist=" + hosts,
            "--nodes=" + nodes.size(),
            "--ntasks=" + nodes.size(),
            "--ntasks-per-node=1",
            "--overlap",
            "--mem=0",
            "--cpu-bind=none",
            "--mpi=none",
            "--kill-on-bad-exit=0",
            "--input=none",
            // No password or token of the server, and no folder that is only on its node.
            "--export=PATH,HOME,USER,LANG",
            "--output=" + places.agentLog("%N"),
            "--open-mode=append",
            "--job-name=ringmaster-agent"));
    if (gpus > 0) {
      command.add("--gres=gpu:" + gpus);
    }
    command.addAll(
        List.of(
            "sh",
            places.own().resolve(NURSERY).toString(),
            places.own().toString(),
            places.data().toString()));
    command.addAll(agent);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(places.own().resolve("srun.log").toFile()))
            .redirectErrorStream(true);
    // The server's own allocation, which may be another, and its shape would count as wishes.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SLURM") && !name.equals("SLURM_CONF"));
    builder.start();
    LOG.info("agents are started on {} of allocation {}", hosts, job.id());
  }
}
