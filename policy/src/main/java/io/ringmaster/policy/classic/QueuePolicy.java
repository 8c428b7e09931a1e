package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.OrderedPolicy;
import io.ringmaster.policy.ordered.Starter;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.List;

/**
 * Starts jobs in a fixed order and lets them run to their end: first come first served, shortest
 * job first, longest job first; with the workers that jobs ask for, or with the same number for
 * all. Blocking, the first job that does not fit holds up all behind it; otherwise it is passed
 * over.
 */
public final class QueuePolicy implements Policy {
  public static final Parameter BLOCKING =
      Parameter.flag("blocking", true)
          .saying("the first job that does not fit holds up all behind it");

  /** Of the same name; by default jobs that do not fit are passed over. */
  public static final Parameter SKIPPING =
      Parameter.flag(BLOCKING.name(), false).saying(BLOCKING.help());

  /** How many workers {@code fixed} gives every job. */
  public static final Parameter WORKERS =
      Parameter.whole("workers", 8, 1, 1_000_000)
          .saying("workers of every job, as far as its range allows");

  public static final PolicySpec FIFO =
      ordered("fifo", "First come, first served.", "practice", BLOCKING, 0);

  public static final PolicySpec SJF =
      ordered("sjf", "Shortest job first, without stopping any.", "practice", BLOCKING, 1);

  public static final PolicySpec LONGEST_FIRST =
      ordered(
          "longest-first",
          "Longest job first, without stopping any; what does not fit is passed over.",
          "Graham, SIAM J. Appl. Math. 17(2), 1969: longest processing time first",
          SKIPPING,
          -1);

  public static final PolicySpec FIXED =
      new PolicySpec(
          "fixed",
          "First come, first served, with the same number of workers for all.",
          "baseline of Capes et al., MLSys at NeurIPS 2018",
          List.of(WORKERS, BLOCKING, Placer.PARAMETER),
          Placer::rule,
          (settings, cluster) -> new QueuePolicy(0, Size.fixed(settings), settings, cluster));

  /** What a job's length is multiplied by to give its place in the queue. */
  private final int byLength;

  private final Size size;
  private final boolean blocking;
  private final Placer placer;
  private final SizeQueues queue = SizeQueues.ascending();

  /** How many workers a job is to have. */
  interface Size {
    int of(View view, int job);

    /** The same for all, as far as their ranges and the cluster allow. */
    static Size fixed(Settings settings) {
      int workers = settings.whole(WORKERS.name());
      return (view, job) ->
          Math.max(
              view.minGpus(job),
              Math.min(
                  workers,
                  Math.min(view.maxGpus(job), view.cluster().mostWorkers(view.demand(job)))));
    }
  }

  private QueuePolicy(int byLength, Size size, Settings settings, Cluster cluster) {
    this.byLength = byLength;
    this.size = size;
    this.blocking = settings.flag(BLOCKING.name());
    this.placer = Placer.of(settings, cluster);
  }

  /** Without reservations it is this policy, with them {@link OrderedPolicy}. */
  private static PolicySpec ordered(
      String name, String summary, String source, Parameter blocking, int byLength) {
    return new PolicySpec(
        name,
        summary,
        source,
        List.of(blocking, Placer.PARAMETER, Starter.RESERVE, Starter.THETA, Estimate.PARAMETER),
        QueuePolicy::rule,
        settings -> byLength != 0 || settings.flag(Starter.RESERVE.name()),
        (settings, cluster) ->
            settings.flag(Starter.RESERVE.name())
                ? OrderedPolicy.byLength(byLength, settings, cluster)
                : new QueuePolicy(byLength, View::gpus, settings, cluster));
  }

  private static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    PlacementRule rule = Placer.rule(settings, cluster, anyElastic);
    return new PlacementRule(cluster, rule.room(), settings.flag(Starter.RESERVE.name()));
  }

  @Override
  public void decide(View view, Decisions decisions) {
    placer.see(view);
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        double key = byLength == 0 ? 0 : byLength * view.estimateSeconds(job);
        queue.put(job, size.of(view, job), view.demand(job), key);
      }
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      if (queue.contains(job)) {
        queue.remove(job, size.of(view, job), view.demand(job));
      }
    }
    queue.openPass();
    while (true) {
      int next = queue.first(blocking ? Integer.MAX_VALUE : view.free().total());
      if (next < 0) {
        return;
      }
      int gpus = queue.gpus(next);
      Placement placement = placer.place(view.free(), queue.demand(next), gpus);
      if (placement != null) {
        int job = queue.poll(next);
        decisions.start(job, placer.suited(view, job, placement));
      } else if (blocking) {
        return;
      } else {
        queue.refuse(gpus, queue.demand(next));
      }
    }
  }
}
