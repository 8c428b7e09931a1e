package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Lists jobs, newest first. Of each state the newest ids are taken from an index, and then the
 * newest of those: however many jobs wait, no more rows are looked at than states times limit.
 */
final class JobList {
  private JobList() {}

  static List<Job> of(Handle handle, JobQuery query) {
    List<Object> values = new ArrayList<>();
    String ids =
        query.user().isEmpty() && query.states().isEmpty()
            ? newest(query, "", values)
            : newestOfStates(query, values);
    Query statement =
        handle.createQuery(
            "SELECT %s FROM job WHERE id IN (%s) ORDER BY id DESC"
                .formatted(Rows.JOB_COLUMNS, ids));
    for (int i = 0; i < values.size(); i++) {
      statement.bind(i, values.get(i));
    }
    return statement.map(Rows::job).list();
  }

  private static String newestOfStates(JobQuery query, List<Object> values) {
    Collection<JobState> states =
        query.states().isEmpty() ? EnumSet.allOf(JobState.class) : query.states();
    List<String> parts = new ArrayList<>();
    for (JobState state : states) {
      String condition = "state = ? AND ";
      if (!query.user().isEmpty()) {
        condition = "owner = ? AND " + condition;
        values.add(query.user());
      }
      values.add(state.text());
      parts.add("SELECT id FROM (" + newest(query, condition, values) + ") AS part");
    }
    values.add(query.limit());
    return "SELECT id FROM (%s) AS parts ORDER BY id DESC LIMIT ?"
        .formatted(String.join(" UNION ALL ", parts));
  }

  private static String newest(JobQuery query, String condition, List<Object> values) {
    values.add(query.below());
    values.add(query.limit());
    return "SELECT id FROM job WHERE " + condition + "id < ? ORDER BY id DESC LIMIT ?";
  }
}
