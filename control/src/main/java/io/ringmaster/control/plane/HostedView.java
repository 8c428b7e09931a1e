package io.ringmaster.control.plane;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.View;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a policy and its ledger see of the live jobs. Time starts at the host's zero. */
final class HostedView implements View, Ledger.Gangs {
  private static final int FIRST_JOBS = 1024;

  private final Cluster cluster;
  private final Ledger ledger;
  private final List<HostedJob> hosted;
  private final RandomGenerator random;
  private final IntList arrived = new IntList();
  final IntList pending = new IntList();
  final IntList ended = new IntList();
  final IntList rerated = new IntList();
  boolean anyElastic;
  double now;

  HostedView(String policy, Cluster cluster, List<HostedJob> hosted, long seed) {
    this.cluster = cluster;
    this.hosted = hosted;
    this.ledger = new Ledger(policy, cluster, this, FIRST_JOBS);
    this.random = new SplittableRandom(seed);
  }

  Ledger ledger() {
    return ledger;
  }

  @Override
  public String id(int job) {
    return Long.toString(hosted.get(job).id);
  }

  /** Tells of the jobs that came and are still there. */
  void fill() {
    for (int i = 0; i < pending.size(); i++) {
      HostedJob job = hosted.get(pending.get(i));
      if (!job.gone) {
        job.told = true;
        arrived.add(pending.get(i));
      }
    }
    pending.clear();
  }

  void clear() {
    arrived.clear();
    ended.clear();
    rerated.clear();
  }

  @Override
  public double nowSeconds() {
    return now;
  }

  @Override
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public FreeServers free() {
    return ledger.free();
  }

  @Override
  public IntList arrived() {
    return arrived;
  }

  @Override
  public IntList ended() {
    return ended;
  }

  @Override
  public IntList rerated() {
    return rerated;
  }

  @Override
  public boolean waiting(int job) {
    return ledger.waiting(job);
  }

  @Override
  public boolean running(int job) {
    return ledger.running(job);
  }

  @Override
  public Placement placement(int job) {
    return ledger.placement(job);
  }

  @Override
  public double submitSeconds(int job) {
    return hosted.get(job).submitSeconds;
  }

  @Override
  public int gpus(int job) {
    return hosted.get(job).gpus;
  }

  @Override
  public int minGpus(int job) {
    return hosted.get(job).minGpus;
  }

  @Override
  public int maxGpus(int job) {
    return hosted.get(job).maxGpus;
  }

  @Override
  public boolean anyElastic() {
    return anyElastic;
  }

  @Override
  public int user(int job) {
    return hosted.get(job).user;
  }

  @Override
  public @Nullable ModelProfile profile(int job) {
    return hosted.get(job).profile;
  }

  @Override
  public Demand demand(int job) {
    return hosted.get(job).demand;
  }

  @Override
  public double estimateSeconds(int job) {
    return hosted.get(job).estimateSeconds;
  }

  @Override
  public double doneSeconds(int job) {
    HostedJob one = hosted.get(job);
    return Math.min(one.estimateSeconds, one.done + one.speed * Math.max(0, now - one.from));
  }

  @Override
  public double remainingSeconds(int job) {
    return ledger.running(job)
        ? expectedEndSeconds(job) - now
        : Math.max(0, estimateSeconds(job) - doneSeconds(job));
  }

  @Override
  public double expectedEndSeconds(int job) {
    return Math.max(hosted.get(job).endSeconds(), now);
  }

  @Override
  public double warmupSeconds(int job) {
    return hosted.get(job).warmupSeconds;
  }

  @Override
  public double attainedGpuSeconds(int job) {
    HostedJob one = hosted.get(job);
    return Double.isNaN(one.segmentStart)
        ? one.attained
        : one.attained + (now - one.segmentStart) * one.heldWorkers;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }
}
