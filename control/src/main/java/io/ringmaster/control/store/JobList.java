package io.ringmaster.control.store;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/**
 * Lists jobs, newest first. Of each state the newest ids are taken from an index, and then the
 * newest of those: however many jobs wait, no more rows are looked at than states times limit.
 */
final class JobList {
  private JobList() {}

  /** Descriptions may be long. */
  static final int ROWS_AT_ONCE = 20;

  private static final String HOLDING_STATES =
      Arrays.stream(JobState.values())
          .filter(JobState::holdsGpus)
          .map(state -> "'" + state.text() + "'")
          .collect(Collectors.joining(", "));

  static List<Job> of(Handle handle, JobQuery query) {
    return statement(handle, query).map(Rows::job).list();
  }

  /** Rows are read one by one, and no further than needed. */
  static JobPage page(Handle handle, JobQuery query, long mostCharacters) {
    // One more than asked for tells whether there are more.
    JobQuery oneMore = query.withLimit(query.limit() + 1);
    List<Job> jobs = new ArrayList<>();
    try (ResultIterator<@Nullable Job> rows =
        statement(handle, oneMore)
            .setFetchSize(ROWS_AT_ONCE)
            .map(new Fitting(mostCharacters))
            .iterator()) {
      while (rows.hasNext()) {
        @Nullable Job job = jobs.size() == query.limit() ? null : rows.next();
        if (job == null) {
          return new JobPage(jobs, true);
        }
        jobs.add(job);
      }
    }
    return new JobPage(jobs, false);
  }

  /** Jobs as long as they fit, and null from then on. */
  private static final class Fitting implements RowMapper<@Nullable Job> {
    private final long most;
    private long used;

    Fitting(long most) {
      this.most = most;
    }

    @Override
    public @Nullable Job map(ResultSet row, StatementContext context) throws SQLException {
      boolean first = used == 0;
      used += row.getString("spec").length();
      return first || used <= most ? Rows.job(row, context) : null;
    }
  }

  static List<Holder> holders(Handle handle) {
    return handle
        .createQuery(
            "SELECT id, owner, held FROM job WHERE state IN (%s) AND held IS NOT NULL"
                .formatted(HOLDING_STATES))
        .map((row, context) ->
            new Holder(row.getLong(1), row.getString(2), Allocation.of(row.getString(3))))
        .list();
  }

  private static Query statement(Handle handle, JobQuery query) {
    List<Object> values = new ArrayList<>();
    String ids;
    if (!query.ended().equals(JobQuery.Search.ALL)) {
      ids = newest(query, searched(query, values), values);
    } else if (query.user().isEmpty() && query.states().isEmpty()) {
      ids = newest(query, "", values);
    } else {
      ids = newestOfStates(query, values);
    }
    Query statement =
        handle.createQuery(
            "SELECT %s FROM job WHERE id IN (%s) ORDER BY id DESC"
                .formatted(Rows.JOB_COLUMNS, ids));
    for (int i = 0; i < values.size(); i++) {
      statement.bind(i, values.get(i));
    }
    return statement;
  }

  /** Looks at every job that ended in that time. */
  private static String searched(JobQuery query, List<Object> values) {
    StringBuilder condition = new StringBuilder();
    JobQuery.Search search = query.ended();
    if (Double.isFinite(search.fromSeconds())) {
      condition.append("ended_s >= ? AND ");
      values.add(search.fromSeconds());
    }
    if (Double.isFinite(search.toSeconds())) {
      condition.append("ended_s < ? AND ");
      values.add(search.toSeconds());
    }
    if (!search.name().isEmpty()) {
      condition.append("lower(name) LIKE lower(?) ESCAPE '!' AND ");
      values.add("%" + search.name().replaceAll("[!%_]", "!$0") + "%");
    }
    if (!query.user().isEmpty()) {
      condition.append("owner = ? AND ");
      values.add(query.user());
    }
    if (!query.states().isEmpty()) {
      condition.append(
          query.states().stream()
              .map(state -> "'" + state.text() + "'")
              .collect(Collectors.joining(", ", "state IN (", ") AND ")));
    }
    return condition.toString();
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
