package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * SJF-BCO written straight from the paper's pseudocode: every theta and kappa is a whole run of the
 * simulator from time 0. Nothing is shared, kept or given up.
 */
final class PlainSjfBco implements Policy {
  private static final int STEPS = 1024;

  private final Cluster cluster;
  private final double theta;
  private final int kappa;
  private final double lambda;
  private final List<Integer> waiting = new ArrayList<>();
  private final Map<Integer, List<Integer>> held = new HashMap<>();
  private final List<Integer> serverOf = new ArrayList<>();
  private final double[] used;
  private final boolean[] busy;

  private PlainSjfBco(Cluster cluster, double theta, int kappa, double lambda) {
    this.cluster = cluster;
    this.theta = theta;
    this.kappa = kappa;
    this.lambda = lambda;
    for (int s = 0; s < cluster.size(); s++) {
      for (int g = 0; g < cluster.gpus(s); g++) {
        serverOf.add(s);
      }
    }
    used = new double[serverOf.size()];
    busy = new boolean[serverOf.size()];
  }

  /** The limit leaves no GPUs for a job though nothing runs. */
  private static final class Infeasible extends RuntimeException {}

  /** What a trial gives. */
  private record Trial(double makespan, double mostUsed) {}

  private static Trial trial(Cluster cluster, Jobs jobs, double theta, double lambda) {
    double best = Double.POSITIVE_INFINITY;
    double mostUsed = 0;
    int largest = 1;
    for (int job = 0; job < jobs.size(); job++) {
      largest = Math.max(largest, jobs.gpus(job));
    }
    for (int kappa = 1; kappa <= largest; kappa++) {
      PlainSjfBco policy = new PlainSjfBco(cluster, theta, kappa, lambda);
      try {
        RunResult run =
            Runs.run(cluster, jobs, policy, new Estimate.Perfect(), 1, RunObserver.NONE);
        double last = 0;
        for (int job = 0; job < jobs.size(); job++) {
          last = Math.max(last, run.finishSeconds(job));
        }
        best = Math.min(best, last);
        for (double each : policy.used) {
          mostUsed = Math.max(mostUsed, each);
        }
      } catch (Infeasible e) {
        // Another kappa may do.
      }
    }
    return new Trial(best, mostUsed);
  }

  /** The makespan of the published search. */
  static double makespan(Cluster cluster, Jobs jobs, double horizon, double lambda) {
    Trial unlimited = trial(cluster, jobs, Double.POSITIVE_INFINITY, lambda);
    double step = (horizon > 0 ? horizon : unlimited.mostUsed()) / STEPS;
    double toBeat = horizon > 0 ? horizon : Double.POSITIVE_INFINITY;
    double least = unlimited.makespan();
    int low = 1;
    int high = STEPS;
    while (low <= high) {
      int middle = (low + high) / 2;
      double found = trial(cluster, jobs, middle * step, lambda).makespan();
      least = Math.min(least, found);
      if (found < toBeat) {
        toBeat = found;
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return least;
  }

  @Override
  public void decide(View view, Decisions decisions) {
    IntList ended = view.ended();
    for (int i = 0; i < ended.size(); i++) {
      held.getOrDefault(ended.get(i), List.of()).forEach(g -> busy[g] = false);
      held.remove(ended.get(i));
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      waiting.add(view.arrived().get(i));
    }
    waiting.sort(Comparator.comparingInt((Integer j) -> view.gpus(j)).thenComparingInt(j -> j));
    while (!waiting.isEmpty()) {
      int job = waiting.getFirst();
      List<Integer> gpus = view.gpus(job) <= kappa ? pack(view, job) : spread(view, job);
      if (gpus.size() < view.gpus(job)) {
        if (held.isEmpty()) {
          throw new Infeasible();
        }
        return;
      }
      waiting.removeFirst();
      held.put(job, gpus);
      TreeMap<Integer, Integer> onServers = new TreeMap<>();
      for (int g : gpus) {
        busy[g] = true;
        used[g] += view.estimateSeconds(job);
        onServers.merge(serverOf.get(g), 1, Integer::sum);
      }
      PlacementBuilder placement = new PlacementBuilder();
      onServers.forEach(placement::add);
      decisions.start(job, placement.build());
    }
  }

  private List<Integer> eligible(View view, int job) {
    List<Integer> gpus = new ArrayList<>();
    for (int g = 0; g < busy.length; g++) {
      if (!busy[g] && used[g] + view.estimateSeconds(job) <= theta) {
        gpus.add(g);
      }
    }
    return gpus;
  }

  private int idleOn(int server) {
    int idle = 0;
    for (int g = 0; g < busy.length; g++) {
      idle += serverOf.get(g) == server && !busy[g] ? 1 : 0;
    }
    return idle;
  }

  private List<Integer> pack(View view, int job) {
    int workers = view.gpus(job);
    Comparator<Integer> order =
        Comparator.<Integer>comparingDouble(g -> used[g])
            .thenComparing(g -> idleOn(serverOf.get(g)) < workers)
            .thenComparing(g -> {
              int idle = idleOn(serverOf.get(g));
              return idle >= workers ? idle : -idle;
            })
            .thenComparing(g -> g);
    return eligible(view, job).stream().sorted(order).limit(workers).toList();
  }

  private List<Integer> spread(View view, int job) {
    List<Integer> servers = new ArrayList<>();
    for (int s = 0; s < cluster.size(); s++) {
      servers.add(s);
    }
    servers.sort(Comparator.<Integer>comparingDouble(this::mean).thenComparing(s -> s));
    List<Integer> chosen = new ArrayList<>();
    int capacity = 0;
    for (int s : servers) {
      if (capacity >= lambda * view.gpus(job)) {
        break;
      }
      chosen.add(s);
      capacity += cluster.gpus(s);
    }
    return eligible(view, job).stream()
        .filter(g -> chosen.contains(serverOf.get(g)))
        .sorted(Comparator.<Integer>comparingDouble(g -> used[g]).thenComparing(g -> g))
        .limit(view.gpus(job))
        .toList();
  }

  private double mean(int server) {
    double sum = 0;
    for (int g = 0; g < used.length; g++) {
      sum += serverOf.get(g) == server ? used[g] : 0;
    }
    return sum / cluster.gpus(server);
  }
}
