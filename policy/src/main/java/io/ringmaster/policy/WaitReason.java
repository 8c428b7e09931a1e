package io.ringmaster.policy;

import java.util.Locale;

/** Why a job holds no GPU at a moment. */
public enum WaitReason {
  /** Fewer GPUs are free than it needs, or too few with the CPUs and memory that it asks for. */
  CAPACITY,
  /** Enough are free, but on servers where the policy's placement rule does not put it. */
  FRAGMENTED,
  /** It would have to be scattered, and the policy may hold jobs until they need not be. */
  PLACEMENT,
  /** It would have fitted; the policy served others first, or held it back. */
  BEHIND;

  /** As pages have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
