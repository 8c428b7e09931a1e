package io.ringmaster.control.job;

/** What is to be asked of the engine once a transition is stored. */
public sealed interface Effect {
  AttemptId attempt();

  record Start(AttemptId attempt) implements Effect {}

  record Stop(AttemptId attempt) implements Effect {}

  record Forget(AttemptId attempt) implements Effect {}

  /**
   * It has ended for the plane, and must be over at the place that it was given to.
   *
   * @param attempt the job's last
   */
  record Withdraw(AttemptId attempt, String arrival) implements Effect {}
}
