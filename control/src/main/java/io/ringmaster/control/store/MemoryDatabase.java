package io.ringmaster.control.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in memory, for tests and rehearsals. It outlives the {@link Store}s that are opened on it,
 * as a file outlives processes: drop a store, call {@link #releaseLead}, open the next.
 */
public final class MemoryDatabase implements AutoCloseable {
  /** Remembers what it has parsed: for a short life, parsing is most of the work. */
  private static final SqlParser PARSER = new ColonPrefixSqlParser();

  private final Connection connection;
  private final Jdbi jdbi;
  private final ReentrantLock using = new ReentrantLock();
  private volatile @Nullable Session leader;

  public MemoryDatabase() {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite::memory:");
      connection.unwrap(SQLiteConnection.class).deserialize("main", Template.BYTES);
      jdbi = Jdbi.create(connection);
      jdbi.getConfig(SqlStatements.class).setSqlParser(PARSER);
    } catch (SQLException e) {
      throw Failures.atWork("store in memory", e);
    }
  }

  /** Opens a store on what is there. Cheap: the tables were made once for all. */
  public Store open() {
    return new Store(new Session(false));
  }

  /** A store that takes this memory with it when it is closed. */
  Store openAlone() {
    return new Store(new Session(true));
  }

  /**
   * As if the process that leads had died. If its store is used on, its writes are refused as soon
   * as another leads.
   */
  public void releaseLead() {
    leader = null;
  }

  @Override
  public void close() {
    using.lock();
    try {
      connection.close();
    } catch (SQLException e) {
      throw Failures.atWork("store in memory", e);
    } finally {
      using.unlock();
    }
  }

  /** What one store sees of it. */
  private final class Session implements Database {
    private final boolean alone;

    Session(boolean alone) {
      this.alone = alone;
    }

    @Override
    public Dialect dialect() {
      return Dialect.SQLITE;
    }

    @Override
    public String name() {
      return "store in memory";
    }

    @Override
    public <T> T read(HandleCallback<T, SQLException> work) throws SQLException {
      using.lock();
      try {
        return jdbi.withHandle(work);
      } finally {
        using.unlock();
      }
    }

    @Override
    public <T> T write(HandleCallback<T, SQLException> work) throws SQLException {
      using.lock();
      try {
        return jdbi.inTransaction(work);
      } finally {
        using.unlock();
      }
    }

    @Override
    public OptionalLong tryLead() throws SQLException {
      using.lock();
      try {
        if (leader != null && leader != this) {
          return OptionalLong.empty();
        }
        leader = this;
        return nextTerm();
      } finally {
        using.unlock();
      }
    }

    @Override
    public boolean stillLeads() {
      return leader == this;
    }

    @Override
    public void releaseLead() {
      if (leader == this) {
        leader = null;
      }
    }

    @Override
    public void close() {
      releaseLead();
      if (alone) {
        MemoryDatabase.this.close();
      }
    }
  }

  /** The bytes of a database with empty tables: migrations take 100 times as long as a copy. */
  private static final class Template {
    static final byte[] BYTES = make();

    private static byte[] make() {
      try {
        Path file = Files.createTempFile("ringmaster", ".db");
        try {
          SQLiteDataSource source = new SQLiteDataSource();
          source.setUrl("jdbc:sqlite:" + file);
          Migrations.run(source, Dialect.SQLITE, "store in memory");
          try (Connection connection = source.getConnection()) {
            return connection.unwrap(SQLiteConnection.class).serialize("main");
          }
        } finally {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (SQLException e) {
        throw Failures.atWork("store in memory", e);
      }
    }
  }
}
