package io.ringmaster.control.plane;

/** Who wants to know how the plane fares. */
public interface PlaneListener {

  /**
   * What a policy decided at once.
   *
   * @param moves to other GPUs, or to another number of them
   */
  record Made(int starts, int stops, int moves) {}

  /** The policy was asked, and decided so much. */
  default void decided(double tookSeconds, Made made) {}

  /** The policy was made new, and shown all jobs again. */
  default void startedOver(StartOver reason) {}

  /** What must hold did not; the plane is dropped, and a new one takes up from the store. */
  default void broken(BrokenInvariant.Invariant invariant) {}

  /** Work of a job has to be done again. */
  default void lost(double seconds, double gpuSeconds) {}

  /** Rows were stored; the history now ends at a serial. */
  default void stored(double tookSeconds, int rows, long lastEntry) {}
}
