package io.ringmaster.control.store;

import io.ringmaster.model.BadInput;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.sqlite.SQLiteException;

/** Looks whether a database is whole, as far as SQLite can tell: it keeps no sums of its pages. */
final class SqliteCheck {
  private SqliteCheck() {}

  /**
   * @param name of the database, for messages
   * @throws BadInput if it is damaged
   * @throws SQLException if it cannot be read, or is none
   */
  static void run(DataSource source, String name) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      String said = rows.next() ? rows.getString(1) : "nothing";
      if (!"ok".equals(said)) {
        throw damaged(name, said);
      }
    } catch (SQLiteException e) {
      if ((e.getResultCode().code & 0xff) == CORRUPT) {
        throw damaged(name, Failures.firstLine(e));
      }
      throw e;
    }
  }

  private static final int CORRUPT = 11;

  private static BadInput damaged(String name, String said) {
    return new BadInput(
        "%s is damaged (%s); put a backup in its place: ringmaster restore FILE --force"
            .formatted(name, said.lines().findFirst().orElse("").strip()));
  }
}
