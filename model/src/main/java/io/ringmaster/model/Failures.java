package io.ringmaster.model;

/**
 * How often servers, racks and jobs fail, and how long servers are away then. Times between two
 * failures are exponential.
 *
 * @param serversPerThousandDays failures of a server, for each thousand days that it is up
 * @param repairSeconds how long a server, or a rack, is away, or if that varies in the mean
 * @param racksPerThousandDays failures of a whole rack, for each thousand days
 * @param jobsPerThousandGpuDays failures of a job by itself, for each thousand days that it holds a
 *     GPU
 * @param repairVaries whether times of repairs are exponential; if not, all are equal
 */
public record Failures(
    double serversPerThousandDays,
    double repairSeconds,
    double racksPerThousandDays,
    double jobsPerThousandGpuDays,
    boolean repairVaries) {

  /** What is usual: see docs/model.md for where the rates come from. */
  public static final Failures USUAL = new Failures(4, 6 * 3600, 0.02, 0);

  /** Nothing fails. */
  public static final Failures NONE = new Failures(0, USUAL.repairSeconds, 0, 0);

  /** With repairs that all take as long. */
  public Failures(
      double serversPerThousandDays,
      double repairSeconds,
      double racksPerThousandDays,
      double jobsPerThousandGpuDays) {
    this(
        serversPerThousandDays, repairSeconds, racksPerThousandDays, jobsPerThousandGpuDays, false);
  }

  private static final double SECONDS_PER_THOUSAND_DAYS = 1000 * 86400.0;

  public boolean isNone() {
    return serversPerThousandDays == 0 && racksPerThousandDays == 0 && jobsPerThousandGpuDays == 0;
  }

  /** A rate for each second. */
  public static double perSecond(double perThousandDays) {
    return perThousandDays / SECONDS_PER_THOUSAND_DAYS;
  }

  /** The same with another rate of servers. */
  public Failures ofServers(double perThousandDays) {
    return new Failures(
        perThousandDays, repairSeconds, racksPerThousandDays, jobsPerThousandGpuDays, repairVaries);
  }
}
