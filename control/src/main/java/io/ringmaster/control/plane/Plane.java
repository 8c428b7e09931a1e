package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Commands;
import io.ringmaster.control.store.Store;
import java.util.List;

/**
 * The live plane. Has no thread and no clock: whoever drives it calls {@link #step} from one
 * thread, so that it can also be driven on virtual time.
 */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class Plane {
  private final Commands commands;

  /** Takes up where the store says things stand, under a term of leading. */
  public Plane(PlaneConfig config, Store store, long term, Commands commands, double nowSeconds) {
    this.commands = commands;
  }

  /**
   * Takes messages in, stores what follows, replies, sends commands, then asks the policy, stores
   * what it decides, and sends commands again.
   */
  public void step(double nowSeconds, List<Message> messages) {
    throw new UnsupportedOperationException();
  }

  /** When {@link #step} is to be called next, even without a message. */
  public double wakeSeconds() {
    return 0;
  }
}
