package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Ada-SRSF in its plain form: every waiting job is looked at, and all is computed anew for it. */
final class PlainAdaSrsf implements Policy {
  private final String gate;
  private final int kappa;
  private final Set<Integer> waiting = new HashSet<>();

  /** In the order in which they started. */
  private final Set<Integer> running = new LinkedHashSet<>();

  private final Set<Integer> fresh = new HashSet<>();

  /** GPUs and model of jobs that the gate held back. */
  private record Kind(int gpus, @Nullable ModelProfile profile) {}

  PlainAdaSrsf(String gate, int kappa) {
    this.gate = gate;
    this.kappa = kappa;
  }

  @Override
  public void decide(View view, Decisions decisions) {
    IntStream.of(view.ended().toArray()).forEach(running::remove);
    IntStream.of(view.arrived().toArray()).forEach(waiting::add);
    fresh.clear();
    Set<Kind> held = new HashSet<>();
    List<Integer> inOrder = new ArrayList<>(waiting);
    inOrder.sort(
        Comparator.comparingDouble((Integer j) -> view.estimateSeconds(j) * view.gpus(j))
            .thenComparingInt(j -> j));
    for (int job : inOrder) {
      Kind kind = new Kind(view.gpus(job), view.profile(job));
      if (view.gpus(job) > view.free().total() || held.contains(kind)) {
        continue;
      }
      Placement placement = place(view, view.gpus(job));
      if (ring(view, job, placement) && !admits(view, job, placement)) {
        held.add(kind);
        continue;
      }
      decisions.start(job, placement);
      waiting.remove(job);
      running.add(job);
      fresh.add(job);
    }
  }

  private Placement place(View view, int gpus) {
    List<Integer> servers =
        new ArrayList<>(IntStream.range(0, view.cluster().size()).boxed().toList());
    servers.removeIf(s -> view.free().gpus(s) == 0);
    if (gpus > kappa) {
      servers.sort(Comparator.comparingDouble(s -> load(view, s)));
    }
    List<Integer> used = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    int left = gpus;
    for (int i = 0; left > 0; i++) {
      int taken = Math.min(left, view.free().gpus(servers.get(i)));
      used.add(servers.get(i));
      counts.add(taken);
      left -= taken;
    }
    return Placement.of(
        used.stream().mapToInt(s -> s).toArray(), counts.stream().mapToInt(c -> c).toArray());
  }

  private double load(View view, int server) {
    double ends = 0;
    int busy = 0;
    for (int job : running) {
      int gpus = gpusOn(view.placement(job), server);
      if (gpus > 0) {
        ends += gpus * end(view, job);
        busy += gpus;
      }
    }
    return Math.max(0, ends - busy * view.nowSeconds()) / view.cluster().gpus(server);
  }

  private double end(View view, int job) {
    return fresh.contains(job)
        ? view.nowSeconds() + view.estimateSeconds(job)
        : view.expectedEndSeconds(job);
  }

  private static int gpusOn(Placement placement, int server) {
    return IntStream.range(0, placement.size())
        .filter(i -> placement.server(i) == server)
        .map(placement::gpus)
        .sum();
  }

  private static boolean ring(View view, int job, Placement placement) {
    return view.profile(job) != null && placement.size() > 1;
  }

  private boolean admits(View view, int job, Placement placement) {
    int most = rings(view, placement, true);
    if (gate.equals("none") || most == 0) {
      return true;
    }
    if (!gate.equals("adadual")) {
      return most < Integer.parseInt(gate);
    }
    double threshold = 1 / (2 * (1 + view.cluster().network().terms().alpha()));
    return most == 1
        && running.stream()
            .filter(other -> ring(view, other, view.placement(other)))
            .filter(other -> meet(view.placement(other), placement))
            .allMatch(other -> bytes(view, job) / remainingBytes(view, other) < threshold);
  }

  private int rings(View view, Placement placement, boolean withFresh) {
    int most = 0;
    for (int i = 0; i < placement.size(); i++) {
      int rings = 0;
      for (int other : running) {
        Placement place = view.placement(other);
        if (ring(view, other, place)
            && gpusOn(place, placement.server(i)) > 0
            && (withFresh || !fresh.contains(other))) {
          rings++;
        }
      }
      most = Math.max(most, rings);
    }
    return most;
  }

  private static boolean meet(Placement a, Placement b) {
    return IntStream.range(0, a.size()).anyMatch(i -> gpusOn(b, a.server(i)) > 0);
  }

  private static double gradient(View view, int job) {
    ModelProfile profile = view.profile(job);
    return profile == null ? 0 : profile.gradientBytes();
  }

  private static double bytes(View view, int job) {
    Cluster cluster = view.cluster();
    double ideal =
        IterationTime.of(cluster)
            .seconds(view.profile(job), cluster.idealPlacement(view.gpus(job)), 1);
    return view.estimateSeconds(job) * (gradient(view, job) / ideal);
  }

  private double remainingBytes(View view, int job) {
    if (fresh.contains(job)) {
      return bytes(view, job);
    }
    Placement placement = view.placement(job);
    double tau =
        IterationTime.of(view.cluster())
            .seconds(view.profile(job), placement, rings(view, placement, false));
    return view.remainingSeconds(job) / tau * gradient(view, job);
  }
}
