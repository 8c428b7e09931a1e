package io.ringmaster.control.store;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.json.Json;
import io.ringmaster.model.BadInput;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Rows of the tables to objects and back. NaN is NULL. */
final class Rows {
  /** In the order in which {@link #bindChanging} binds, then what never changes. */
  static final String JOB_COLUMNS =
      "state, attempt, held, target, failures, losses, restarts, submitted_s, eligible_s,"
          + " started_s, attempt_s, ended_s, ran_s, attained_gpu_s, done_share,"
          + " learning_rate_scale, exit_code, reason, id, owner, submit_key, spec";

  static final String INSERT_JOB =
      "INSERT INTO job (" + JOB_COLUMNS + ") VALUES (" + "?, ".repeat(21) + "?)";

  /** Neither the owner nor the key nor the description of a job ever changes. */
  static final String UPDATE_JOB =
      "UPDATE job SET state = ?, attempt = ?, held = ?, target = ?, failures = ?, losses = ?,"
          + " restarts = ?, submitted_s = ?, eligible_s = ?, started_s = ?, attempt_s = ?,"
          + " ended_s = ?, ran_s = ?, attained_gpu_s = ?, done_share = ?,"
          + " learning_rate_scale = ?, exit_code = ?, reason = ? WHERE id = ?";

  static final String ENTRY_COLUMNS =
      "serial, at_s, job, owner, from_state, to_state, attempt, allocation, reason";

  static final String INSERT_ENTRY =
      "INSERT INTO entry (" + ENTRY_COLUMNS + ") VALUES (" + "?, ".repeat(8) + "?)";

  private Rows() {}

  static void bindUpdate(PreparedStatement statement, Job job) throws SQLException {
    bindChanging(statement, job);
    statement.setLong(19, job.id());
  }

  static void bindInsert(PreparedStatement statement, Job job) throws SQLException {
    bindUpdate(statement, job);
    statement.setString(20, job.user());
    statement.setString(21, job.key());
    statement.setString(22, Json.text(JobSpecs.map(job.spec())));
  }

  private static void bindChanging(PreparedStatement statement, Job job) throws SQLException {
    statement.setString(1, job.state().text());
    statement.setInt(2, job.attempt());
    statement.setString(3, text(job.held()));
    statement.setString(4, text(job.target()));
    statement.setInt(5, job.failures());
    statement.setInt(6, job.losses());
    statement.setInt(7, job.restarts());
    bind(statement, 8, job.submittedSeconds());
    bind(statement, 9, job.eligibleSeconds());
    bind(statement, 10, job.startedSeconds());
    bind(statement, 11, job.attemptSeconds());
    bind(statement, 12, job.endedSeconds());
    bind(statement, 13, job.ranSeconds());
    bind(statement, 14, job.attainedGpuSeconds());
    bind(statement, 15, job.doneShare());
    bind(statement, 16, job.learningRateScale());
    if (job.exitCode() == null) {
      statement.setNull(17, Types.INTEGER);
    } else {
      statement.setInt(17, job.exitCode());
    }
    statement.setString(18, storable(job.reason()));
  }

  static void bindInsert(PreparedStatement statement, Entry entry) throws SQLException {
    statement.setLong(1, entry.serial());
    bind(statement, 2, entry.seconds());
    statement.setLong(3, entry.job());
    statement.setString(4, entry.user());
    JobState from = entry.from();
    statement.setString(5, from == null ? null : from.text());
    statement.setString(6, entry.to().text());
    statement.setInt(7, entry.attempt());
    statement.setString(8, entry.allocation());
    statement.setString(9, storable(entry.reason()));
  }

  static Job job(ResultSet row, StatementContext context) throws SQLException {
    long id = row.getLong(19);
    int exitCode = row.getInt(17);
    boolean exited = !row.wasNull();
    return new Job(
        id,
        row.getString(20),
        row.getString(21),
        spec(id, row.getString(22)),
        JobState.of(row.getString(1)),
        row.getInt(2),
        allocation(row.getString(3)),
        allocation(row.getString(4)),
        row.getInt(5),
        row.getInt(6),
        row.getInt(7),
        number(row, 8),
        number(row, 9),
        number(row, 10),
        number(row, 11),
        number(row, 12),
        number(row, 13),
        number(row, 14),
        number(row, 15),
        number(row, 16),
        exited ? exitCode : null,
        row.getString(18));
  }

  static Entry entry(ResultSet row, StatementContext context) throws SQLException {
    String from = row.getString(5);
    return new Entry(
        row.getLong(1),
        number(row, 2),
        row.getLong(3),
        row.getString(4),
        from == null ? null : JobState.of(from),
        JobState.of(row.getString(6)),
        row.getInt(7),
        row.getString(8),
        row.getString(9));
  }

  static NodeRow node(ResultSet row, StatementContext context) throws SQLException {
    return new NodeRow(
        row.getString("name"),
        row.getInt("gpus"),
        row.getBoolean("up"),
        row.getBoolean("drained"),
        row.getString("reason"));
  }

  static Token token(ResultSet row, StatementContext context) throws SQLException {
    return new Token(
        row.getLong(1),
        row.getString(2),
        Token.Role.valueOf(row.getString(3).toUpperCase(Locale.ROOT)),
        row.getString(4),
        number(row, 5),
        number(row, 6));
  }

  static Loaded.Finished finished(ResultSet row, StatementContext context) throws SQLException {
    return new Loaded.Finished(
        row.getString("owner"),
        row.getString("job_group"),
        row.getDouble("sum_s"),
        row.getLong("jobs"));
  }

  static @Nullable Double orNull(double number) {
    return Double.isNaN(number) ? null : number;
  }

  /** PostgreSQL knows no NUL in a text, and reasons may come from an engine. */
  static String storable(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '?');
  }

  private static void bind(PreparedStatement statement, int at, double number) throws SQLException {
    if (Double.isNaN(number)) {
      statement.setNull(at, Types.DOUBLE);
    } else {
      statement.setDouble(at, number);
    }
  }

  private static double number(ResultSet row, int at) throws SQLException {
    double number = row.getDouble(at);
    return row.wasNull() ? Double.NaN : number;
  }

  private static @Nullable String text(@Nullable Allocation allocation) {
    return allocation == null ? null : allocation.text();
  }

  private static @Nullable Allocation allocation(@Nullable String text) {
    return text == null ? null : Allocation.of(text);
  }

  private static JobSpec spec(long job, String text) {
    try {
      return JobSpecs.of(Json.parse(text));
    } catch (BadInput e) {
      throw new BadInput(
          "job %d in the store is not as this program would have stored it: %s"
              .formatted(job, e.getMessage()));
    }
  }
}
