package io.ringmaster.policy.adasrsf;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs run on each server, what is left of them, and which of them send over its link. A job
 * that started in the pass under way has no speed yet in the view, and its neighbours have the one
 * they had before: so both are counted apart until the next pass.
 */
final class Occupancy {
  private final Cluster cluster;
  private final IterationTime time;
  private final Map<Integer, Tenant> running = new HashMap<>();
  private final List<List<Share>> shares = new ArrayList<>();
  private final List<Tenant> fresh = new ArrayList<>();

  /** Rings on each server, those that started in this pass included. */
  private final int[] rings;

  /** Rings on each server that the speeds of the view go by. */
  private final int[] ratedRings;

  /** Busy GPUs of each server, and the sum of the ends of the jobs on them; NaN: to be summed. */
  private final int[] busyGpus;

  private final double[] endSums;
  private @Nullable View pass;

  /** A running job. */
  private static final class Tenant {
    final int job;
    final Placement placement;
    final @Nullable ModelProfile ring;
    final double bytes;
    boolean fresh;

    /** A job, what it trains if it is a ring, and the bytes of all its iterations. */
    Tenant(int job, Placement placement, @Nullable ModelProfile ring, double bytes) {
      this.job = job;
      this.placement = placement;
      this.ring = ring;
      this.bytes = bytes;
    }
  }

  /** What a job holds of a server. */
  private record Share(Tenant tenant, int gpus) {}

  Occupancy(Cluster cluster, IterationTime time) {
    this.cluster = cluster;
    this.time = time;
    this.rings = new int[cluster.size()];
    this.ratedRings = new int[cluster.size()];
    this.busyGpus = new int[cluster.size()];
    this.endSums = new double[cluster.size()];
    for (int s = 0; s < cluster.size(); s++) {
      shares.add(new ArrayList<>());
    }
  }

  /** What started in the last pass has its speed now, and so have its neighbours. */
  void openPass(View view) {
    pass = view;
    for (Tenant tenant : fresh) {
      tenant.fresh = false;
      count(ratedRings, tenant, 1);
    }
    fresh.clear();
    view.rerated()
        .forEach(job -> {
          Tenant tenant = running.get(job);
          if (tenant != null) {
            forgetEnds(tenant.placement);
          }
        });
  }

  /** A job starts in this pass. */
  void start(int job, Placement placement, @Nullable ModelProfile profile, double bytes) {
    Tenant tenant = add(job, placement, profile, bytes);
    tenant.fresh = true;
    fresh.add(tenant);
  }

  /** A job was running when the policy took over. */
  void takeOver(View view, int job) {
    Tenant tenant = add(job, view.placement(job), view.profile(job), 0);
    count(ratedRings, tenant, 1);
  }

  private Tenant add(int job, Placement placement, @Nullable ModelProfile profile, double bytes) {
    Tenant tenant = new Tenant(job, placement, isRing(profile, placement) ? profile : null, bytes);
    running.put(job, tenant);
    for (int i = 0; i < placement.size(); i++) {
      shares.get(placement.server(i)).add(new Share(tenant, placement.gpus(i)));
      busyGpus[placement.server(i)] += placement.gpus(i);
    }
    count(rings, tenant, 1);
    forgetEnds(placement);
    return tenant;
  }

  /** A job ended, if it was running. */
  void end(int job) {
    Tenant tenant = running.remove(job);
    if (tenant == null) {
      return;
    }
    Placement placement = tenant.placement;
    for (int i = 0; i < placement.size(); i++) {
      shares.get(placement.server(i)).removeIf(share -> share.tenant == tenant);
      busyGpus[placement.server(i)] -= placement.gpus(i);
    }
    count(rings, tenant, -1);
    count(ratedRings, tenant, -1);
    forgetEnds(placement);
  }

  private void forgetEnds(Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      endSums[placement.server(i)] = Double.NaN;
    }
  }

  /** Whether a job in such a place slows others down, and they it. */
  boolean isRing(@Nullable ModelProfile profile, Placement placement) {
    return profile != null && placement.crossesServers() && time.neighboursMatter();
  }

  private static void count(int[] perServer, Tenant tenant, int by) {
    for (int i = 0; tenant.ring != null && i < tenant.placement.size(); i++) {
      perServer[tenant.placement.server(i)] += by;
    }
  }

  private static int most(int[] perServer, Placement placement) {
    int most = 0;
    for (int i = 0; i < placement.size(); i++) {
      most = Math.max(most, perServer[placement.server(i)]);
    }
    return most;
  }

  /** Rings on the busiest server of a placement. */
  int contenders(Placement placement) {
    return most(rings, placement);
  }

  /** Bytes left of the ring on any server of a placement that has the least; infinite if none. */
  double leastRemainingBytes(View view, Placement placement) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < placement.size(); i++) {
      for (Share share : shares.get(placement.server(i))) {
        if (share.tenant.ring != null) {
          least = Math.min(least, remainingBytes(view, share.tenant, share.tenant.ring));
        }
      }
    }
    return least;
  }

  private double remainingBytes(View view, Tenant tenant, ModelProfile ring) {
    if (tenant.fresh) {
      return tenant.bytes;
    }
    double tau = time.seconds(ring, tenant.placement, most(ratedRings, tenant.placement));
    return view.remainingSeconds(tenant.job) / tau * ring.gradientBytes();
  }

  /** Mean over a server's GPUs of the seconds that are left of the job on each. */
  double meanLoadSeconds(int server) {
    View view = Objects.requireNonNull(pass, "no pass is open");
    if (Double.isNaN(endSums[server])) {
      endSums[server] = endSum(view, server);
    }
    double left = endSums[server] - busyGpus[server] * view.nowSeconds();
    return busyGpus[server] == 0 ? 0 : Math.max(0, left) / cluster.gpus(server);
  }

  private double endSum(View view, int server) {
    double sum = 0;
    for (Share share : shares.get(server)) {
      int job = share.tenant.job;
      double end =
          share.tenant.fresh
              ? view.nowSeconds() + view.estimateSeconds(job)
              : view.expectedEndSeconds(job);
      sum += share.gpus * end;
    }
    return sum;
  }
}
