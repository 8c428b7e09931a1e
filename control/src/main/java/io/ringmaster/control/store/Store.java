package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The memory of the plane: SQLite in a file, or PostgreSQL. Reads may come from any thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class Store implements AutoCloseable {
  private Store() {}

  /**
   * Opens a store, and brings its tables up to date.
   *
   * @param url {@code sqlite:PATH}, {@code sqlite::memory:} or {@code postgresql://...}
   */
  public static Store open(String url) {
    throw new UnsupportedOperationException(url);
  }

  /**
   * Takes the lead, if nobody else has it. Each lead has a greater term than all before.
   *
   * @return the term; empty if another server leads
   */
  public OptionalLong tryLead() {
    throw new UnsupportedOperationException();
  }

  public Loaded load() {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes in one transaction.
   *
   * @throws NotLeading if this term is over
   */
  public void write(long term, Write write) {
    throw new UnsupportedOperationException();
  }

  public Optional<Job> job(long id) {
    throw new UnsupportedOperationException();
  }

  public Optional<Job> jobOfKey(String user, String key) {
    throw new UnsupportedOperationException();
  }

  /** States of jobs, ended ones too. Ids that were never given are left out. */
  public Map<Long, JobState> states(Collection<Long> ids) {
    throw new UnsupportedOperationException();
  }

  public List<Job> jobs(JobQuery query) {
    throw new UnsupportedOperationException();
  }

  /** How many jobs are in each state; of one user, or of all if empty. */
  public Map<JobState, Long> counts(String user) {
    throw new UnsupportedOperationException();
  }

  public List<Entry> history(long job) {
    throw new UnsupportedOperationException();
  }

  /** History of all jobs after a serial, in order. */
  public List<Entry> entriesAfter(long serial, int limit) {
    throw new UnsupportedOperationException();
  }

  public List<NodeRow> nodes() {
    throw new UnsupportedOperationException();
  }

  public Map<String, String> settings() {
    throw new UnsupportedOperationException();
  }

  public Token addToken(
      String user, Token.Role role, String hash, double nowSeconds, double expiresSeconds) {
    throw new UnsupportedOperationException();
  }

  public List<Token> tokens() {
    throw new UnsupportedOperationException();
  }

  public Optional<Token> tokenOfHash(String hash) {
    throw new UnsupportedOperationException();
  }

  public boolean removeToken(long id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
