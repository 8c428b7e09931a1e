package io.ringmaster.whatif;

/** What a policy knew of the lengths of jobs. */
public enum KnownLengths {
  KNOWN,
  PREDICTED,
  NONE
}
