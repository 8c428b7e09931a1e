package io.ringmaster.control.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.ringmaster.model.BadInput;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL. The lead is a lock of a session, on a connection that does nothing else: it ends with
 * the process or with the connection. What protects the tables is the term: see {@link
 * Dialect#termForWrite}.
 */
final class PostgresServer implements Database {
  private static final int CONNECTIONS = 8;
  private static final int CONNECT_MILLISECONDS = 3_000;
  private static final int VALID_SECONDS = 3;

  /** One lock for each schema, so that several planes can share a database. */
  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('ringmaster ' || current_schema(), 0))";

  /** A leader that hangs in a transaction must not keep others from leading. */
  private static final String INITIAL = "SET idle_in_transaction_session_timeout = '20s'";

  private final PostgresAddress address;
  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private @Nullable Connection lead;

  private PostgresServer(PostgresAddress address, HikariDataSource pool) {
    this.address = address;
    this.pool = pool;
    jdbi = Jdbi.create(pool);
  }

  static PostgresServer open(String line) {
    PostgresAddress address = PostgresAddress.of(line);
    // The pool would try for long, and not say why.
    try (Connection connection = connect(address)) {
      connection.isValid(VALID_SECONDS);
    } catch (SQLException e) {
      throw refused(address, e);
    }
    HikariDataSource pool = pool(address);
    try {
      Migrations.run(pool, Dialect.POSTGRESQL, address.name());
      return new PostgresServer(address, pool);
    } catch (SQLException e) {
      pool.close();
      throw refused(address, e);
    } catch (BadInput e) {
      pool.close();
      throw e;
    }
  }

  private static HikariDataSource pool(PostgresAddress address) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.setDataSourceProperties(address.properties());
    config.setPoolName("ringmaster-postgresql");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT_MILLISECONDS);
    config.setConnectionInitSql(INITIAL);
    return new HikariDataSource(config);
  }

  private static Connection connect(PostgresAddress address) throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), address.properties());
  }

  private static BadInput refused(PostgresAddress address, SQLException failure) {
    String user = address.properties().getProperty("user", "");
    String state = String.valueOf(failure.getSQLState());
    String why =
        switch (state) {
          case "28P01", "28000" -> "it refuses user '%s'; see user and password".formatted(user);
          case "08004" -> "it wants a password or refuses user '%s'; see both".formatted(user);
          case "3D000" -> "there is no such database; make it with createdb";
          case "42501" ->
              "user '%s' may not make tables; grant it CREATE on the schema".formatted(user);
          case "08001" -> "nothing answers there; see host and port, and that it runs";
          default -> Failures.firstLine(failure);
        };
    return new BadInput("%s: %s".formatted(address.name(), why));
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRESQL;
  }

  @Override
  public String name() {
    return address.name();
  }

  @Override
  public <T> T read(HandleCallback<T, SQLException> work) throws SQLException {
    return jdbi.withHandle(work);
  }

  @Override
  public <T> T write(HandleCallback<T, SQLException> work) throws SQLException {
    return jdbi.inTransaction(work);
  }

  @Override
  public synchronized OptionalLong tryLead() throws SQLException {
    if (!stillLeads()) {
      close(lead);
      lead = null;
      Connection candidate = connect(address);
      boolean won = false;
      try {
        won = isTrue(candidate, TRY_LOCK);
      } finally {
        if (won) {
          lead = candidate;
        } else {
          close(candidate);
        }
      }
      if (!won) {
        return OptionalLong.empty();
      }
    }
    return nextTerm();
  }

  @Override
  public synchronized boolean stillLeads() {
    try {
      return lead != null && lead.isValid(VALID_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public synchronized void releaseLead() {
    close(lead);
    lead = null;
  }

  @Override
  public void close() {
    releaseLead();
    pool.close();
  }

  private static boolean isTrue(Connection connection, String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  private static void close(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // It is of no use any more, and the server lets go of it by itself.
    }
  }
}
