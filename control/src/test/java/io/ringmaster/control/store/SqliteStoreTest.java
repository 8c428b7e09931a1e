package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreContract {
  @TempDir Path folder;

  @Override
  Place newPlace() {
    try {
      Path file = Files.createTempDirectory(folder, "place").resolve("ringmaster.db");
      return new Place() {
        @Override
        public Store open() {
          return Store.open("sqlite:" + file);
        }

        @Override
        public void close() {}
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Both make the tables, one leads; what the killed one had been told is stored, is. */
  @Test
  void ofTwoProcessesOneLeadsUntilItIsKilled() {
    String url = "sqlite:" + folder.resolve("two.db");
    try (StoreProcess one = new StoreProcess(url);
        StoreProcess two = new StoreProcess(url)) {
      boolean oneLeads = one.leads();
      assertThat(two.leads()).isNotEqualTo(oneLeads);
      StoreProcess leader = oneLeads ? one : two;
      leader.next();
      try (Store store = Store.open(url)) {
        assertThat(store.tryLead()).isEmpty();
        long stored = leader.kill();
        assertThat(store.tryLead()).hasValue(2);
        assertWhole(store, stored);
      }
    }
  }

  @Test
  void theHistoryTakesAFewKilobytesAnHour() throws SQLException {
    Path file = folder.resolve("past.db");
    int hours = 10;
    try (Store store = Store.open("sqlite:" + file)) {
      fill(store, 60 * hours);
    }
    long kept = pages(file);
    execute(file, "DELETE FROM sample");
    execute(file, "VACUUM");
    double bytesAnHour = (kept - pages(file)) * 4096.0 / hours;
    System.out.printf(Locale.ROOT, "history: %.0f bytes an hour in SQLite%n", bytesAnHour);
    assertThat(bytesAnHour).isBetween(1000.0, 6000.0);
  }

  private static long pages(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT page_count FROM pragma_page_count() WHERE (SELECT page_size FROM"
                    + " pragma_page_size()) = 4096")) {
      return rows.getLong(1);
    }
  }

  @Test
  void aLinkLeadsToTheSameLock() throws IOException {
    Path file = folder.resolve("linked.db");
    try (Store store = Store.open("sqlite:" + file)) {
      assertThat(store.tryLead()).isPresent();
      Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
      try (Store other = Store.open("sqlite:" + link)) {
        assertThat(other.tryLead()).isEmpty();
      }
      assertThat(store.stillLeads()).isTrue();
    }
  }

  @Test
  void errorsSayWhatToDo() throws IOException, SQLException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no database\n".repeat(1000));
    refused("sqlite:" + text, "store " + text + ": it is no SQLite database; name another file");
    refused("sqlite:" + folder, "store " + folder + " is a folder; name a file in it, such as ");
    refused("sqlite:" + folder + "/none/x.db", "there is no folder " + folder + "/none; make it");
    refused("sqlite:", "store 'sqlite:' names no file; expected sqlite:PATH");
    refused("/data/x.db", "store '/data/x.db' is of no known kind; expected sqlite:PATH or ");
    refused("mysql://ann:secret@db/x", "store 'mysql:...' is of no known kind");

    Path newer = folder.resolve("newer.db");
    Store.open("sqlite:" + newer).close();
    execute(newer, "UPDATE flyway_schema_history SET version = '999', script = 'V999__x.sql'");
    refused(
        "sqlite:" + newer,
        "store " + newer + " was made by a newer version of this program (tables of version 999)");

    Path foreign = folder.resolve("foreign.db");
    execute(foreign, "CREATE TABLE song (title TEXT)");
    refused(
        "sqlite:" + foreign,
        "store " + foreign + " holds tables that this program did not make; name a database of");
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    // Nobody can make files here, not even root.
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "there is no /proc here");
    refused("sqlite:/proc/self/x.db", "folder /proc/self cannot be written");
  }

  static void execute(Path file, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
