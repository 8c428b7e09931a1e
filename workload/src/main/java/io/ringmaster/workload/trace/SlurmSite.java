package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Slurm site as its own commands tell of it at a moment: what is read from files, and beside it
 * what its nodes and partitions are.
 *
 * @param jobs that wait, run and ended
 * @param cluster the nodes with GPUs that take jobs
 * @param nodes all with GPUs
 * @param policy that its scheduler comes closest to; none if it does not say
 * @param notes what whoever reads an answer should know
 */
public record SlurmSite(
    List<SeenJob> jobs,
    Cluster cluster,
    List<SlurmNode> nodes,
    Optional<String> policy,
    List<String> notes) {

  private static final Path SQUEUE = Path.of("squeue");
  private static final Path SACCT = Path.of("sacct");

  /**
   * Reads it.
   *
   * @param nowSeconds when the texts were printed
   * @param given settings of the format, as {@code import} has them
   */
  public static SlurmSite of(
      SlurmTexts texts, double nowSeconds, ZoneId zone, Map<String, String> given) {
    Map<String, String> all = new LinkedHashMap<>(given);
    all.putIfAbsent(Sacct.ZONE, zone.getId());
    Settings settings =
        Settings.of(
            "format " + Sacct.FORMAT.name(),
            Stream.concat(TraceJobs.PARAMETERS.stream(), Sacct.FORMAT.parameters().stream())
                .toList(),
            all);
    List<String> notes = new ArrayList<>();
    List<SlurmNode> nodes =
        SlurmNode.read(texts.nodes()).stream().filter(node -> node.gpus() > 0).toList();
    SlurmServers servers = new SlurmServers(nodes, SlurmPartition.read(texts.partitions()));
    Map<String, String> config = SlurmLines.settings(texts.settings());
    SeenJobs.Collected queue = read(SQUEUE, texts.jobs(), settings, zone, true);
    SlurmQueue placed = new SlurmQueue(servers, config, nowSeconds);
    List<SeenJob> jobs = new ArrayList<>(placed.jobs(queue.jobs()));
    jobs.addAll(history(texts, settings, zone, servers, notes));
    notes.addAll(placed.notes());
    if (queue.withoutGpus() > 0) {
      notes.add(
          "jobs that ask for no GPU are left out, with the CPUs that they take (%d)"
              .formatted(queue.withoutGpus()));
    }
    return new SlurmSite(jobs, placed.cluster(), nodes, policy(config), notes);
  }

  private static List<SeenJob> history(
      SlurmTexts texts, Settings settings, ZoneId zone, SlurmServers servers, List<String> notes) {
    String missing = texts.noHistoryBecause();
    List<SeenJob> ended = List.of();
    if (missing.isEmpty()) {
      try {
        ended =
            read(SACCT, texts.history(), settings, zone, false).jobs().stream()
                .filter(job -> job.state() == SeenJob.State.ENDED)
                .toList();
      } catch (BadInput e) {
        missing = String.valueOf(e.getMessage());
      }
    }
    if (ended.isEmpty()) {
      notes.add(
          ("nothing is known of jobs that ended%s: a job may take any time up to its limit, an hour"
                  + " being usual, so intervals are wide; jobs to come are left out")
              .formatted(missing.isEmpty() ? "" : " (" + missing + ")"));
    }
    return ended.stream().map(servers::ended).toList();
  }

  private static SeenJobs.Collected read(
      Path name, String text, Settings settings, ZoneId zone, boolean queue) {
    SeenJobs.Collected collected = new SeenJobs.Collected((_, _) -> {});
    SlurmJobs jobs = new SlurmJobs(settings, collected);
    try {
      new SacctText(name, new SlurmTime(zone), jobs, collected, queue)
          .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    jobs.finish();
    return collected;
  }

  /** As far as simulated policies go. */
  private static Optional<String> policy(Map<String, String> config) {
    return switch (config.getOrDefault("SchedulerType", "")) {
      case "sched/backfill" -> Optional.of("easy");
      case "sched/builtin" -> Optional.of("fifo");
      default -> Optional.empty();
    };
  }
}
