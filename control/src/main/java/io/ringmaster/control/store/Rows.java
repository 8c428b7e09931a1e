package io.ringmaster.control.store;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Backoff;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lost;
import io.ringmaster.control.job.Meter;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Rows of the tables to objects and back. NaN is NULL. */
final class Rows {
  static final String JOB_COLUMNS =
      "id, owner, submit_key, state, attempt, held, target, failures, losses, restarts,"
          + " submitted_s, eligible_s, started_s, attempt_s, ended_s, ran_s, attained_gpu_s,"
          + " done_share, learning_rate_scale, exit_code, reason, spec, asked_s, stop_s, began_s,"
          + " start_s, first_s, first_share, last_s, advances, predicted_rate, restart_s,"
          + " backoff_s, backoff_until_s, lost_s, lost_gpu_s, saved, forced, arrival, name,"
          + " priority";

  /** The same places, without the description. */
  static final String OUTLINE_COLUMNS = JOB_COLUMNS.replace(" spec,", " NULL,");

  /**
   * Neither the owner nor the key of a job ever changes, nor where it came from, nor its
   * description: a priority that it was given later stands beside it.
   */
  static final String PUT_JOB =
      "INSERT INTO job (%s) VALUES (%s?) ON CONFLICT (id) DO UPDATE SET %s"
          .formatted(JOB_COLUMNS, "?, ".repeat(40), updates(JOB_COLUMNS, 3));

  static final String ENTRY_COLUMNS =
      "serial, at_s, job, owner, from_state, to_state, attempt, allocation, reason";

  static final String INSERT_ENTRY =
      "INSERT INTO entry (" + ENTRY_COLUMNS + ") VALUES (" + "?, ".repeat(8) + "?)";

  static final String NODE_COLUMNS =
      "name, gpus, up, drained, reason, gpu, cpus, memory_bytes, nic_bytes_per_s, path, labels,"
          + " others_gpus, others_cpus, others_memory_bytes";

  static final String PUT_NODE =
      "INSERT INTO node (%s) VALUES (%s?) ON CONFLICT (name) DO UPDATE SET %s"
          .formatted(NODE_COLUMNS, "?, ".repeat(13), updates(NODE_COLUMNS, 1));

  private Rows() {}

  /** All columns but the first few take the new values. */
  private static String updates(String columns, int kept) {
    return Arrays.stream(columns.split(", "))
        .skip(kept)
        .filter(column -> !column.equals("spec"))
        .map(column -> column + " = excluded." + column)
        .collect(Collectors.joining(", "));
  }

  /**
   * @param isNew whether its description is to be written: one that is stored stays as it is
   */
  static void bind(PreparedStatement statement, Job job, boolean isNew) throws SQLException {
    statement.setLong(1, job.id());
    statement.setString(2, job.user());
    statement.setString(3, job.key());
    statement.setString(4, job.state().text());
    statement.setInt(5, job.attempt());
    statement.setString(6, text(job.held()));
    statement.setString(7, text(job.target()));
    statement.setInt(8, job.failures());
    statement.setInt(9, job.losses());
    statement.setInt(10, job.restarts());
    bind(statement, 11, job.submittedSeconds());
    bind(statement, 12, job.eligibleSeconds());
    bind(statement, 13, job.startedSeconds());
    bind(statement, 14, job.attemptSeconds());
    bind(statement, 15, job.endedSeconds());
    bind(statement, 16, job.ranSeconds());
    bind(statement, 17, job.attainedGpuSeconds());
    bind(statement, 18, job.doneShare());
    bind(statement, 19, job.learningRateScale());
    if (job.exitCode() == null) {
      statement.setNull(20, Types.INTEGER);
    } else {
      statement.setInt(20, job.exitCode());
    }
    statement.setString(21, storable(job.reason()));
    statement.setString(22, isNew ? Json.text(JobDescription.of(job.spec())) : "");
    Meter meter = job.meter();
    bind(statement, 23, meter.askedSeconds());
    bind(statement, 24, meter.stopSeconds());
    bind(statement, 25, meter.beganSeconds());
    bind(statement, 26, meter.startSeconds());
    bind(statement, 27, meter.firstSeconds());
    bind(statement, 28, meter.firstShare());
    bind(statement, 29, meter.lastSeconds());
    statement.setInt(30, meter.advances());
    bind(statement, 31, meter.predictedRate());
    bind(statement, 32, meter.restartSeconds());
    bind(statement, 33, job.backoff().seconds());
    bind(statement, 34, job.backoff().untilSeconds());
    bind(statement, 35, job.lost().seconds());
    bind(statement, 36, job.lost().gpuSeconds());
    statement.setBoolean(37, job.saved());
    statement.setBoolean(38, job.forced());
    statement.setString(39, job.arrival());
    // Also in the description; here it is looked for.
    statement.setString(40, job.spec().name());
    statement.setInt(41, job.spec().priority());
  }

