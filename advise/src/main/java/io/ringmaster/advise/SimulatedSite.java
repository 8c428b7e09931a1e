package io.ringmaster.advise;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.FinishedRun;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.simulator.Segments;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.trace.SeenJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run that was simulated, taken for a site's history: what would have been forecast in the middle
 * of it, from what was known then. Its policy is known.
 */
final class SimulatedSite {
  private static final int LONGEST_SUMMARY = 1 << 24;

  private SimulatedSite() {}

  /** Reads the folder that {@code simulate --out} wrote. */
  static Site read(Path folder) {
    Path summary = folder.resolve(RunFiles.SUMMARY);
    if (!Files.exists(summary)) {
      throw new BadInput(
          "%s: is a folder without %s; expected a file, or what simulate --out wrote"
              .formatted(folder, RunFiles.SUMMARY));
    }
    FinishedRun run = FinishedRun.read(folder);
    Map<?, ?> said =
        Json.parse(Inputs.text(summary, LONGEST_SUMMARY)) instanceof Map<?, ?> members
            ? members
            : Map.of();
    boolean knowsTheTruth = KnownLengths.KNOWN.word().equals(said.get("lengths"));
    Map<String, List<Stint>> stints = stints(run);
    List<SeenJob> seen = seen(run, stints);
    stints.values().removeIf(all -> all.size() == 1);
    return new Site(
        seen,
        run.cluster(),
        List.of(),
        Optional.ofNullable(said.get("policy")).map(Object::toString),
        stints,
        knowsTheTruth ? Expectations.TRUE : Expectations.of(seen, run.cluster()));
  }

  private static Map<String, List<Stint>> stints(FinishedRun run) {
    Segments segments = run.segments();
    Cluster cluster = run.cluster();
    Map<String, List<Stint>> stints = new HashMap<>();
    for (int row = 0; row < segments.size(); ) {
      int from = row;
      Map<String, Integer> where = new LinkedHashMap<>();
      while (row < segments.size() && segments.sameSegment(from, row)) {
        where.put(cluster.server(segments.server(row)).name(), segments.gpus(row++));
      }
      stints
          .computeIfAbsent(run.workload().id(segments.job(from)), _ -> new ArrayList<>(1))
          .add(new Stint(segments.start(from), segments.end(from), segments.warmup(from), where));
    }
    return stints;
  }

  private static List<SeenJob> seen(FinishedRun run, Map<String, List<Stint>> stints) {
    Jobs jobs = run.workload();
    List<SeenJob> seen = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      double end = run.finishSeconds(job);
      List<Stint> own = stints.getOrDefault(jobs.id(job), List.of());
      seen.add(
          new SeenJob(
              jobs.id(job),
              SeenJob.State.ENDED,
              jobs.submitSeconds(job),
              run.startSeconds(job),
              end,
              own.stream().mapToDouble(each -> each.doneSeconds(end)).sum(),
              jobs.gpus(job),
              Double.POSITIVE_INFINITY,
              0,
              "",
              jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
              jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)),
              Demand.NONE,
              own.isEmpty() ? Map.of() : own.getLast().gpusByServer()));
    }
    return seen;
  }
}
