package io.ringmaster.control.store;

import java.sql.SQLException;
import java.util.OptionalLong;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.JdbiException;

/** How the tables are reached, and how a server takes the lead. */
interface Database extends AutoCloseable {
  Dialect dialect();

  /** For messages: without a password. */
  String name();

  /** Runs in a transaction that sees one state of the tables. */
  <T> T read(HandleCallback<T, SQLException> work) throws SQLException;

  /** Runs in a transaction that is rolled back if the work throws. */
  <T> T write(HandleCallback<T, SQLException> work) throws SQLException;

  /** Takes the lock that stands for the lead if nobody has it, and begins a term. */
  OptionalLong tryLead() throws SQLException;

  /**
   * Begins a term. Whoever writes in an older one is refused from now on. If that fails, the lock
   * is left to others.
   */
  default OptionalLong nextTerm() throws SQLException {
    try {
      return OptionalLong.of(
          write(handle ->
              handle
                  .createQuery("UPDATE leader SET term = term + 1 RETURNING term")
                  .mapTo(Long.class)
                  .one()));
    } catch (SQLException | JdbiException e) {
      releaseLead();
      throw e;
    }
  }

  boolean stillLeads();

  /** What became of it that can never be mended while this process runs; empty: nothing. */
  default String lost() {
    return "";
  }

  /** Lets the lock go, as the end of the process would. */
  void releaseLead();

  @Override
  void close();
}
