package io.ringmaster.policy;

/** A policy decided what cannot be: more GPUs than are free, half a gang, a job that has ended. */
public final class BrokenDecision extends IllegalStateException {
  private static final long serialVersionUID = 1;

  public BrokenDecision(String message) {
    super(message);
  }
}