  static void bind(PreparedStatement statement, Entry entry) throws SQLException {
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
    long id = row.getLong(1);
    return job(row, spec(id, row.getString(22)));
  }

  /** A job of which the description is known. */
  static Job outline(ResultSet row, Map<Long, JobSpec> specs) throws SQLException {
    return job(row, Objects.requireNonNull(specs.get(row.getLong(1))));
  }

  static JobSpec spec(long id, String text) {
    try {
      return JobSpecs.of(Json.parse(text));
    } catch (IllegalArgumentException | BadInput e) {
      throw misstored(id, e);
    }
  }

  private static BadInput misstored(long id, RuntimeException e) {
    return new BadInput(
        "job %d in the store is not as this program would have stored it: %s; restore the store from a backup"
            .formatted(id, e.getMessage()));
  }

  private static Job job(ResultSet row, JobSpec spec) throws SQLException {
    long id = row.getLong(1);
    try {
      return job(id, row, spec);
    } catch (IllegalArgumentException | BadInput e) {
      throw misstored(id, e);
    }
  }

  private static Job job(long id, ResultSet row, JobSpec spec) throws SQLException {
    int exitCode = row.getInt(20);
    boolean exited = !row.wasNull();
    int priority = row.getInt(41);
    boolean isPrioritized = !row.wasNull();
    return new Job(
        id,
        row.getString(2),
        row.getString(3),
        row.getString(39),
        isPrioritized ? spec.withPriority(priority) : spec,
        JobState.of(row.getString(4)),
        row.getInt(5),
        allocation(row.getString(6)),
        allocation(row.getString(7)),
        row.getInt(8),
        row.getInt(9),
        row.getInt(10),
        number(row, 11),
        number(row, 12),
        number(row, 13),
        number(row, 14),
        number(row, 15),
        number(row, 16),
        number(row, 17),
        number(row, 18),
        number(row, 19),
        exited ? exitCode : null,
        row.getString(21),
        new Meter(
            number(row, 23),
            number(row, 24),
            number(row, 25),
            number(row, 26),
            number(row, 27),
            number(row, 28),
            number(row, 29),
            row.getInt(30),
            number(row, 31),
            number(row, 32)),
        new Backoff(number(row, 33), number(row, 34)),
        new Lost(number(row, 35), number(row, 36)),
        row.getBoolean(37),
        row.getBoolean(38));
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

  /** What is not counted or not known is NULL. */
  static void bind(PreparedStatement statement, NodeRow row) throws SQLException {
    Node node = row.node();
    statement.setString(1, node.name());
    statement.setInt(2, node.gpus());
    statement.setBoolean(3, node.up());
    statement.setBoolean(4, row.drained());
    statement.setString(5, storable(row.reason()));
    statement.setString(6, storable(node.gpu()));
    bind(statement, 7, finite(node.cpus()));
    bind(statement, 8, finite(node.memoryBytes()));
    bind(statement, 9, node.nicBytesPerSecond());
    statement.setString(10, storable(Json.text(node.path())));
    statement.setString(11, storable(Json.text(new TreeMap<>(node.labels()))));
    statement.setInt(12, node.others().gpus());
    bind(statement, 13, node.others().cpus());
    bind(statement, 14, node.others().memoryBytes());
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  private static double counted(double value) {
    return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
  }

  static NodeRow node(ResultSet row, StatementContext context) throws SQLException {
    List<String> path = new ArrayList<>();
    if (Json.parse(row.getString(10)) instanceof List<?> list) {
      list.forEach(name -> path.add(String.valueOf(name)));
    }
    Map<String, String> labels = new HashMap<>();
    if (Json.parse(row.getString(11)) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    Node node =
        new Node(
            row.getString(1),
            row.getInt(2),
            row.getString(6),
            counted(number(row, 7)),
            counted(number(row, 8)),
            number(row, 9),
            path,
            labels,
            new Node.Held(row.getInt(12), row.getDouble(13), row.getDouble(14)),
            row.getBoolean(3));
    return new NodeRow(node, row.getBoolean(4), row.getString(5));
  }

  static Token token(ResultSet row, StatementContext context) throws SQLException {
    return new Token(
        row.getLong(1),
        row.getString(2),
        Token.Role.of(row.getString(3)),
        row.getString(4),
        number(row, 5),
        number(row, 6));
  }

  static final String INSERT_MEASURED =
      "INSERT INTO measured (kind, serial, at_s, job, attempt, model, job_group, workers, servers,"
          + " most_on_one, seconds, weight, mini_batches) VALUES ("
          + "?, ".repeat(12)
          + "?)";

  static void bind(PreparedStatement statement, Measured measured) throws SQLException {
    statement.setString(1, measured.kind().text());
    statement.setLong(2, measured.serial());
    bind(statement, 3, measured.atSeconds());
    statement.setLong(4, measured.job());
    statement.setInt(5, measured.attempt());
    statement.setString(6, measured.model());
    statement.setString(7, measured.group());
    statement.setInt(8, measured.workers());
    statement.setInt(9, measured.servers());
    statement.setInt(10, measured.mostOnOne());
    bind(statement, 11, measured.seconds());
    bind(statement, 12, measured.weight());
    bind(statement, 13, measured.miniBatches());
  }

  static Measured measured(ResultSet row, StatementContext context) throws SQLException {
    return new Measured(
        Measured.Kind.of(row.getString(1)),
        row.getLong(2),
        number(row, 3),
        row.getLong(4),
        row.getInt(5),
        row.getString(6),
        row.getString(7),
        row.getInt(8),
        row.getInt(9),
        row.getInt(10),
        number(row, 11),
        number(row, 12),
        number(row, 13));
  }

  /** Counts add up; of what was looked at the newest stays. */
  static final String ADD_SAMPLE =
      "INSERT INTO sample (at_s, gpus, held_gpus, waiting_jobs, waiting_gpus, spread_jobs,"
          + " sharing_jobs, starts, start_wait_s, restarts, lost_gpu_s) VALUES ("
          + "?, ".repeat(10)
          + "?) ON CONFLICT (at_s) DO UPDATE SET "
          + Stream.of(
                  "gpus",
                  "held_gpus",
                  "waiting_jobs",
                  "waiting_gpus",
                  "spread_jobs",
                  "sharing_jobs")
              .map(column -> "%1$s = coalesce(excluded.%1$s, sample.%1$s)".formatted(column))
              .collect(Collectors.joining(", "))
          + Stream.of("starts", "start_wait_s", "restarts", "lost_gpu_s")
              .map(column -> ", %1$s = sample.%1$s + excluded.%1$s".formatted(column))
              .collect(Collectors.joining());

  /** Steps of another length, each with its begin: of what was looked at the mean. */
  static final String SAMPLES =
      "SELECT at_s - at_s % CAST(? AS BIGINT) AS step_s, avg(gpus), avg(held_gpus),"
          + " avg(waiting_jobs), avg(waiting_gpus), avg(spread_jobs), avg(sharing_jobs),"
          + " sum(starts), sum(start_wait_s), sum(restarts), sum(lost_gpu_s)"
          + " FROM sample WHERE at_s >= ? GROUP BY step_s ORDER BY step_s";

  static void bind(PreparedStatement statement, Sample sample) throws SQLException {
    statement.setLong(1, sample.atSeconds());
    bind(statement, 2, sample.gpus());
    bind(statement, 3, sample.heldGpus());
    bind(statement, 4, sample.waitingJobs());
    bind(statement, 5, sample.waitingGpus());
    bind(statement, 6, sample.spreadJobs());
    bind(statement, 7, sample.sharingJobs());
    statement.setDouble(8, sample.starts());
    statement.setDouble(9, sample.startWaitSeconds());
    statement.setDouble(10, sample.restarts());
    statement.setDouble(11, sample.lostGpuSeconds());
  }

  static Sample sample(ResultSet row, StatementContext context) throws SQLException {
    return new Sample(
        row.getLong(1),
        number(row, 2),
        number(row, 3),
        number(row, 4),
        number(row, 5),
        number(row, 6),
        number(row, 7),
        number(row, 8),
        number(row, 9),
        number(row, 10),
        number(row, 11));
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
}
