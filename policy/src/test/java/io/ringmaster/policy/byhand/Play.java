package io.ringmaster.policy.byhand;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.execution.Execution;
import io.ringmaster.policy.execution.IdealRuns;
import io.ringmaster.policy.execution.JobTable;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A policy at work on a few jobs of known lengths: for cases that are worked out by hand. */
final class Play {
  private final Jobs jobs;
  private final Table table;
  private final Policy policy;
  private final Execution execution;
  private final double[] startSeconds;
  private final double[] finishSeconds;
  private final int[] restarts;
  private final int[] firstWorkers;
  private final String[] spans;
  private final List<String> segments = new ArrayList<>();
  private final List<Integer> workers = new ArrayList<>();
  private final List<String> learningRates = new ArrayList<>();

  private Play(Cluster cluster, Jobs jobs, Policy policy) {
    this.jobs = jobs;
    this.table = new Table(cluster, jobs);
    this.policy = policy;
    this.execution = new Execution("played", cluster, table, jobs.size(), 1);
    this.startSeconds = new double[jobs.size()];
    this.finishSeconds = new double[jobs.size()];
    this.restarts = new int[jobs.size()];
    this.firstWorkers = new int[jobs.size()];
    this.spans = new String[jobs.size()];
    Arrays.fill(startSeconds, Double.NaN);
    Arrays.setAll(spans, job -> "job " + job + ":");
  }

  /** Plays all jobs to their ends, by a policy with settings written {@code name=value}. */
  static Play of(Cluster cluster, Jobs jobs, String policy, String... settings) {
    Map<String, String> given = new HashMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      given.put(parts[0], parts[1]);
    }
    PolicySpec spec = Policies.named(policy);
    Settings checked = spec.settings(given);
    Play play = new Play(cluster, jobs, spec.create(checked, cluster));
    play.run();
    return play;
  }

  private void run() {
    int arrived = 0;
    int ended = 0;
    while (ended < jobs.size()) {
      double next = Math.min(execution.nextEventSeconds(), execution.wakeSeconds());
      if (arrived < jobs.size()) {
        next = Math.min(next, jobs.submitSeconds(arrived));
      }
      if (next == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException("jobs wait for ever");
      }
      execution.goTo(next);
      for (; execution.isDue(); ended++) {
        end(execution.nextEventJob());
      }
      while (arrived < jobs.size() && jobs.submitSeconds(arrived) <= next) {
        execution.submit(arrived++);
      }
      decide();
    }
  }

  private void end(int job) {
    close(job, execution.ledger().placement(job));
    execution.leave(job);
    execution.correct(job, table.nextLookSeconds(job));
    finishSeconds[job] = execution.nowSeconds();
  }

  private void decide() {
    IntList moved = execution.decide(policy);
    for (int i = 0; i < moved.size(); i++) {
      int job = moved.get(i);
      Placement before = execution.ledger().before(job);
      if (before != null) {
        close(job, before);
      }
      execution.move(job);
      Placement after = execution.ledger().after(job);
      if (after != null) {
        if (Double.isNaN(startSeconds[job])) {
          startSeconds[job] = execution.nowSeconds();
          firstWorkers[job] = after.workers();
        } else {
          restarts[job]++;
        }
        if (execution.ledger().learningRate(job) > 0) {
          learningRates.add(job + " " + execution.ledger().learningRate(job));
        }
      }
    }
    execution.rerate();
  }

  private void close(int job, Placement placement) {
    String span = execution.segmentStartSeconds(job) + "-" + execution.nowSeconds();
    spans[job] += " " + span;
    segments.add("%d %d %s".formatted(job, placement.workers(), span));
    workers.add(placement.workers());
  }

  double startSeconds(int job) {
    return startSeconds[job];
  }

  double startSeconds(String id) {
    return startSeconds[job(id)];
  }

  double finishSeconds(int job) {
    return finishSeconds[job];
  }

  double finishSeconds(String id) {
    return finishSeconds[job(id)];
  }

  int restarts(int job) {
    return restarts[job];
  }

  /** With how many workers each job started. */
  List<Integer> firstWorkers() {
    return Arrays.stream(firstWorkers).boxed().toList();
  }

  /** When the last job ended. */
  double makespanSeconds() {
    return Arrays.stream(finishSeconds).max().orElseThrow();
  }

  /** When each job was at one place, in one text a job. */
  List<String> spans() {
    return List.of(spans);
  }

  /** Places of jobs in the order in which they were left: {@code job workers from-to}. */
  List<String> segments() {
    return segments;
  }

  /** The workers of each of those. */
  List<Integer> workers() {
    return workers;
  }

  /** What jobs were told at their starts: {@code job factor}. */
  List<String> learningRates() {
    return learningRates;
  }

  Map<String, Object> notes() {
    return policy.notes();
  }

  private int job(String id) {
    return IntStream.range(0, jobs.size())
        .filter(job -> jobs.id(job).equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** The jobs, whose lengths everybody knows. */
  private record Table(Cluster cluster, Jobs jobs) implements JobTable {
    @Override
    public String id(int job) {
      return jobs.id(job);
    }

    @Override
    public double submitSeconds(int job) {
      return jobs.submitSeconds(job);
    }

    @Override
    public int gpus(int job) {
      return jobs.gpus(job);
    }

    @Override
    public int minGpus(int job) {
      return jobs.minGpus(job);
    }

    @Override
    public int maxGpus(int job) {
      return jobs.maxGpus(job);
    }

    @Override
    public boolean anyElastic() {
      return jobs.anyElastic();
    }

    @Override
    public boolean resumable(int job) {
      return jobs.resumable(job);
    }

    @Override
    public int user(int job) {
      return jobs.user(job);
    }

    @Override
    public @Nullable ModelProfile profile(int job) {
      return jobs.profile(job);
    }

    @Override
    public Demand demand(int job) {
      return cluster.demand(jobs.demand(job), jobs.profile(job));
    }

    @Override
    public double iterationSeconds(int job) {
      return IdealRuns.iterationSeconds(
          cluster, IterationTime.of(cluster), jobs.profile(job), jobs.gpus(job), demand(job));
    }

    @Override
    public double estimateSeconds(int job) {
      return jobs.workIsDuration(job) ? jobs.work(job) : jobs.work(job) * iterationSeconds(job);
    }

    @Override
    public double nextLookSeconds(int job) {
      return estimateSeconds(job);
    }

    @Override
    public double keptSeconds(int job, double doneSeconds) {
      return jobs.keptSeconds(job, doneSeconds);
    }

    @Override
    public double slowdownOfKind(int job) {
      return 1;
    }
  }
}
