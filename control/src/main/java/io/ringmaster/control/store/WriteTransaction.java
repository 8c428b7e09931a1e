package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one {@link Write} does, inside its transaction. Rows go in batches of plain JDBC, since
 * thousands of them may be waiting. Sums and counts are kept here, so that they are never off.
 */
final class WriteTransaction {
  private final Connection connection;
  private final Dialect dialect;
  private final Runnable beforeEach;

  /**
   * @param beforeEach called before each statement; may throw
   */
  WriteTransaction(Connection connection, Dialect dialect, Runnable beforeEach) {
    this.connection = connection;
    this.dialect = dialect;
    this.beforeEach = beforeEach;
  }

  /** Puts one object into the parameters of a statement. */
  private interface Binding<T> {
    void bind(PreparedStatement statement, T row) throws SQLException;
  }

  /** A key of two texts, in an order that does not depend on hashes. */
  private record Pair(String first, String second) implements Comparable<Pair> {
    @Override
    public int compareTo(Pair other) {
      int byFirst = first.compareTo(other.first);
      return byFirst != 0 ? byFirst : second.compareTo(other.second);
    }
  }

  void run(long term, Write write) throws SQLException {
    checkTerm(term);
    writeJobs(write.jobs());
    batch(Rows.INSERT_ENTRY, write.entries(), Rows::bind);
    batch(Rows.PUT_NODE, write.nodes(), Rows::bind);
    batch(
        "DELETE FROM node WHERE name = ?",
        write.goneNodes(),
        (statement, name) -> statement.setString(1, name));
    batch(Rows.INSERT_MEASURED, write.measured(), Rows::bind);
    batch(
        "DELETE FROM measured WHERE kind = ? AND serial <= ?",
        write.measured(),
        (statement, measured) -> {
          statement.setString(1, measured.kind().text());
          statement.setLong(2, measured.serial() - Measured.KEPT);
        });
    batch(
        "INSERT INTO setting (name, value) VALUES (?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        new TreeMap<>(write.settings()).entrySet(),
        (statement, setting) -> {
          statement.setString(1, setting.getKey());
          statement.setString(2, setting.getValue());
        });
    Sample sample = write.sample();
    if (sample != null) {
      batch(Rows.ADD_SAMPLE, List.of(sample), Rows::bind);
      batch(
          "DELETE FROM sample WHERE at_s < ?",
          List.of(sample.atSeconds() - Sample.KEPT_SECONDS),
          (statement, oldest) -> statement.setLong(1, oldest));
      long hour = sample.atSeconds() - sample.atSeconds() % Sample.USAGE_STEP_SECONDS;
      batch(
          "INSERT INTO usage (at_s, owner, gpu_s) VALUES (?, ?, ?)"
              + " ON CONFLICT (at_s, owner) DO UPDATE SET gpu_s = usage.gpu_s + excluded.gpu_s",
          new TreeMap<>(sample.usedGpuSeconds()).entrySet(),
          (statement, used) -> {
            statement.setLong(1, hour);
            statement.setString(2, used.getKey());
            statement.setDouble(3, used.getValue());
          });
      batch(
          "DELETE FROM usage WHERE at_s < ?",
          List.of(hour - Sample.KEPT_SECONDS),
          (statement, oldest) -> statement.setLong(1, oldest));
    }
    beforeEach.run();
  }

  private void checkTerm(long term) throws SQLException {
    beforeEach.run();
    try (PreparedStatement statement = connection.prepareStatement(dialect.termForWrite());
        ResultSet rows = statement.executeQuery()) {
      long newest = rows.next() ? rows.getLong(1) : 0;
      if (newest != term) {
        throw new NotLeading(
            "term %d is over: the store is led in term %d".formatted(term, newest));
      }
    }
  }

  private void writeJobs(List<Job> given) throws SQLException {
    if (given.isEmpty()) {
      return;
    }
    Map<Long, Job> jobs = LinkedHashMap.newLinkedHashMap(given.size());
    given.forEach(job -> jobs.put(job.id(), job));
    Map<Long, JobState> before = statesBefore(jobs.keySet());

    TreeMap<Pair, Long> counts = new TreeMap<>();
    for (Job job : jobs.values()) {
      JobState was = before.get(job.id());
      if (was == job.state()) {
        continue;
      }
      counts.merge(new Pair(job.user(), job.state().text()), 1L, Long::sum);
      if (was != null) {
        counts.merge(new Pair(job.user(), was.text()), -1L, Long::sum);
      }
    }
    batch(
        Rows.PUT_JOB,
        jobs.values(),
        (statement, job) -> Rows.bind(statement, job, !before.containsKey(job.id())));
    writeCounts(counts);
  }

  private Map<Long, JobState> statesBefore(Collection<Long> ids) throws SQLException {
    beforeEach.run();
    Map<Long, JobState> states = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT id, state FROM job WHERE " + dialect.idIsIn())) {
      statement.setString(1, dialect.ids(ids));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          states.put(rows.getLong(1), JobState.of(rows.getString(2)));
        }
      }
    }
    return states;
  }

  private void writeCounts(Map<Pair, Long> changes) throws SQLException {
    batch(
        "INSERT INTO job_count (owner, state, jobs) VALUES (?, ?, ?)"
            + " ON CONFLICT (owner, state) DO UPDATE SET jobs = job_count.jobs + excluded.jobs",
        changes.entrySet().stream().filter(change -> change.getValue() != 0).toList(),
        (statement, change) -> {
          statement.setString(1, change.getKey().first());
          statement.setString(2, change.getKey().second());
          statement.setLong(3, change.getValue());
        });
  }

  private <T> void batch(String sql, Collection<T> rows, Binding<T> binding) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    beforeEach.run();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T row : rows) {
        binding.bind(statement, row);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
