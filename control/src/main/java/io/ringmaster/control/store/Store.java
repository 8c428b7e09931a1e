package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.BadInput;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.JdbiException;

/**
 * The memory of the plane: SQLite in a file, or PostgreSQL. Reads may come from any thread.
 *
 * <p>Every method throws {@link StoreUnavailable} if the database cannot do its work now.
 */
public final class Store implements AutoCloseable {
  private static final String MEMORY = "sqlite::memory:";
  private static final String SQLITE = "sqlite:";
  private static final int ROWS_AT_ONCE = 2_000;

  /** As many as a predictor of lengths looks at. */
  private static final int FINISHED_LOADED = 1_000;

  private static final String OPEN_STATES =
      Arrays.stream(JobState.values())
          .filter(state -> !state.isEnd())
          .map(state -> "'" + state.text() + "'")
          .collect(Collectors.joining(", "));

  private final Database database;
  private volatile Runnable beforeEach = () -> {};

  Store(Database database) {
    this.database = database;
  }

  /**
   * Opens a store, and brings its tables up to date.
   *
   * @param url {@code sqlite:PATH}, {@code sqlite::memory:} or {@code
   *     postgresql://USER:PASSWORD@HOST:PORT/DATABASE}
   * @throws BadInput with one line that says what is wrong with it, without the password
   */
  public static Store open(String url) {
    if (url.equals(MEMORY)) {
      return new MemoryDatabase().openAlone();
    }
    if (url.startsWith(SQLITE)) {
      return new Store(SqliteFile.open(url.substring(SQLITE.length())));
    }
    if (url.startsWith("postgresql:") || url.startsWith("postgres:")) {
      return new Store(PostgresServer.open(url));
    }
    // What holds an @ may hold a password.
    String shown = url.contains("@") ? url.replaceAll("[^A-Za-z0-9+.-].*", "") + ":..." : url;
    throw new BadInput(
        "store '%s' is of no known kind; expected sqlite:PATH or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
            .formatted(shown));
  }

  /**
   * Takes the lead, if nobody else has it. Each lead has a greater term than all before. Whoever
   * leads already begins a new term.
   *
   * @return the term; empty if another server leads
   */
  public OptionalLong tryLead() {
    try {
      return database.tryLead();
    } catch (SQLException | JdbiException e) {
      throw Failures.atWork(database.name(), e);
    }
  }

  /**
   * Whether the lock that stands for the lead is still held. A server that lost it ends its term;
   * one that does not notice is refused by {@link #write} as soon as another leads.
   */
  public boolean stillLeads() {
    return database.stillLeads();
  }

  /** For tests: lets the lock go as the end of the process would, but the store can be used on. */
  void releaseLead() {
    database.releaseLead();
  }

  public Loaded load() {
    return read(handle -> handle.inTransaction(Store::load));
  }

  private static Loaded load(Handle handle) {
    List<Job> open =
        handle
            .createQuery(
                "SELECT %s FROM job WHERE state IN (%s) ORDER BY id"
                    .formatted(Rows.JOB_COLUMNS, OPEN_STATES))
            .setFetchSize(ROWS_AT_ONCE)
            .map(Rows::job)
            .list();
    return new Loaded(
        open,
        greatest(handle, "SELECT max(id) FROM job"),
        greatest(handle, "SELECT max(serial) FROM entry"),
        nodes(handle),
        settings(handle),
        finished(handle),
        measured(handle));
  }

  private static List<Job> finished(Handle handle) {
    return handle
        .createQuery(
            "SELECT %s FROM job WHERE state = 'succeeded' ORDER BY id DESC LIMIT %d"
                .formatted(Rows.JOB_COLUMNS, FINISHED_LOADED))
        .map(Rows::job)
        .stream()
        .sorted(Comparator.comparingDouble(Job::endedSeconds).thenComparingLong(Job::id))
        .toList();
  }

  /** What was measured last, by kind and serial. */
  public List<Measured> measured() {
    return read(Store::measured);
  }

  private static List<Measured> measured(Handle handle) {
    return handle
        .createQuery("SELECT * FROM measured ORDER BY kind, serial")
        .map(Rows::measured)
        .list();
  }

  private static long greatest(Handle handle, String query) {
    return handle.createQuery(query).mapTo(Long.class).findOne().orElse(0L);
  }

  /**
   * Writes in one transaction. All of it is on the disk when this returns.
   *
   * @throws NotLeading if this term is over; nothing was written
   * @throws StoreUnavailable if it could not be written, or may have been
   */
  public void write(long term, Write write) {
    Runnable hook = beforeEach;
    write(handle -> {
      new WriteTransaction(handle.getConnection(), database.dialect(), hook).run(term, write);
      return term;
    });
  }

  /**
   * For tests: called before each statement of a {@link #write} and before its commit. If it
   * throws, nothing of that write is stored, as if the process had died there.
   */
  public void onWrite(Runnable hook) {
    beforeEach = hook;
  }

