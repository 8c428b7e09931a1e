package io.ringmaster.advise;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Where;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.WaitReason;
import io.ringmaster.policy.registry.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Says why jobs do not start now. */
final class Reasons {
  private final Queue queue;
  private final String policy;
  private final Clock clock;
  private final ScratchServers free;
  private final PlacementRule rule;
  private final List<Future> futures;

  /** By the servers that a job may go to. */
  private final Map<Set<String>, String> nextFree = new HashMap<>();

  Reasons(Queue queue, Variant variant, List<Future> futures, Clock clock) {
    this.queue = queue;
    this.policy = variant.policy();
    this.clock = clock;
    this.futures = futures;
    free = Fragments.free(queue);
    PolicySpec spec = Policies.named(policy);
    rule = spec.placement(spec.settings(variant.settings()), queue.cluster(), false);
  }

  /** When the first running job ends where a job may go, and which that is most often. */
  private String nextFree(Where where) {
    int[] ends =
        IntStream.range(0, queue.running().size())
            .filter(i -> isWhere(queue.running().get(i).placement(), where))
            .toArray();
    if (ends.length == 0) {
      return "";
    }
    double[] times = new double[futures.size()];
    Map<Integer, Integer> first = new HashMap<>();
    for (int f = 0; f < times.length; f++) {
      Future future = futures.get(f);
      int best = ends[0];
      for (int i : ends) {
        best = future.leftSeconds(i) < future.leftSeconds(best) ? i : best;
      }
      times[f] = future.leftSeconds(best);
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

  private boolean isWhere(Placement placement, Where where) {
    for (int i = 0; i < placement.size(); i++) {
      if (where.allows(queue.cluster().server(placement.server(i)))) {
        return true;
      }
    }
    return false;
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
    Where where = job.demand().where();
    return text.append(nextFree.computeIfAbsent(where.kinds(), _ -> nextFree(where))).toString();
  }

  private String needs(Queue.Job job) {
    Where where = job.demand().where();
    int each = where.perServer();
    int servers = each == 0 ? 0 : job.gpus() / each;
    if (servers < 2) {
      return "it needs " + gpus(job.gpus()) + (servers == 1 && each > 1 ? " of one server" : "");
    }
    boolean whole =
        queue.cluster().servers().stream().filter(where::allows).allMatch(s -> s.gpus() <= each);
    return "it needs %d %sservers with %s each"
        .formatted(servers, whole ? "whole " : "", gpus(each));
  }

  private String whatIsFree(Queue.Job job) {
    Demand demand = queue.cluster().demand(job.demand(), null);
    Where where = demand.where();
    String reach = where.kinds().isEmpty() ? "" : " where it may go";
    int least = Math.max(1, where.perServer());
    int all = 0;
    int servers = 0;
    int fit = 0;
    for (int s = free.firstWithRoom(0); s >= 0; s = free.firstWithRoom(s + 1)) {
      if (where.allows(queue.cluster().server(s))) {
        all += free.gpus(s);
        servers++;
        fit += free.workers(s, demand) >= least ? 1 : 0;
      }
    }
    if (all == 0) {
      return "none is free" + reach;
    }
    String are =
        "%d %s free%s, on %d %s"
            .formatted(
                all, all == 1 ? "is" : "are", reach, servers, servers == 1 ? "server" : "servers");
    if (where.perServer() > 0) {
      return fit >= job.gpus() / where.perServer()
          ? are
          : are + ", " + ofWhich(fit, servers, least);
    }
    WaitReason reason = rule.reason(free, demand, job.gpus());
    return all < job.gpus() || reason == WaitReason.BEHIND
        ? are
        : are + ", but not where a job of its shape goes";
  }

  private static String ofWhich(int fit, int servers, int each) {
    String room = " room for " + gpus(each) + " of it";
    if (servers == 1) {
      return fit == 0 ? "which has no" + room : "and it needs more than that one";
    }
    return fit == 0 ? "none of which has" + room : fit + " of them with" + room;
  }

  static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }
}
