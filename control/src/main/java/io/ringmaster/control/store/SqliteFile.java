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
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in a file: one connection writes, others read beside it. Every commit reaches the disk
 * before it is acknowledged.
 */
final class SqliteFile implements Database {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);
  private static final int READERS = 4;
  private static final int BUSY_MILLISECONDS = 10_000;

  private final Path file;
  private final List<FileIdentity> opened;
  private final LeadLock lead;
  private final Connection connection;
  private final Jdbi writer;
  private final ReentrantLock writing = new ReentrantLock();
  private final HikariDataSource pool;
  private final Jdbi readers;

  private SqliteFile(Path file, Path lockFile) throws SQLException, IOException {
    this.file = file;
    this.lead = new LeadLock(lockFile);
    opened = List.of(FileIdentity.of(file), FileIdentity.of(lockFile));
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
      LeadLock.alone(lockFile, () -> prepare(file));
      return new SqliteFile(file, lockFile);
    } catch (SQLException e) {
      throw Failures.atOpening("store " + file, e);
    } catch (UncheckedIOException | IOException e) {
      throw new BadInput(
          "store %s: cannot write %s; see that the folder can be written"
              .formatted(file, lockFile.getFileName()));
    }
  }

  /** Makes it, or looks whether it is whole; tables are brought up to date. */
  private static void prepare(Path file) throws SQLException {
    try {
      PrivateFiles.make(file);
      boolean open = false;
      // The files beside it get the permissions of the database when SQLite makes them.
      for (String end : List.of("", "-wal", "-shm", "-journal", ".lock")) {
        open |= PrivateFiles.tighten(file.resolveSibling(file.getFileName() + end));
      }
      if (open) {
        LOG.warn("store {} could be read by others; from now on it is its owner's alone", file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SQLiteDataSource source = source(file, SQLiteConfig.TransactionMode.DEFERRED);
    SqliteCheck.run(source, "store " + file);
    Migrations.run(source, Dialect.SQLITE, "store " + file);
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

  static SQLiteDataSource source(Path file, SQLiteConfig.TransactionMode mode) {
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
      checkThere();
      T result = writer.inTransaction(work);
      // Before anybody is told that it is stored.
      checkThere();
      return result;
    } finally {
      writing.unlock();
    }
  }

  private void checkThere() throws SQLException {
    String lost = lost();
    if (!lost.isEmpty()) {
      throw new SQLException(lost);
    }
  }

  @Override
  public String lost() {
    for (FileIdentity each : opened) {
      if (!each.isThere()) {
        return "%s was deleted or replaced while the server ran".formatted(each.path());
      }
    }
    return "";
  }

  @Override
  public OptionalLong tryLead() throws SQLException {
    checkThere();
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
