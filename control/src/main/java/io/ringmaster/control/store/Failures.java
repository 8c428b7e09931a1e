package io.ringmaster.control.store;

import io.ringmaster.model.BadInput;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/** What went wrong in a database, in the words of those who can mend it. */
final class Failures {
  private Failures() {}

  static @Nullable SQLException sqlCause(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  /** A failure while the program works: later may be better, unless the program itself is wrong. */
  static RuntimeException atWork(String name, Exception failure) {
    SQLException sql = sqlCause(failure);
    String said = firstLine(sql == null ? failure : sql);
    if (sql != null && isRefusal(sql)) {
      return new IllegalStateException("%s refuses a row: %s".formatted(name, said), failure);
    }
    return new StoreUnavailable("%s cannot be used now: %s".formatted(name, said), failure);
  }

  private static boolean isRefusal(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLiteException sqlite
        ? (sqlite.getResultCode().code & 0xff) == 19
        : state != null && state.startsWith("23");
  }

  /** A failure to open a file, which the user can mend. */
  static BadInput atOpening(String name, SQLException failure) {
    int code = failure instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : 0;
    String why =
        switch (code) {
          case 5, 6 -> "another program holds it; stop that one, or name another file";
          case 8 -> "it cannot be written; change its permissions or those of its folder";
          case 11 -> "it is damaged; restore it from a copy";
          case 14 -> "it cannot be opened; see that its folder exists and can be written";
          case 26 -> "it is no SQLite database; name another file, or a new one";
          default -> firstLine(failure);
        };
    return new BadInput("%s: %s".formatted(name, why));
  }

  static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("").strip();
  }
}
