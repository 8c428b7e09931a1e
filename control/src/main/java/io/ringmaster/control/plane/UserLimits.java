package io.ringmaster.control.plane;

/**
 * What one user may ask of the plane.
 *
 * @param openJobs most jobs of a user that have not ended
 * @param specBytes most bytes that the descriptions of those may take together
 * @param mostPriority highest priority that a user may give a job
 * @param mostGraceSeconds longest grace that a user may give a job; also the longest that any job
 *     gets when it is stopped for good
 * @param adminMostPriority highest priority that an admin may give a job
 * @param adminMostGraceSeconds longest grace that an admin may give a job, and that any job gets
 */
public record UserLimits(
    int openJobs,
    long specBytes,
    int mostPriority,
    double mostGraceSeconds,
    int adminMostPriority,
    double adminMostGraceSeconds) {

  /** What a site can leave as it is. */
  public static UserLimits usual() {
    return new UserLimits(20_000, 64_000_000, 100, 600, 1000, 86_400);
  }

  int mostPriority(boolean isAdmin) {
    return isAdmin ? adminMostPriority : mostPriority;
  }

  double mostGraceSeconds(boolean isAdmin) {
    return isAdmin ? adminMostGraceSeconds : mostGraceSeconds;
  }
}
