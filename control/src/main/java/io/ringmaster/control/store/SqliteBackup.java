package io.ringmaster.control.store;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Copies of a store in a file, made while a server uses it, and put back when none does. */
public final class SqliteBackup {
  private SqliteBackup() {}

  /**
   * Copies a store as it is at one moment. The copy has its name only once it is whole, checked and
   * on the disk.
   *
   * @throws BadInput if that cannot be done, with what to do
   */
  public static void make(Path store, Path copy) throws IOException {
    if (!Files.isRegularFile(store) || Files.size(store) == 0) {
      throw new BadInput("store %s: there is none to copy".formatted(store));
    }
    Path aside = copy.resolveSibling(copy.getFileName() + ".new");
    Files.deleteIfExists(aside);
    PrivateFiles.make(aside);
    try {
      try (Connection connection =
              SqliteFile.source(store, SQLiteConfig.TransactionMode.DEFERRED).getConnection();
          PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
        statement.setString(1, aside.toString());
        statement.execute();
      } catch (SQLException e) {
        throw Failures.atOpening("store " + store, e);
      }
      check(aside);
      PrivateFiles.sync(aside);
      Files.move(aside, copy, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.sync(copy);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /**
   * Puts a copy where the store is to be, marked as restored. No server may use it, and no file may
   * be there.
   *
   * @throws BadInput if the copy is damaged or none; then nothing has changed
   */
  public static Restoration restore(Path copy, Path store) throws IOException {
    if (Files.exists(store)) {
      throw new IllegalStateException(store + " is in the way");
    }
    Path aside = prepare(copy, store);
    try {
      Restoration restoration = mark(aside);
      PrivateFiles.sync(aside);
      Files.move(aside, store, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.sync(store);
      return restoration;
    } finally {
      remove(aside);
    }
  }

  /** Looks whether a file can be restored, without changing anything. */
  public static void check(Path copy) throws IOException {
    if (!Files.isRegularFile(copy) || Files.size(copy) == 0) {
      throw new BadInput("%s: there is no backup; name a file that 'backup' wrote".formatted(copy));
    }
    try {
      SQLiteDataSource source = plain(copy);
      SqliteCheck.run(source, copy.toString());
      try (Connection connection = source.getConnection();
          PreparedStatement statement = connection.prepareStatement("SELECT term FROM leader")) {
        statement.execute();
      }
    } catch (SQLException e) {
      throw new BadInput("%s is no backup of a store: %s".formatted(copy, Failures.firstLine(e)));
    }
  }

  private static Path prepare(Path copy, Path store) throws IOException {
    check(copy);
    Path aside = store.resolveSibling(store.getFileName() + ".restoring");
    remove(aside);
    PrivateFiles.make(aside);
    Files.copy(copy, aside, StandardCopyOption.REPLACE_EXISTING);
    PrivateFiles.tighten(aside);
    return aside;
  }

  private static Restoration mark(Path file) {
    try {
      SQLiteDataSource source = plain(file);
      Migrations.run(source, Dialect.SQLITE, file.toString());
      return Jdbi.create(source).inTransaction(Restoration::mark);
    } catch (SQLException e) {
      throw Failures.atOpening(file.toString(), e);
    }
  }

  /** Without a log beside it: nobody else has it open, and it is to be one file. */
  private static SQLiteDataSource plain(Path file) {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + file);
    source.setJournalMode("DELETE");
    return source;
  }

  private static void remove(Path file) throws IOException {
    for (String end : new String[] {"", "-journal", "-wal", "-shm"}) {
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + end));
    }
  }
}
