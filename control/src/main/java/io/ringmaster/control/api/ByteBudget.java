package io.ringmaster.control.api;

import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of bodies and of long answers are held at once, in all and for each user. Nobody
 * waits: what does not fit is refused.
 */
final class ByteBudget {
  private final long most;
  private final long mostOfUser;
  private final Map<String, Long> taken = new HashMap<>();
  private long all;

  ByteBudget(Limits limits) {
    most = limits.bytes(Limit.BYTES_IN_FLIGHT);
    mostOfUser = limits.bytes(Limit.USER_BYTES_IN_FLIGHT);
  }

  /** What one request holds. */
  Share share(String user) {
    return new Share(user);
  }

  private synchronized void take(String user, long bytes) {
    long ofUser = taken.getOrDefault(user, 0L) + bytes;
    if (ofUser > mostOfUser || all + bytes > most) {
      throw new Problem(
              503,
              ofUser > mostOfUser
                  ? "requests and answers of %s hold %d bytes already; let some end first"
                      .formatted(user, mostOfUser)
                  : "requests and answers of all hold %d bytes already; try again later"
                      .formatted(most))
          .with("Retry-After", "1");
    }
    all += bytes;
    taken.put(user, ofUser);
  }

  private synchronized void giveBack(String user, long bytes) {
    all -= bytes;
    taken.computeIfPresent(user, (_, n) -> n == bytes ? null : n - bytes);
  }

  /** Given back when it is closed. Of one thread. */
  final class Share implements AutoCloseable {
    private final String user;
    private long bytes;

    private Share(String user) {
      this.user = user;
    }

    /**
     * @throws Problem if there are none left
     */
    void take(long more) {
      ByteBudget.this.take(user, more);
      bytes += more;
    }

    @Override
    public void close() {
      if (bytes > 0) {
        giveBack(user, bytes);
        bytes = 0;
      }
    }
  }
}