  public Optional<Job> job(long id) {
    return read(handle ->
        handle
            .createQuery("SELECT " + Rows.JOB_COLUMNS + " FROM job WHERE id = ?")
            .bind(0, id)
            .map(Rows::job)
            .findOne());
  }

  public Optional<Job> jobOfKey(String user, String key) {
    if (key.isEmpty()) {
      return Optional.empty();
    }
    return read(handle ->
        handle
            .createQuery(
                // The last condition says that the index of keys serves.
                "SELECT %s FROM job WHERE owner = ? AND submit_key = ? AND submit_key <> ''"
                    .formatted(Rows.JOB_COLUMNS))
            .bind(0, user)
            .bind(1, key)
            .map(Rows::job)
            .findOne());
  }

  /** States of jobs, ended ones too. Ids that were never given are left out. */
  public Map<Long, JobState> states(Collection<Long> ids) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Dialect dialect = database.dialect();
    return read(handle -> {
      Map<Long, JobState> states = new HashMap<>();
      handle
          .createQuery("SELECT id, state FROM job WHERE " + dialect.idIsIn())
          .bind(0, dialect.ids(ids))
          .map((row, context) -> Map.entry(row.getLong(1), JobState.of(row.getString(2))))
          .forEach(state -> states.put(state.getKey(), state.getValue()));
      return states;
    });
  }

  public List<Job> jobs(JobQuery query) {
    return read(handle -> JobList.of(handle, query));
  }

  /** How many jobs are in each state; of one user, or of all if empty. */
  public Map<JobState, Long> counts(String user) {
    return read(handle -> {
      Map<JobState, Long> counts = new EnumMap<>(JobState.class);
      handle
          .createQuery(
              "SELECT state, sum(jobs) FROM job_count WHERE owner = ? OR ? = ''"
                  + " GROUP BY state HAVING sum(jobs) > 0")
          .bind(0, user)
          .bind(1, user)
          .map((row, context) -> Map.entry(JobState.of(row.getString(1)), row.getLong(2)))
          .forEach(count -> counts.put(count.getKey(), count.getValue()));
      return counts;
    });
  }

  public List<Entry> history(long job) {
    return read(handle ->
        handle
            .createQuery(
                "SELECT " + Rows.ENTRY_COLUMNS + " FROM entry WHERE job = ? ORDER BY serial")
            .bind(0, job)
            .map(Rows::entry)
            .list());
  }

  /** History of all jobs after a serial, in order. */
  public List<Entry> entriesAfter(long serial, int limit) {
    return read(handle ->
        handle
            .createQuery(
                "SELECT %s FROM entry WHERE serial > ? ORDER BY serial LIMIT ?"
                    .formatted(Rows.ENTRY_COLUMNS))
            .bind(0, serial)
            .bind(1, limit)
            .map(Rows::entry)
            .list());
  }

  public List<NodeRow> nodes() {
    return read(Store::nodes);
  }

  private static List<NodeRow> nodes(Handle handle) {
    // Sorted here: the databases do not agree on the order of texts.
    return handle.createQuery("SELECT " + Rows.NODE_COLUMNS + " FROM node").map(Rows::node).stream()
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  public Map<String, String> settings() {
    return read(Store::settings);
  }

  private static Map<String, String> settings(Handle handle) {
    Map<String, String> settings = new TreeMap<>();
    handle
        .createQuery("SELECT name, value FROM setting")
        .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
        .forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
    return settings;
  }

  public Token addToken(
      String user, Token.Role role, String hash, double nowSeconds, double expiresSeconds) {
    return write(handle ->
        handle
            .createQuery(
                "INSERT INTO token (owner, role, hash, created_s, expires_s)"
                    + " VALUES (?, ?, ?, ?, ?)"
                    + " RETURNING id, owner, role, hash, created_s, expires_s")
            .bind(0, user)
            .bind(1, role.name().toLowerCase(Locale.ROOT))
            .bind(2, hash)
            .bind(3, Rows.orNull(nowSeconds))
            .bind(4, Rows.orNull(expiresSeconds))
            .map(Rows::token)
            .one());
  }

  public List<Token> tokens() {
    return read(
        handle -> handle.createQuery("SELECT * FROM token ORDER BY id").map(Rows::token).list());
  }

  public Optional<Token> tokenOfHash(String hash) {
    return read(handle ->
        handle
            .createQuery("SELECT * FROM token WHERE hash = ?")
            .bind(0, hash)
            .map(Rows::token)
            .findOne());
  }

  public boolean removeToken(long id) {
    return write(
        handle -> handle.createUpdate("DELETE FROM token WHERE id = ?").bind(0, id).execute() > 0);
  }

  @Override
  public void close() {
    database.close();
  }

  private <T> T read(HandleCallback<T, SQLException> work) {
    try {
      return database.read(work);
    } catch (SQLException | JdbiException e) {
      throw Failures.atWork(database.name(), e);
    }
  }

  private <T> T write(HandleCallback<T, SQLException> work) {
    try {
      return database.write(work);
    } catch (SQLException | JdbiException e) {
      throw Failures.atWork(database.name(), e);
    }
  }
}
