package io.ringmaster.policy.adasrsf;

import java.util.function.DoubleSupplier;

/** Whether a transfer may start beside others that use its servers' links. */
public sealed interface Gate permits Gate.AtMost, AdaDual {
  /**
   * Asks for a transfer that is ready.
   *
   * @param contenders transfers under way on the busiest of its servers
   * @param bytes what it has to send
   * @param leastRemainingBytes what is left of the transfer under way on any of its servers that
   *     has the least left; asked only if need be
   */
  boolean admits(int contenders, double bytes, DoubleSupplier leastRemainingBytes);

  /**
   * SRSF(n): never more than so many transfers on a server.
   *
   * @param transfers n
   */
  record AtMost(int transfers) implements Gate {
    /** No gate at all. */
    public static final AtMost ANY = new AtMost(Integer.MAX_VALUE);

    @Override
    public boolean admits(int contenders, double bytes, DoubleSupplier leastRemainingBytes) {
      return contenders < transfers;
    }
  }
}
