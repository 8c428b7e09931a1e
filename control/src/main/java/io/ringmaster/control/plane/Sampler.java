package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Sample;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens, and looks once a minute how full the cluster is. Counts are stored with the
 * changes that they count, so that a crash loses none and counts none twice.
 */
final class Sampler {
  private int starts;
  private double startWaitSeconds;
  private int restarts;
  private double lostGpuSeconds;

  /** The step of the last look. */
  private long lookedSeconds = Long.MIN_VALUE;

  private final Map<String, Double> usedGpuSeconds = new TreeMap<>();

  /** Up to when it is counted what a job held. */
  private final Map<Long, Double> countedSeconds = new HashMap<>();

  private void use(Job job, double nowSeconds) {
    Allocation held = job.held();
    if (held == null) {
      countedSeconds.remove(job.id());
      return;
    }
    Double since = countedSeconds.put(job.id(), nowSeconds);
    if (since != null) {
      usedGpuSeconds.merge(
          job.user(), held.workers() * Math.max(0, nowSeconds - since), Double::sum);
    }
  }

  void changed(Job before, Job after, double nowSeconds) {
    if (!Objects.equals(before.held(), after.held())) {
      use(before, nowSeconds);
      use(after, nowSeconds);
    }

    if (Double.isNaN(before.startedSeconds()) && !Double.isNaN(after.startedSeconds())) {
      starts++;
      startWaitSeconds += Math.max(0, after.startedSeconds() - after.submittedSeconds());
    }
    restarts += Math.max(0, after.restarts() - before.restarts());
    lostGpuSeconds += Math.max(0, after.lost().gpuSeconds() - before.lost().gpuSeconds());
  }

  /** What is to be stored now; null: nothing happened, and it was looked in this step already. */
  @Nullable Sample take(double nowSeconds, Collection<Job> open, List<NodeRow> nodes) {
    long step = (long) Math.floor(nowSeconds / Sample.STEP_SECONDS) * Sample.STEP_SECONDS;
    // Nothing is known of nodes before the engine has told of them.
    boolean looks = step > lookedSeconds && !nodes.isEmpty();
    if (!looks && starts == 0 && restarts == 0 && lostGpuSeconds == 0) {
      return null;
    }
    if (looks) {
      open.forEach(job -> use(job, nowSeconds));
    }
    Look look = looks ? Look.at(open, nodes) : Look.NONE;
    Sample sample =
        new Sample(
            step,
            look.gpus,
            look.heldGpus,
            look.waitingJobs,
            look.waitingGpus,
            look.spreadJobs,
            look.sharingJobs,
            starts,
            startWaitSeconds,
            restarts,
            lostGpuSeconds,
            Map.copyOf(usedGpuSeconds));
    usedGpuSeconds.clear();
    lookedSeconds = looks ? step : lookedSeconds;
    starts = restarts = 0;
    startWaitSeconds = lostGpuSeconds = 0;
    return sample;
  }

  private record Look(
      double gpus,
      double heldGpus,
      double waitingJobs,
      double waitingGpus,
      double spreadJobs,
      double sharingJobs) {
    static final Look NONE =
        new Look(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static Look at(Collection<Job> open, List<NodeRow> nodes) {
      double held = 0;
      double waiting = 0;
      double waitingGpus = 0;
      Map<String, Integer> spreadOnNode = new HashMap<>();
      for (Job job : open) {
        Allocation own = job.held();
        if (own != null) {
          held += own.workers();
          if (isSpread(own)) {
            own.shares().forEach(share -> spreadOnNode.merge(share.node(), 1, Integer::sum));
          }
        } else if (job.state().isWaiting()) {
          waiting++;
          waitingGpus += job.spec().gpus();
        }
      }
      double spread = 0;
      double sharing = 0;
      for (Job job : open) {
        Allocation own = job.held();
        if (own != null && isSpread(own)) {
          spread++;
          boolean shares =
              own.shares().stream()
                  .anyMatch(share -> spreadOnNode.getOrDefault(share.node(), 0) > 1);
          sharing += shares ? 1 : 0;
        }
      }
      double gpus = nodes.stream().map(NodeRow::node).mapToInt(Node::gpus).sum();
      return new Look(gpus, held, waiting, waitingGpus, spread, sharing);
    }

    private static boolean isSpread(Allocation allocation) {
      return allocation.shares().size() > 1;
    }
  }
}
