package io.ringmaster.control.store;

import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * What a store must know that was put back to an earlier moment. The engine has gone on since: it
 * has run attempts, and jobs, that this store never heard of, and it must not be asked for one of
 * them a second time. So nothing is ever numbered again as it may have been numbered before: jobs,
 * attempts, lines of history and terms go on far above.
 *
 * @param jobs ids up to this one may have been given
 * @param entries serials up to this one may have been given
 * @param attempts numbers up to this one may have been given to an attempt of any job
 * @param isUnseen whether attempts may run that the store does not know. As long as they do, no
 *     attempt is begun: it might be the second of its job at the same time
 */
public record Restoration(long jobs, long entries, int attempts, boolean isUnseen) {
  private static final String JOBS = "restored.jobs";
  private static final String ENTRIES = "restored.entries";
  private static final String ATTEMPTS = "restored.attempts";
  private static final String UNSEEN = "restored.unseen";

  /** More than may have been given between a backup and its restoration. */
  private static final long JOBS_AT_ONCE = 1_000_000;

  private static final int ATTEMPTS_AT_ONCE = 10_000;

  /** Of 8 million that there can be in all: a command's number has 40 bits within its term. */
  private static final long TERMS_AT_ONCE = 10_000;

  /** What the settings of a store say; nothing, for one that was never restored. */
  public static Restoration of(Map<String, String> settings) {
    return new Restoration(
        Long.parseLong(settings.getOrDefault(JOBS, "0")),
        Long.parseLong(settings.getOrDefault(ENTRIES, "0")),
        Integer.parseInt(settings.getOrDefault(ATTEMPTS, "0")),
        Boolean.parseBoolean(settings.getOrDefault(UNSEEN, "false")));
  }

  /** The setting that says that the engine runs nothing any more that the store does not know. */
  public static Map<String, String> seen() {
    return Map.of(UNSEEN, "false");
  }

  /** Writes it into a store that was just put back, and that nobody leads. */
  static Restoration mark(Handle handle) {
    Map<String, String> settings = Store.settings(handle);
    Restoration before = of(settings);
    Restoration after =
        new Restoration(
            leap(Math.max(before.jobs, Store.greatest(handle, "SELECT max(id) FROM job"))),
            leap(Math.max(before.entries, Store.greatest(handle, "SELECT max(serial) FROM entry"))),
            before.attempts + ATTEMPTS_AT_ONCE,
            true);
    put(handle, JOBS, Long.toString(after.jobs));
    put(handle, ENTRIES, Long.toString(after.entries));
    put(handle, ATTEMPTS, Integer.toString(after.attempts));
    put(handle, UNSEEN, "true");
    handle.createUpdate("UPDATE leader SET term = term + ?").bind(0, TERMS_AT_ONCE).execute();
    return after;
  }

  /** Round, so that people see what happened. */
  private static long leap(long last) {
    return (last / JOBS_AT_ONCE + 2) * JOBS_AT_ONCE;
  }

  private static void put(Handle handle, String name, String value) {
    handle
        .createUpdate(
            "INSERT INTO setting (name, value) VALUES (?, ?)"
                + " ON CONFLICT (name) DO UPDATE SET value = excluded.value")
        .bind(0, name)
        .bind(1, value)
        .execute();
  }
}
