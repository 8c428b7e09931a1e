package io.ringmaster.model;

/**
 * What the network of a cluster is like, and so which model tells how rings slow down: one variant
 * for each {@link IterationTime} that a cluster file can name, with what that alone needs.
 */
public sealed interface Network {
  /** What every cluster file may say of rings, whichever model makes use of it. */
  RingTerms terms();

  /** Progress is made in whole iterations a slot of this length; 0: continuously. */
  default double slotSeconds() {
    return terms().slotSeconds();
  }

  /** Its name in a cluster file, and wherever it is told. */
  default String word() {
    return switch (this) {
      case Contention _ -> "contention";
      case Transmit _ -> "transmit";
      case Shifted _ -> "shifted";
      case Priority _ -> "priority";
      case Reserved _ -> "reserved";
      case Share _ -> "share";
      case Measured _ -> "measured";
      case None _ -> "none";
    };
  }

  /** Rings that share a link slow each other down, each by its number. */
  record Contention(RingTerms terms) implements Network {
    /** That of the documented example cluster. */
    public static final Network USUAL = new Contention(RingTerms.USUAL);
  }

  /** The same, but a ring counts only as far as it transmits. */
  record Transmit(RingTerms terms) implements Network {}

  /**
   * Rings that share a link are held so that they transmit one after the other, where that makes
   * them faster.
   *
   * @param slack what a period is longer by than it must be, as a share
   */
  record Shifted(RingTerms terms, double slack) implements Network {
    /** With it, exchanges that are a little late do not disturb the next. */
    public static final double USUAL_SLACK = 0.03;
  }

  /** The ring that computes most for what it sends goes first on a link. */
  record Priority(RingTerms terms) implements Network {}

  /**
   * Every ring has its own part of each link.
   *
   * @param bytesPerSecond what a ring reserves on every link that it crosses, unless its model says
   *     otherwise; 0: as large a part of a link as of the GPUs
   */
  record Reserved(RingTerms terms, double bytesPerSecond) implements Network {}

  /**
   * Every GPU has an even share of its server's link.
   *
   * @param pipelining how stages follow each other
   */
  record Share(RingTerms terms, Pipelining pipelining) implements Network {}

  /**
   * An all-reduce takes as long as was measured.
   *
   * @param cost what was measured
   */
  record Measured(RingTerms terms, AllReduceCost cost) implements Network {}

  /** Nothing costs time. */
  record None(RingTerms terms) implements Network {
    /** An iteration is a second, wherever. */
    public static final Network USUAL = new None(RingTerms.USUAL);
  }

  /** What a ring reserves on every link, whatever its GPUs are; 0: nothing, or by its GPUs. */
  default double fixedBytesPerSecond() {
    return this instanceof Reserved reserved ? reserved.bytesPerSecond() : 0;
  }

  /** Whether a ring reserves a bandwidth that does not follow from its GPUs. */
  default boolean reservesFixed() {
    return fixedBytesPerSecond() > 0;
  }

  /** With the same terms, rings reserve, by default so much on every link that they cross. */
  default Network reserving(double bytesPerSecond) {
    return new Reserved(terms(), bytesPerSecond);
  }

  /** With the same terms, GPUs share their server's link, and stages follow each other so. */
  default Network sharing(Pipelining stages) {
    return new Share(terms(), stages);
  }

  /**
   * What a second transfer on a link adds to the time of a byte, over that time alone: alpha, or
   * eta / b where the cost was measured. 0 if rings do not slow each other down, or share evenly.
   */
  default double penalty() {
    return switch (this) {
      case Contention _, Transmit _ -> terms().alpha();
      case Measured m -> m.cost.contentionSecondsPerByte() / m.cost.secondsPerByte();
      case Shifted _, Priority _, Reserved _, Share _, None _ -> 0;
    };
  }
}
