package io.ringmaster.control.store;

/**
 * The database cannot be reached, or cannot do its work now: it is down, its disk is full. Trying
 * again later may help. Whether a write that failed so is stored is not known: the connection may
 * have broken after the commit. So whoever wrote must {@linkplain Store#load load} before going on.
 */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
