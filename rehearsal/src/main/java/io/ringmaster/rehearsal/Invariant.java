package io.ringmaster.rehearsal;

import java.util.Locale;

/** What must hold in every world, whatever goes wrong. */
enum Invariant {
  GPU_GIVEN_TWICE("no GPU is given to two attempts at once"),
  ROOM_AS_TOLD(
      "no attempt begins where the engine last told that others hold the GPUs, or there are none"),
  TWO_ATTEMPTS_AT_ONCE("no two attempts of a job run at once"),
  ATTEMPT_RAN_TWICE("no attempt runs twice"),
  RAN_AFTER_END("a job that ended does not run"),
  EFFECT_BEFORE_STORE("what is asked of the engine was stored before"),
  FORGOT_TOO_EARLY("an attempt is forgotten only after its end was stored"),
  JOB_LOST("an acknowledged submission is in the store for ever"),
  KEY_USED_TWICE("a user's submissions with one key give one job"),
  ARRIVAL("what people gave to the engine itself becomes one job, and ends there as it does here"),
  WRONGLY_ACCEPTED("a wrong request is refused"),
  WRONGLY_REFUSED("a right request is granted"),
  QUOTA("a user is never given more GPUs than the quota"),
  USER_LIMIT("a user never has more open jobs than are allowed"),
  DEPENDENCY("no job starts before the jobs it comes after succeeded"),
  TIME_LIMIT("a job is stopped when its time is up"),
  CANCEL("a job that was cancelled starts no new attempt, and only those are cancelled"),
  DRAIN("a drained node is given no new job"),
  LEGAL_HISTORY("the history of a job is a chain of legal transitions"),
  HISTORY_AGREES("rows of the store agree with the history"),
  SUCCESS_IS_REAL("a job succeeded only if its work was done and its last attempt ended with 0"),
  FAILURE_IS_REAL("failures and losses are counted once each, and only if they happened"),
  FENCED("a leader whose term is over writes nothing"),
  PLANE_FAILED("the plane meets everything without an exception, and the store always opens"),
  POLICY_FAILED("no policy fails"),
  LIVENESS("in fair weather every job reaches an end");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  /** In words, for people. */
  String sentence() {
    return sentence;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
