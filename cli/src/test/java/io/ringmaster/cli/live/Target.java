package io.ringmaster.cli.live;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The server under attack, and what its enemies know of it.
 *
 * @param mark value of a variable by which the processes of all jobs are known
 * @param logLimitBytes most that the log of an attempt may take
 * @param admin asks as the operator
 * @param honest jobs of honest users so far
 * @param on whether the attack goes on
 */
record Target(
    String url,
    Path data,
    String mark,
    long logLimitBytes,
    Client admin,
    Supplier<List<TrainedJob>> honest,
    AtomicBoolean on) {
  static final String MARK = "ATTACK_RUN";

  boolean isOn() {
    return on.get();
  }

  /** The newest job of an honest user. */
  OptionalLong honestJob() {
    List<TrainedJob> jobs = honest.get();
    return jobs.isEmpty() ? OptionalLong.empty() : OptionalLong.of(jobs.getLast().id());
  }
}
