package io.ringmaster.control.plane;

/** Who wants to know how the plane fares. */
public interface PlaneListener {
  /** The policy was asked. */
  void decided(double tookSeconds, int decisions);

  /** Rows were stored; the history now ends at a serial. */
  void stored(double tookSeconds, int rows, long lastEntry);

  /** Nobody listens. */
  PlaneListener NOBODY =
      new PlaneListener() {
        @Override
        public void decided(double tookSeconds, int decisions) {}

        @Override
        public void stored(double tookSeconds, int rows, long lastEntry) {}
      };
}
