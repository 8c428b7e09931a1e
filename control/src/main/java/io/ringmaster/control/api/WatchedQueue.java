package io.ringmaster.control.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of another scheduler, as a server tells of it that only looks on. A test compares it
 * with openapi.yaml and with the dashboard's types.
 *
 * @param atSeconds when it was looked at, since 1970; null: not yet
 * @param scheduler whose it is
 * @param policy that the scheduler comes closest to
 * @param basis how that is known, and from how much starts were foretold
 * @param cost of the last look
 * @param trouble why the last look failed; null: it did not
 */
public record WatchedQueue(
    @Nullable Double atSeconds,
    String scheduler,
    String policy,
    String basis,
    String cost,
    @Nullable String trouble,
    List<WatchedNode> nodes,
    List<WatchedRun> running,
    List<WatchedJob> jobs,
    List<WatchedPolicy> policies,
    List<WatchedFragment> fragments,
    List<String> notes) {

  /** Before the first look. */
  public static WatchedQueue notYet(String scheduler) {
    return new WatchedQueue(
        null, scheduler, "", "", "", null, List.of(), List.of(), List.of(), List.of(), List.of(),
        List.of());
  }

  /** The same, though a later look failed. */
  public WatchedQueue failing(String why) {
    return new WatchedQueue(
        atSeconds, scheduler, policy, basis, cost, why, nodes, running, jobs, policies, fragments,
        notes);
  }

  /**
   * A node with GPUs.
   *
   * @param isUp whether it answers
   * @param takesJobs whether jobs are started there
   * @param reason why not; may be empty
   */
  public record WatchedNode(
      String name, int gpus, int freeGpus, boolean isUp, boolean takesJobs, String reason) {}

  /**
   * A job that runs.
   *
   * @param allocation as in {@code n1:4,n2:4}
   */
  public record WatchedRun(
      String id, String user, int gpus, double startedSeconds, String allocation) {}

  /**
   * A job that does not run.
   *
   * @param state waiting or held
   * @param start none if it is held
   * @param why it does not start now
   */
  public record WatchedJob(
      String id,
      String user,
      String state,
      int gpus,
      @Nullable WatchedStart start,
      String why,
      List<WatchedHelp> helps) {}

  /**
   * When a job starts, since 1970: low to high 8 of 10 times.
   *
   * @param medianSeconds null: nobody knows
   * @param highSeconds null: then or later
   */
  public record WatchedStart(
      @Nullable Double medianSeconds, double lowSeconds, @Nullable Double highSeconds) {}

  /** What would start a job sooner. */
  public record WatchedHelp(String change, double soonerSeconds) {}

  /** What a policy would do with the whole queue. */
  public record WatchedPolicy(String policy, double meanSeconds, int sooner, int later) {}

  /** Free GPUs that no job which waits can use. */
  public record WatchedFragment(String server, int freeGpus, int gpus, String why) {}
}
