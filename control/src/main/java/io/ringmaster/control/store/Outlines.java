package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Jobs without their programs, for one who looks at all of them again and again. A description
 * never changes, and may be a megabyte long: each is read once.
 */
public final class Outlines {
  private final Map<Long, JobSpec> specs = new HashMap<>();

  /** All jobs that a query finds whose one column are ids. */
  synchronized List<Job> jobs(Handle handle, Dialect dialect, String queryOfIds) {
    Set<Long> ids = new HashSet<>(handle.createQuery(queryOfIds).mapTo(Long.class).list());
    readUnknown(handle, dialect, ids);
    return handle
        .createQuery(
            "SELECT %s FROM job WHERE id IN (%s)".formatted(Rows.OUTLINE_COLUMNS, queryOfIds))
        .setFetchSize(Store.ROWS_AT_ONCE)
        .map((row, _) -> Rows.outline(row, specs))
        .list();
  }

  private void readUnknown(Handle handle, Dialect dialect, Set<Long> ids) {
    Set<Long> unknown = new HashSet<>(ids);
    unknown.removeAll(specs.keySet());
    if (!unknown.isEmpty()) {
      handle
          .createQuery("SELECT id, spec FROM job WHERE " + dialect.idIsIn())
          .bind(0, dialect.ids(unknown))
          .setFetchSize(JobList.ROWS_AT_ONCE)
          .map((row, _) -> Map.entry(row.getLong(1), row.getString(2)))
          .forEach(row ->
              specs.put(row.getKey(), Rows.spec(row.getKey(), row.getValue()).withoutProgram()));
    }
  }

  /** Forgets all but these. */
  synchronized void keep(List<Job> open, List<Job> finished) {
    Set<Long> kept = new HashSet<>();
    open.forEach(job -> kept.add(job.id()));
    finished.forEach(job -> kept.add(job.id()));
    specs.keySet().retainAll(kept);
  }
}
