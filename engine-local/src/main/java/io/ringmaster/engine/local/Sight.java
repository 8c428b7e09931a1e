package io.ringmaster.engine.local;

import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about an attempt by a look at its files and processes.
 *
 * @param claim who has it; null: nobody
 * @param alive whether its supervisor runs
 * @param result how its supervisor says that it ended
 * @param doneShare how much it says is done
 * @param saved whether its job has a checkpoint
 * @param trouble what could not be read, and why; null: all could
 */
record Sight(
    AttemptFolder.@Nullable Claim claim,
    boolean alive,
    Status.@Nullable Exited result,
    double doneShare,
    boolean saved,
    @Nullable String trouble) {

  /**
   * Looks. Whatever an attempt's programs did to its files, this says as much as can be found out.
   *
   * @param known its supervisor; null: not yet
   * @param logs what to keep short
   */
  static Sight of(
      AttemptFolder folder,
      ProgressFile progress,
      @Nullable ProcessId known,
      String boot,
      List<Path> logs,
      long logLimitBytes) {
    Looker looker = new Looker();
    AttemptFolder.Claim claim =
        known != null ? new AttemptFolder.Supervised(known) : looker.get(folder::claim);
    boolean alive =
        claim instanceof AttemptFolder.Supervised owner && owner.supervisor().isAlive(boot);
    // In this order: a supervisor that is gone has written its result before, or never will.
    Status.Exited result = looker.get(folder::result);
    Double done = looker.get(progress::done);
    Boolean saved = looker.get(folder::hasCheckpoint);
    for (Path log : logs) {
      looker.get(() -> LogLimit.cut(log, logLimitBytes));
    }
    return new Sight(
        claim,
        alive,
        result,
        done == null ? Double.NaN : done,
        saved != null && saved,
        looker.trouble);
  }

  /** Remembers the first trouble, and goes on. */
  private static final class Looker {
    @Nullable String trouble;

    <T> @Nullable T get(UserFiles.Action<@Nullable T> action) {
      try {
        return action.run();
      } catch (IOException | RuntimeException | StackOverflowError e) {
        trouble = trouble == null ? e.toString() : trouble;
        return null;
      }
    }
  }
}
