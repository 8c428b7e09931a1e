package io.ringmaster.control.engine;

import io.ringmaster.control.job.JobSpec;

/**
 * A job that somebody gave to the place itself, and not to the plane: a batch job of a Slurm
 * partition, or a pod. The plane decides about it as about any other. What it waits for there, such
 * as other jobs or a date, is the place's business.
 *
 * @param id the place's, unique for ever: no other job has it, now or later. A request that is
 *     changed there is another one, with an id of its own
 * @param user whose it is
 * @param spec what it asks for; its command is for people
 * @param state how it stands there
 * @param why it is not ready or over, in words; else empty
 */
public record Arrival(String id, String user, JobSpec spec, State state, String why) {

  /** How it stands at the place. */
  public enum State {
    /** Must not be launched yet, or any more. */
    WAITS,
    /** May be launched; also one that an attempt of ours runs. */
    READY,
    /** Has ended there, or was cancelled. Told for a while, or not at all. */
    OVER
  }
}
