package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Token.Role;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What the plane takes in. A reply is completed after what it says is stored; it fails with {@link
 * Refused}, or with a BadInput for what was asked wrongly.
 */
public sealed interface Message {
  /**
   * A submission.
   *
   * @param role as what the user submits
   * @param key a repeated submission of this user with this key gets the first one's job; or empty
   */
  record Submit(String user, Role role, String key, JobSpec spec, CompletableFuture<Job> reply)
      implements Message {}

  /**
   * A job is to end.
   *
   * @param force killed at once, also if it was asked to stop before
   */
  record Cancel(long job, String by, boolean force, CompletableFuture<Job> reply)
      implements Message {}

  /**
   * A job is to go before others, or after them.
   *
   * @param role as what somebody asks
   */
  record Prioritize(long job, int priority, String by, Role role, CompletableFuture<Job> reply)
      implements Message {}

  /** Takes a node out of service for new jobs, or back in. */
  record Drain(
      String node, boolean drained, String reason, String by, CompletableFuture<NodeRow> reply)
      implements Message {}

  record SetPolicy(
      String name,
      Map<String, String> settings,
      String by,
      CompletableFuture<Map<String, String>> reply)
      implements Message {}

  record FromEngine(Report report) implements Message {}

  /** The engine has something to tell that it is to be asked for. */
  record Look() implements Message {}
}
