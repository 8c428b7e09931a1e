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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the plane: SQLite in a file, or PostgreSQL. Reads may come from any thread.
 *
 * <p>Every method throws {@link StoreUnavailable} if the database cannot do its work now.
 *
 * <p>Longer than others, because it is all that anybody asks of the database, a method a question.
 */
public final class Store implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final String MEMORY = "sqlite::memory:";
  private static final String SQLITE = "sqlite:";
  static final int ROWS_AT_ONCE = 2_000;

  /** As many as a predictor of lengths looks at. */
  private static final int FINISHED_LOADED = 1_000;

  private static final String OPEN_JOBS =
      "SELECT id FROM job WHERE state IN (%s)"
          .formatted(
              Arrays.stream(JobState.values())
                  .filter(state -> !state.isEnd())
                  .map(state -> "'" + state.text() + "'")
                  .collect(Collectors.joining(", ")));

  private static final String FINISHED_JOBS =
      "SELECT id FROM job WHERE state = 'succeeded' ORDER BY id DESC LIMIT " + FINISHED_LOADED;

  private final Database database;

  /** Tokens that were told of already. */
  private final Set<Long> misread = ConcurrentHashMap.newKeySet();

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

  /**
   * What became of it that this process can never mend, in words: its file was deleted or replaced.
   * Empty: nothing. Writes are refused from then on; reads may show what was.
   */
  public String lost() {
    return database.lost();
  }

  /** Whether nobody ever led it: what a server finds that is the first. */
  public boolean isNew() {
    return read(handle ->
        greatest(handle, "SELECT max(term) FROM leader") == 0
            && greatest(handle, "SELECT max(id) FROM job") == 0
            && greatest(handle, "SELECT max(id) FROM token") == 0);
  }

  /** For tests: lets the lock go as the end of the process would, but the store can be used on. */
  void releaseLead() {
    database.releaseLead();
  }

  public Loaded load() {
    return read(handle ->
        handle.inTransaction(
            inner -> load(inner, jobs(inner, OPEN_JOBS), jobs(inner, FINISHED_JOBS))));
  }

  /** The same without what is long in a description: programs and their variables. */
  public Loaded loadOutlines(Outlines known) {
    Dialect dialect = database.dialect();
    return read(handle ->
        handle.inTransaction(inner -> {
          Loaded loaded =
              load(
                  inner,
                  known.jobs(inner, dialect, OPEN_JOBS),
                  known.jobs(inner, dialect, FINISHED_JOBS));
          known.keep(loaded.open(), loaded.finished());
          return loaded;
        }));
  }

  private static List<Job> jobs(Handle handle, String queryOfIds) {
    return handle
        .createQuery("SELECT %s FROM job WHERE id IN (%s)".formatted(Rows.JOB_COLUMNS, queryOfIds))
        .setFetchSize(ROWS_AT_ONCE)
        .map(Rows::job)
        .list();
  }

  private static Loaded load(Handle handle, List<Job> open, List<Job> finished) {
    Map<String, String> settings = settings(handle);
    Restoration restoration = Restoration.of(settings);
    return new Loaded(
        open.stream().sorted(Comparator.comparingLong(Job::id)).toList(),
        Math.max(restoration.jobs(), greatest(handle, "SELECT max(id) FROM job")),
        Math.max(restoration.entries(), greatest(handle, "SELECT max(serial) FROM entry")),
        nodes(handle),
        settings,
        finished.stream()
            .map(Job::withoutProgram)
            .sorted(Comparator.comparingDouble(Job::endedSeconds).thenComparingLong(Job::id))
            .toList(),
        measured(handle));
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

  static long greatest(Handle handle, String query) {
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

  /**
   * What became of jobs that people gave to the place itself, ended ones too, by what the place
   * calls them. Those that were never taken up are left out.
   */
  public Map<String, Taken> ofArrivals(Collection<String> arrivals) {
    return read(handle -> {
      Map<String, Taken> taken = new HashMap<>();
      for (String arrival : arrivals) {
        handle
            .createQuery(
                // The last condition says that the index serves.
                "SELECT id, state FROM job WHERE arrival = ? AND arrival <> ''")
            .bind(0, arrival)
            .map((row, _) -> new Taken(row.getLong(1), JobState.of(row.getString(2))))
            .findOne()
            .ifPresent(found -> taken.put(arrival, found));
      }
      return taken;
    });
  }

  /** The job that an arrival became. */
  public record Taken(long job, JobState state) {}

  /** States of jobs, ended ones too. Ids that were never given are left out. */
  public Map<Long, JobState> states(Collection<Long> ids) {
    return states(ids, "");
  }

  /** The same of one user's jobs; of all if empty. */
  public Map<Long, JobState> states(Collection<Long> ids, String user) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Dialect dialect = database.dialect();
    return read(handle -> {
      Map<Long, JobState> states = new HashMap<>();
      handle
          .createQuery(
              "SELECT id, state FROM job WHERE %s AND (owner = ? OR ? = '')"
                  .formatted(dialect.idIsIn()))
          .bind(0, dialect.ids(ids))
          .bind(1, user)
          .bind(2, user)
          .map((row, context) -> Map.entry(row.getLong(1), JobState.of(row.getString(2))))
          .forEach(state -> states.put(state.getKey(), state.getValue()));
      return states;
    });
  }

  public List<Job> jobs(JobQuery query) {
    return read(handle -> JobList.of(handle, query));
  }

  /**
   * A page of jobs whose descriptions are not longer than so much together; at least one, if there
   * is one. However long the others are, they are not loaded.
   */
  public JobPage page(JobQuery query, long mostCharacters) {
    return read(
        handle -> handle.inTransaction(inner -> JobList.page(inner, query, mostCharacters)));
  }

  /** The jobs that have GPUs, and which. */
  public List<Holder> holders() {
    return read(JobList::holders);
  }

  /** Whose jobs are. Ids that were never given are left out. */
  public Map<Long, String> owners(Collection<Long> ids) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Dialect dialect = database.dialect();
    return read(handle -> {
      Map<Long, String> owners = new HashMap<>();
      handle
          .createQuery("SELECT id, owner FROM job WHERE " + dialect.idIsIn())
          .bind(0, dialect.ids(ids))
          .map((row, context) -> Map.entry(row.getLong(1), row.getString(2)))
          .forEach(owner -> owners.put(owner.getKey(), owner.getValue()));
      return owners;
    });
  }

  /** The greatest serial of the history; 0: there is none. Another one means that jobs changed. */
  public long newestEntry() {
    return read(handle -> greatest(handle, "SELECT max(serial) FROM entry"));
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

  /** What the cluster was like from a moment on, in steps of so many seconds. */
  public List<Sample> samples(long fromSeconds, long stepSeconds) {
    return read(handle ->
        handle
            .createQuery(Rows.SAMPLES)
            .bind(0, stepSeconds)
            .bind(1, fromSeconds)
            .map(Rows::sample)
            .list());
  }

  /** For how many GPU-seconds jobs held GPUs since a moment, to the hour; of all if empty. */
  public double usedGpuSeconds(String user, long fromSeconds) {
    return read(handle ->
        handle
            .createQuery(
                "SELECT coalesce(sum(gpu_s), 0) FROM usage WHERE at_s >= ? AND (owner = ? OR ? ="
                    + " '')")
            .bind(0, fromSeconds)
            .bind(1, user)
            .bind(2, user)
            .mapTo(Double.class)
            .one());
  }

  /** Jobs that ended before a moment, by id, from above an id on. */
  public List<EndedJob> endedBefore(double seconds, long above, int limit) {
    return read(handle -> Forgetting.endedBefore(handle, seconds, above, limit));
  }

  /**
   * Removes jobs with their history. Stays what has not ended, what open jobs wait for, and the
   * newest job, so that no number is given twice.
   *
   * @return how many were removed
   */
  public int forget(List<Long> ids) {
    return ids.isEmpty() ? 0 : write(handle -> Forgetting.forget(handle, database.dialect(), ids));
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

  static Map<String, String> settings(Handle handle) {
    Map<String, String> settings = new TreeMap<>();
    handle
        .createQuery("SELECT name, value FROM setting")
        .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
        .forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
    return settings;
  }

  /**
   * To be called once after the database was put back to an earlier moment by means of its own. No
   * server may lead.
   */
  public Restoration markRestored() {
    return write(Restoration::mark);
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
            .bind(1, role.text())
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
            .findOne()
            .filter(this::isUnderstood));
  }

  private boolean isUnderstood(Token token) {
    if (token.role() != Token.Role.UNKNOWN) {
      return true;
    }
    if (misread.add(token.id())) {
      LOG.error(
          "token {} of {} has a role in the store that is not known: it is refused; remove it with"
              + " 'ringmaster token remove {}', and make another",
          token.id(),
          token.user(),
          token.id());
    }
    return false;
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
