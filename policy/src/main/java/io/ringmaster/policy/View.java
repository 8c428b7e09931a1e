package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a policy may know at a decision point. Jobs are dense ints, in order of submission and then
 * of rows: comparing two ids breaks a tie as the contract says.
 */
public interface View {
  double nowSeconds();

  Cluster cluster();

  /** Free GPUs, with the decisions of this pass already counted. */
  FreeServers free();

  /** Jobs submitted since the last decision, in order. */
  IntList arrived();

  /** Jobs that finished or were cancelled since the last decision. */
  IntList ended();

  /**
   * Jobs whose {@link #expectedEndSeconds} may differ from the last decision's view: they started,
   * a neighbour came or went, they outlived their estimate, or their losses gave another. Some may
   * have stopped since.
   */
  IntList rerated();

  boolean waiting(int job);

  boolean running(int job);

  /** Where a running job is. */
  Placement placement(int job);

  double submitSeconds(int job);

  /** Workers asked for. */
  int gpus(int job);

  int minGpus(int job);

  int maxGpus(int job);

  /** True if some job of this run may have another number of workers than it asks for. */
  boolean anyElastic();

  /** Whether a job goes on where it was after a stop. */
  boolean resumable(int job);

  /** Whether a job may not be stopped, moved or resized: it runs, and would lose its work. */
  default boolean pinned(int job) {
    return !resumable(job) && running(job);
  }

  /** Index of the job's user, or -1. */
  int user(int job);

  /** What a job trains; null: it does not communicate. */
  @Nullable ModelProfile profile(int job);

  /** What a job takes on this cluster beside GPUs: of CPUs, memory and links. */
  Demand demand(int job);

  /** Whole length of a job at ideal speed with the workers it asks for, as far as is known. */
  double estimateSeconds(int job);

  /** How many times as long it takes, with the kind of GPU that the job is for; 1 on the best. */
  double slowdownOfKind(int job);

  /** How much of that length is done, in seconds at ideal speed. */
  double doneSeconds(int job);

  /** How much of it would be left if the job were stopped now: up to its last checkpoint. */
  double keptSeconds(int job);

  /**
   * What is likely left of that length, in seconds at ideal speed. Where lengths are told and not
   * known, it is the median by how wrong they were told so far; else the plain rest.
   */
  double likelyLeftSeconds(int job);

  /** How often a job was stopped, moved or resized so far. */
  int stops(int job);

  /**
   * What is left: at present speed for a running job, at ideal speed for a waiting one, on the kind
   * of GPU that it is for.
   */
  double remainingSeconds(int job);

  /** When a running job ends if nothing changes, as far as is known. Never in the past. */
  double expectedEndSeconds(int job);

  /** Restart time that a running job was charged when it last started; 0 at its first start. */
  double warmupSeconds(int job);

  /** GPU-seconds that a job has held so far. */
  double attainedGpuSeconds(int job);

  /** Random numbers that depend on the run's seed alone. */
  RandomGenerator random();
}
