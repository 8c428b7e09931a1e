package io.ringmaster.whatif;

import io.ringmaster.model.Checkpoints;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.whatif.Answer.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How often jobs should save, as far as was tried, beside what formulas say. */
final class CheckpointSentence {
  private CheckpointSentence() {}

  /** Empty if no case says how often jobs save, and how long that takes, while servers fail. */
  static Optional<String> of(History history, List<Result> cases) {
    return cases.stream()
        .filter(result -> saves(result).isPresent() && rate(result) > 0)
        .max(Comparator.comparingDouble(result -> result.goodput().mean()))
        .map(best -> sentence(history, best));
  }

  private static Optional<Change.Checkpoint> saves(Result result) {
    return result.asked().changes().stream()
        .filter(Change.Checkpoint.class::isInstance)
        .map(Change.Checkpoint.class::cast)
        .filter(change -> change.takesSeconds() > 0)
        .findFirst();
  }

  private static double rate(Result result) {
    return result.asked().changes().stream()
        .filter(Change.Fail.class::isInstance)
        .mapToDouble(change -> ((Change.Fail) change).perThousandDays())
        .findFirst()
        .orElse(0);
  }

  private static String sentence(History history, Result best) {
    Change.Checkpoint saves = saves(best).orElseThrow();
    int servers = usualServers(history.jobs(), history.cluster());
    double between = 1 / (Failures.perSecond(rate(best)) * servers);
    double takes = saves.takesSeconds();
    return String.format(
        Locale.ROOT,
        "Of the checkpoints tried, those every %s keep the most: %.1f %% of the GPU time held is"
            + " not lost. For a job on %d %s, and half of the GPU time is of such or smaller ones,"
            + " Young's formula says every %s and Daly's every %s.",
        Spoken.time(saves.everySeconds()),
        100 * best.goodput().mean(),
        servers,
        servers == 1 ? "server" : "servers",
        Spoken.time(Checkpoints.young(takes, between)),
        Spoken.time(Checkpoints.daly(takes, between)));
  }

  /** The fewest servers such that half of the GPU time is of jobs on at most so many. */
  private static int usualServers(Jobs jobs, Cluster cluster) {
    Lengths lengths = Lengths.of(jobs, cluster);
    TreeMap<Integer, Double> time = new TreeMap<>();
    double all = 0;
    for (int job = 0; job < jobs.size(); job++) {
      int servers = Math.ceilDiv(jobs.gpus(job), cluster.maxServerGpus());
      double gpuSeconds = jobs.gpus(job) * lengths.idealSeconds(job);
      time.merge(servers, gpuSeconds, Double::sum);
      all += gpuSeconds;
    }
    double below = 0;
    for (Map.Entry<Integer, Double> each : time.entrySet()) {
      below += each.getValue();
      if (below >= all / 2) {
        return each.getKey();
      }
    }
    return time.lastKey();
  }
}
