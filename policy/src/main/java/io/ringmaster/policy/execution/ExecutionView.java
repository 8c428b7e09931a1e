package io.ringmaster.policy.execution;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a policy sees of an execution. */
final class ExecutionView implements View {
  final Execution execution;
  private final RandomGenerator random;

  ExecutionView(Execution execution, RandomGenerator random) {
    this.execution = execution;
    this.random = random;
  }

  @Override
  public double nowSeconds() {
    return execution.nowSeconds();
  }

  @Override
  public Cluster cluster() {
    return execution.cluster;
  }

  @Override
  public FreeServers free() {
    return execution.ledger.free();
  }

  @Override
  public IntList arrived() {
    return execution.arrived;
  }

  @Override
  public IntList ended() {
    return execution.ended;
  }

  @Override
  public IntList rerated() {
    return execution.rerated;
  }

  @Override
  public boolean waiting(int job) {
    return execution.ledger.waiting(job);
  }

  @Override
  public boolean running(int job) {
    return execution.ledger.running(job);
  }

  @Override
  public Placement placement(int job) {
    return execution.ledger.placement(job);
  }

  @Override
  public double submitSeconds(int job) {
    return execution.jobs.submitSeconds(job);
  }

  @Override
  public int gpus(int job) {
    return execution.jobs.gpus(job);
  }

  @Override
  public int minGpus(int job) {
    return execution.jobs.minGpus(job);
  }

  @Override
  public int maxGpus(int job) {
    return execution.jobs.maxGpus(job);
  }

  @Override
  public boolean anyElastic() {
    return execution.jobs.anyElastic();
  }

  @Override
  public boolean resumable(int job) {
    return execution.jobs.resumable(job);
  }

  @Override
  public int user(int job) {
    return execution.jobs.user(job);
  }

  @Override
  public @Nullable ModelProfile profile(int job) {
    return execution.jobs.profile(job);
  }

  @Override
  public Demand demand(int job) {
    return execution.jobs.demand(job);
  }

  @Override
  public double doneSeconds(int job) {
    return execution.ledger.running(job) ? execution.done(job) : execution.kept(job);
  }

  @Override
  public double keptSeconds(int job) {
    return execution.kept(job);
  }

  @Override
  public double estimateSeconds(int job) {
    return execution.jobs.estimateSeconds(job);
  }

  @Override
  public double slowdownOfKind(int job) {
    return execution.jobs.slowdownOfKind(job);
  }

  @Override
  public double likelyLeftSeconds(int job) {
    return execution.likelyLeftSeconds(job);
  }

  @Override
  public int stops(int job) {
    return execution.stops(job);
  }

  @Override
  public double remainingSeconds(int job) {
    return execution.ledger.running(job)
        ? expectedEndSeconds(job) - execution.nowSeconds()
        : Math.max(0, execution.jobs.estimateSeconds(job) - execution.kept(job))
            * execution.jobs.slowdownOfKind(job);
  }

  @Override
  public double expectedEndSeconds(int job) {
    return execution.endOf(job, execution.jobs.estimateSeconds(job));
  }

  @Override
  public double warmupSeconds(int job) {
    return execution.warmupSeconds(job);
  }

  @Override
  public double attainedGpuSeconds(int job) {
    double held = execution.heldGpuSeconds(job);
    double since = execution.segmentStartSeconds(job);
    return Double.isNaN(since) ? held : held + (execution.nowSeconds() - since) * heldWorkers(job);
  }

  private int heldWorkers(int job) {
    Placement before = execution.ledger.before(job);
    return (before == null ? execution.ledger.placement(job) : before).workers();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }
}
