package io.ringmaster.control.engine;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A place where jobs run. Methods may block and may fail with an IOException, which says nothing of
 * whether it happened: the plane asks again later. Nothing here may be trusted to be quick. Every
 * engine passes EngineContract.
 *
 * <p>The one promise that all safety rests on: once an attempt was told as ended ({@link
 * Status.Phase#isEnd}), it has no process and never has one again.
 */
public interface Engine extends AutoCloseable {

  /** Says where to tell what happens, as far as this engine notices by itself. Called once. */
  void listen(Consumer<Status> changes);

  /**
   * Says whom to nudge when people gave jobs to the place, or took some back: it is looked at soon.
   * Called once, and of no account where an engine does not notice by itself.
   */
  default void listenForArrivals(Runnable nudge) {}

  /**
   * Arrivals that wait and whose owners are to be told why, now: as many as it can tell of before
   * it is asked again.
   */
  default List<String> unexplained() {
    return List.of();
  }

  /**
   * Tells the owner of an arrival, at the place itself, why it waits.
   *
   * @param startSeconds when it is expected to start, seconds since 1970; NaN: that is not known
   */
  default void explain(String arrival, String why, double startSeconds) throws IOException {}

  /** All that is known, at a moment between the call and its return. */
  Snapshot observe() throws IOException;

  /**
   * Starts an attempt. No effect if the attempt is known, running or ended, or if {@code order} is
   * below that of a {@link #forget} that was carried out.
   */
  void launch(long order, Launch launch) throws IOException;

  /**
   * Asks an attempt's processes to stop (SIGTERM), and kills them after the grace. Returns at once.
   * Of several stops the one that kills first counts: a later one with less grace wins. An attempt
   * that is not known is told as {@link Status.Gone} from now on: it can no longer be launched. No
   * effect on one that has ended.
   */
  void stop(AttemptId attempt, double graceSeconds) throws IOException;

  /** Drops an ended attempt from what {@link #observe} tells. Its logs stay. */
  void forget(long order, AttemptId attempt) throws IOException;

  /**
   * Ends a job that was given to the place itself, for good: it is to be no {@link Arrival} any
   * more. If an attempt of it runs, the plane has asked for its stop as well, and the grace of that
   * counts. No effect on one that is over, or not known.
   */
  default void withdraw(String arrival) throws IOException {}

  /** Which of an attempt's streams. */
  enum Stream {
    STDOUT,
    STDERR,
    /** Lines of JSON that the attempt appended to RINGMASTER_PROGRESS: one for all its workers. */
    PROGRESS
  }

  /**
   * What an attempt's worker printed, from a byte on; ends at what is there now. What is too long
   * may have been cut, with a line that says so. Fails rather than hang, whatever the job did to
   * it.
   *
   * @param rank which worker; of no account for {@link Stream#PROGRESS}
   * @throws java.nio.file.NoSuchFileException if there is nothing of that attempt
   */
  InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte) throws IOException;

  /** What stays of a job after its end, until it is discarded. */
  enum Kept {
    /** What its workers printed, and what it told of its progress. */
    LOGS,
    /** The folders that it ran in, as far as it named none. */
    WORK,
    CHECKPOINTS;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What there is of a job that has ended, in bytes. What is not there is left out. */
  default Map<Kept, Long> kept(long job) throws IOException {
    return Map.of();
  }

  /** Removes something of a job that has ended, for good. */
  default void discard(long job, Set<Kept> what) throws IOException {}

  /** Lets go without stopping any attempt: the next server finds them. */
  @Override
  void close();
}
