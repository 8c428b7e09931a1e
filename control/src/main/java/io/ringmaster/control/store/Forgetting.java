package io.ringmaster.control.store;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.workload.json.Json;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Removes ended jobs with their history, in one transaction that no other write is beside. */
final class Forgetting {
  private static final String ENDS =
      Arrays.stream(JobState.values())
          .filter(JobState::isEnd)
          .map(state -> "'" + state.text() + "'")
          .collect(Collectors.joining(", "));

  private Forgetting() {}

  static List<EndedJob> endedBefore(Handle handle, double seconds, long above, int limit) {
    return handle
        .createQuery(
            "SELECT id, ended_s FROM job WHERE id > ? AND state IN (%s) AND ended_s < ? ORDER BY id LIMIT ?"
                .formatted(ENDS))
        .bind(0, above)
        .bind(1, seconds)
        .bind(2, limit)
        .map((row, context) -> new EndedJob(row.getLong(1), row.getDouble(2)))
        .list();
  }

  /** Returns how many were removed. */
  static int forget(Handle handle, Dialect dialect, List<Long> given) {
    // Keeps the plane from writing until this is done: what it writes may depend on these.
    handle.createQuery(dialect.termForWrite()).mapTo(Long.class).one();
    Set<Long> ids = new HashSet<>(given);
    ids.removeAll(needed(handle));
    // What is numbered next is found from the greatest that there is.
    ids.remove(Store.greatest(handle, "SELECT max(id) FROM job"));
    ids.remove(Store.greatest(handle, "SELECT job FROM entry ORDER BY serial DESC LIMIT 1"));
    if (ids.isEmpty()) {
      return 0;
    }
    String which = dialect.idIsIn() + " AND state IN (" + ENDS + ")";
    String list = dialect.ids(ids);
    handle
        .createUpdate(
            "UPDATE job_count SET jobs = jobs - coalesce((SELECT count(*) FROM job WHERE"
                + " job.owner = job_count.owner AND job.state = job_count.state AND "
                + which
                + "), 0)")
        .bind(0, list)
        .execute();
    handle
        .createUpdate("DELETE FROM entry WHERE job IN (SELECT id FROM job WHERE " + which + ")")
        .bind(0, list)
        .execute();
    return handle.createUpdate("DELETE FROM job WHERE " + which).bind(0, list).execute();
  }

  /** Jobs that others wait for: whether they have succeeded is asked again at each start. */
  private static Set<Long> needed(Handle handle) {
    Set<Long> needed = new HashSet<>();
    handle
        .createQuery("SELECT spec FROM job WHERE state = '%s'".formatted(JobState.SUBMITTED.text()))
        .mapTo(String.class)
        .forEach(spec -> needed.addAll(JobSpecs.of(Json.parse(spec)).after()));
    return needed;
  }
}
