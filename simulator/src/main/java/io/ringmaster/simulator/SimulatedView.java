package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a policy sees of a run. */
final class SimulatedView implements View {
  final IntList arrived = new IntList();
  final IntList ended = new IntList();
  final IntList rerated = new IntList();
  private final Simulation run;
  private final RandomGenerator random;

  SimulatedView(Simulation run, RandomGenerator random) {
    this.run = run;
    this.random = random;
  }

  void clear() {
    arrived.clear();
    ended.clear();
    rerated.clear();
  }

  @Override
  public double nowSeconds() {
    return run.now;
  }

  @Override
  public Cluster cluster() {
    return run.cluster;
  }

  @Override
  public FreeServers free() {
    return run.ledger.free();
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
    return run.ledger.waiting(job);
  }

  @Override
  public boolean running(int job) {
    return run.ledger.running(job);
  }

  @Override
  public Placement placement(int job) {
    return run.ledger.placement(job);
  }

  @Override
  public double submitSeconds(int job) {
    return run.jobs.submitSeconds(job);
  }

  @Override
  public int gpus(int job) {
    return run.jobs.gpus(job);
  }

  @Override
  public int minGpus(int job) {
    return run.jobs.minGpus(job);
  }

  @Override
  public int maxGpus(int job) {
    return run.jobs.maxGpus(job);
  }

  @Override
  public boolean anyElastic() {
    return run.jobs.anyElastic();
  }

  @Override
  public int user(int job) {
    return run.jobs.user(job);
  }

  @Override
  public @Nullable ModelProfile profile(int job) {
    return run.jobs.profile(job);
  }

  @Override
  public Demand demand(int job) {
    return run.cluster.demand(run.jobs.demand(job), run.jobs.profile(job));
  }

  @Override
  public double doneSeconds(int job) {
    return run.doneNow(job);
  }

  @Override
  public double estimateSeconds(int job) {
    return run.estimates.seconds(job);
  }

  @Override
  public double remainingSeconds(int job) {
    return run.ledger.running(job)
        ? expectedEndSeconds(job) - run.now
        : Math.max(0, run.estimates.seconds(job) - run.doneNow(job));
  }

  @Override
  public double expectedEndSeconds(int job) {
    return run.endOf(job, run.estimates.seconds(job));
  }

  @Override
  public double warmupSeconds(int job) {
    return run.warmupSeconds(job);
  }

  @Override
  public double attainedGpuSeconds(int job) {
    double held = run.result.heldGpuSeconds[job];
    return Double.isNaN(run.segmentStart[job])
        ? held
        : held + (run.now - run.segmentStart[job]) * heldWorkers(job);
  }

  private int heldWorkers(int job) {
    Placement before = run.ledger.before(job);
    return (before == null ? run.ledger.placement(job) : before).workers();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }
}
