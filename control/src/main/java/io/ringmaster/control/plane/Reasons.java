package io.ringmaster.control.plane;

import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a policy has to say of its decisions. A mistake in its words must not undo its deeds. */
final class Reasons {
  private static final Logger LOG = LoggerFactory.getLogger(Reasons.class);

  private final String policyName;
  private final Policy policy;
  private final View view;
  private final HostedJobs jobs;
  private boolean hasFailed;

  Reasons(String policyName, Policy policy, View view, HostedJobs jobs) {
    this.policyName = policyName;
    this.policy = policy;
    this.view = view;
    this.jobs = jobs;
  }

  /** Why a job stands as it does since the last decision; null: the policy does not say. */
  @Nullable String of(int job) {
    try {
      String reason = policy.reason(view, job);
      return reason == null || reason.isBlank() ? null : reason;
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      if (!hasFailed) {
        LOG.warn("policy {} failed to give its reason for job {}", policyName, jobs.id(job), e);
        hasFailed = true;
      }
      return null;
    }
  }
}
