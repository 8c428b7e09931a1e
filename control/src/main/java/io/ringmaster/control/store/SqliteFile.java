package io.ringmaster.control.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in a file: one connection writes, others read beside it. Every commit reaches the disk
 * before it is acknowledged.
 */
final class SqliteFile implements Database {
  private static final int READERS = 4;
  private static final int BUSY_MILLISECONDS = 10_000;

  private final Path file;
  private final LeadLock lead;
  private final Connection connection;
  private final Jdbi writer;
  private final ReentrantLock writing = new ReentrantLock();
  private final HikariDataSource pool;
  private final Jdbi readers;

  private SqliteFile(Path file, LeadLock lead) throws SQLException {
    this.file = file;
    this.lead = lead;
    connection = source(file, SQLiteConfig.TransactionMode.IMMEDIATE).getConnection();
    writer = Jdbi.create(connection);
    HikariConfig config = new HikariConfig();
    config.setDataSource(source(file, SQLiteConfig.TransactionMode.DEFERRED));
    config.setPoolName("ringmaster-sqlite");
    config.setMaximumPoolSize(READERS);
    config.setMinimumIdle(1);
    config.setConnectionInitSql("PRAGMA query_only = 1");
    pool = new HikariDataSource(config);
    readers = Jdbi.create(pool);
  }

  static SqliteFile open(String path) {
    if (path.isEmpty()) {
      throw new BadInput("store 'sqlite:' names no file; expected sqlite:PATH");
    }
    Path file = real(Path.of(path).toAbsolutePath().normalize());
    Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
    try {
      SQLiteDataSource source = source(file, SQLiteConfig.TransactionMode.DEFERRED);
      LeadLock.alone(lockFile, () -> Migrations.run(source, Dialect.SQLITE, "store " + file));
      return new SqliteFile(file, new LeadLock(lockFile));
    } catch (SQLException e) {
      throw Failures.atOpening("store " + file, e);
    } catch (IOException e) {
      throw new BadInput(
          "store %s: cannot write %s; see that the folder can be written"
              .formatted(file, lockFile.getFileName()));
    }
  }

  /** One name for one file, however it is reached: the lock stands beside it. */
  private static Path real(Path file) {
    Path folder = file.getParent();
    if (folder == null || Files.isDirectory(file)) {
      throw new BadInput(
          "store %s is a folder; name a file in it, such as %s"
              .formatted(file, file.resolve("ringmaster.db")));
    }
    if (!Files.isDirectory(folder)) {
      throw new BadInput(
          "store %s: there is no folder %s; make it, or name another".formatted(file, folder));
    }
    if (!Files.isWritable(folder)) {
      throw new BadInput(
          "store %s: folder %s cannot be written; change its permissions, or name another"
              .formatted(file, folder));
    }
    try {
      return Files.exists(file)
          ? file.toRealPath()
          : folder.toRealPath().resolve(file.getFileName());
    } catch (IOException e) {
      throw new BadInput("store %s: %s".formatted(file, Failures.firstLine(e)));
    }
  }

  private static SQLiteDataSource source(Path file, SQLiteConfig.TransactionMode mode) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLISECONDS);
    config.setTransactionMode(mode);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  @Override
  public Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  public String name() {
    return "store " + file;
  }

  @Override
  public <T> T read(HandleCallback<T, SQLException> work) throws SQLException {
    return readers.withHandle(work);
  }

  @Override
  public <T> T write(HandleCallback<T, SQLException> work) throws SQLException {
    writing.lock();
    try {
      return writer.inTransaction(work);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public OptionalLong tryLead() throws SQLException {
    try {
      return lead.take() ? nextTerm() : OptionalLong.empty();
    } catch (IOException e) {
      throw new SQLException("cannot lock the file beside it: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean stillLeads() {
    return lead.isHeld();
  }

  @Override
  public void releaseLead() {
    try {
      lead.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    writing.lock();
    try {
      pool.close();
      connection.close();
      releaseLead();
    } catch (SQLException e) {
      throw Failures.atWork(name(), e);
    } finally {
      writing.unlock();
    }
  }
}
