package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.placement.Any;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the queue of a moment, with what was known at it, of all that a file tells. */
final class QueueAt {
  private final Cluster cluster;
  private final double nowSeconds;
  private final Shapes shapes;
  private final ScratchServers free;
  private final Placer placer;
  private final Map<String, Integer> servers = new HashMap<>();
  private final Site site;
  private final List<Queue.Stopped> stopped = new ArrayList<>();
  private final List<Queue.Running> running = new ArrayList<>();
  private final List<SeenJob> waiting = new ArrayList<>();
  private final List<Queue.Held> held = new ArrayList<>();
  private final List<Queue.Ended> ended = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private QueueAt(Site site, Shapes shapes, double nowSeconds) {
    this.site = site;
    this.shapes = shapes;
    this.cluster = shapes.cluster();
    this.nowSeconds = nowSeconds;
    this.free = new ScratchServers(cluster);
    this.placer = Placer.of(Policies.named(InOrder.POLICY).settings(Map.of()), cluster);
    for (int i = 0; i < cluster.size(); i++) {
      servers.put(cluster.server(i).name(), i);
    }
  }

  /** The last moment that jobs tell of. */
  static double latestSeconds(List<SeenJob> jobs) {
    double latest = Double.NEGATIVE_INFINITY;
    for (SeenJob job : jobs) {
      latest = Math.max(latest, job.submitSeconds());
      double end = job.state() == SeenJob.State.ENDED ? job.endSeconds() : Double.NaN;
      double seen = job.startSeconds() + job.lengthSeconds();
      latest = Double.isNaN(end) ? latest : Math.max(latest, end);
      latest = Double.isNaN(seen) ? latest : Math.max(latest, seen);
    }
    return latest;
  }

  /** The queue of a moment; what happened later is not looked at. */
  static Queue of(Site site, double nowSeconds) {
    QueueAt at = new QueueAt(site, new Shapes(site.jobs(), site.cluster(), nowSeconds), nowSeconds);
    List<SeenJob> runs = new ArrayList<>();
    for (SeenJob job : site.jobs()) {
      if (job.submitSeconds() > nowSeconds) {
        continue;
      }
      boolean isOver = job.state() == SeenJob.State.ENDED && job.endSeconds() <= nowSeconds;
      boolean startIsKnown = !Double.isNaN(job.startSeconds());
      if (isOver) {
        at.ended.add(new Queue.Ended(at.job(job), job.startSeconds(), job.lengthSeconds()));
      } else if (startIsKnown && job.startSeconds() <= nowSeconds) {
        if (at.isStopped(job)) {
          at.stopped.add(new Queue.Stopped(at.job(job), at.elapsedSeconds(job)));
        } else {
          runs.add(job);
        }
      } else if (startIsKnown || job.state() == SeenJob.State.WAITING) {
        at.waiting.add(job);
      }
    }
    at.place(runs);
    return new Queue(
        nowSeconds,
        at.cluster,
        List.copyOf(at.running),
        List.copyOf(at.stopped),
        at.inOrder(),
        List.copyOf(at.held),
        List.copyOf(at.ended),
        List.copyOf(at.notes));
  }

  private Optional<Stint> stint(SeenJob job) {
    return site.stints(job).stream()
        .filter(each -> each.startSeconds() <= nowSeconds && each.endSeconds() > nowSeconds)
        .findFirst();
  }

  private boolean isStopped(SeenJob job) {
    return !site.stints(job).isEmpty() && stint(job).isEmpty();
  }

  /** How long it has run by now. */
  private double elapsedSeconds(SeenJob job) {
    return site.stints(job).isEmpty()
        ? nowSeconds - job.startSeconds()
        : site.stints(job).stream().mapToDouble(each -> each.doneSeconds(nowSeconds)).sum();
  }

  private Queue.Job job(SeenJob seen) {
    return new Queue.Job(
        seen.id(),
        new Queue.Kind(seen.user(), seen.group(), seen.gpus()),
        seen.submitSeconds(),
        seen.limitSeconds(),
        site.expectations().seconds(seen),
        site.expectations().spread(seen),
        shapes.demand(seen));
  }

  /** Those whose servers are known first, then the largest: they are the hardest to place. */
  private void place(List<SeenJob> runs) {
    List<SeenJob> unplaced = new ArrayList<>();
    for (SeenJob job : runs) {
      Optional<Placement> told = told(job);
      told.ifPresentOrElse(place -> run(job, place), () -> unplaced.add(job));
    }
    unplaced.sort(Comparator.comparingInt(SeenJob::gpus).reversed());
    int without = 0;
    for (SeenJob job : unplaced) {
      Placement guess = guess(job);
      if (guess == null) {
        without++;
      } else {
        run(job, guess);
      }
    }
    if (without > 0) {
      notes.add(
          ("%d running jobs do not fit on the %d GPUs of the servers; they are left out. Is the"
                  + " cluster larger? Say what it is with --cluster FILE")
              .formatted(without, cluster.totalGpus()));
    }
  }

  private void run(SeenJob job, Placement placement) {
    free.take(placement, cluster.demand(shapes.demand(job), null));
    running.add(new Queue.Running(job(job), elapsedSeconds(job), placement));
  }

  /** Where it is, if the file says so, and it fits there. */
  private Optional<Placement> told(SeenJob job) {
    Map<String, Integer> there = stint(job).map(Stint::gpusByServer).orElse(job.gpusByServer());
    int n = there.size();
    int[] where = new int[n];
    int[] gpus = new int[n];
    int i = 0;
    for (Map.Entry<String, Integer> each : there.entrySet()) {
      Integer server = servers.get(each.getKey());
      if (server == null) {
        return Optional.empty();
      }
      where[i] = server;
      gpus[i++] = each.getValue();
    }
    if (n == 0) {
      return Optional.empty();
    }
    Placement placement = Placement.of(where, gpus);
    return free.holds(placement, cluster.demand(shapes.demand(job), null))
        ? Optional.of(placement)
        : Optional.empty();
  }

  private @Nullable Placement guess(SeenJob job) {
    for (Placer each : List.of(placer, new Any(true))) {
      Placement placement = each.place(free, cluster.demand(shapes.demand(job), null), job.gpus());
      if (placement != null) {
        return placement;
      }
    }
    return null;
  }

  private List<Queue.Job> inOrder() {
    waiting.sort(
        Comparator.comparingDouble((SeenJob job) -> -job.priority())
            .thenComparingDouble(SeenJob::submitSeconds));
    List<Queue.Job> jobs = new ArrayList<>();
    for (SeenJob job : waiting) {
      int most = cluster.mostWorkers(cluster.demand(shapes.demand(job), null));
      if (!job.heldBecause().isEmpty()) {
        held.add(new Queue.Held(job(job), job.heldBecause()));
      } else if (job.gpus() > most) {
        held.add(
            new Queue.Held(job(job), "the whole cluster holds %d of its GPUs".formatted(most)));
      } else {
        jobs.add(job(job));
      }
    }
    return List.copyOf(jobs);
  }
}
