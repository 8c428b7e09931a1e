package io.ringmaster.advise;

import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.WaitReason;
import io.ringmaster.policy.registry.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Says why jobs do not start now. */
final class Reasons {
  private final Queue queue;
  private final String policy;
  private final Clock clock;
  private final ScratchServers free;
  private final PlacementRule rule;
  private final String nextFree;

  Reasons(Queue queue, Variant variant, List<Future> futures, Clock clock) {
    this.queue = queue;
    this.policy = variant.policy();
    this.clock = clock;
    free = new ScratchServers(queue.cluster());
    queue
        .running()
        .forEach(
            job -> free.take(job.placement(), queue.cluster().demand(job.job().demand(), null)));
    PolicySpec spec = Policies.named(policy);
    rule = spec.placement(spec.settings(variant.settings()), queue.cluster(), false);
    nextFree = queue.running().isEmpty() ? "" : nextFree(futures);
  }

  /** When the first running job ends, and which that is most often. */
  private String nextFree(List<Future> futures) {
    double[] times = new double[futures.size()];
    Map<Integer, Integer> first = new HashMap<>();
    for (int f = 0; f < times.length; f++) {
      int best = futures.get(f).firstToEnd();
      times[f] = futures.get(f).leftSeconds(best);
      first.merge(best, 1, Integer::sum);
    }
    int likely =
        first.entrySet().stream()
            .max(
                Map.Entry.<Integer, Integer>comparingByValue()
                    .thenComparing(Map.Entry.<Integer, Integer>comparingByKey().reversed()))
            .orElseThrow()
            .getKey();
    Queue.Job job = queue.running().get(likely).job();
    return "; GPUs come free next about %s, most likely when job %s (%s) ends"
        .formatted(clock.text(Spread.of(times).median()), job.id(), gpus(job.gpus()));
  }

  /** Of the waiting job at a place. */
  String why(int at, Advice.Start start) {
    Queue.Job job = queue.waiting().get(at);
    if (start.highSeconds() < 1) {
      return "it can start now: %s, and %d are free".formatted(needs(job), free.total());
    }
    StringBuilder text = new StringBuilder(needs(job));
    text.append("; ").append(whatIsFree(job));
    if (at > 0) {
      int gpus = queue.waiting().subList(0, at).stream().mapToInt(Queue.Job::gpus).sum();
      text.append(
          at == 1
              ? "; ahead of it is 1 job (%s)".formatted(gpus(gpus))
              : "; ahead of it are %d jobs (%s)".formatted(at, gpus(gpus)));
    }
    return text.append(nextFree).toString();
  }

  private static String needs(Queue.Job job) {
    return "it needs " + gpus(job.gpus());
  }

  private String whatIsFree(Queue.Job job) {
    int all = free.total();
    if (all == 0) {
      return "none is free";
    }
    int servers = 0;
    for (int s = free.firstWithRoom(0); s >= 0; s = free.firstWithRoom(s + 1)) {
      servers++;
    }
    String are =
        "%d %s free, on %d %s"
            .formatted(all, all == 1 ? "is" : "are", servers, servers == 1 ? "server" : "servers");
    WaitReason reason = rule.reason(free, queue.cluster().demand(job.demand(), null), job.gpus());
    return all < job.gpus() || reason == WaitReason.BEHIND
        ? are
        : are + ", but not where a job of its shape goes";
  }

  static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }
}
