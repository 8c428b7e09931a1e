package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server finds the store of an older release, and the job that runs goes on. */
class UpgradeTest {
  /** The tables that an older release had. */
  private static final List<String> OLDER =
      List.of("V1__jobs", "V2__measured", "V3__nodes", "V4__backoff");

  @TempDir Path temporary;

  @Test
  void anOlderStoreIsBroughtUpToDateUnderAJobThatRuns() throws Exception {
    Path data = temporary.resolve("data");
    Path store = data.resolve("ringmaster.db");
    Map<String, ?> job =
        Map.of(
            "command",
            List.of("sh", "-c", "while [ ! -e ../go ]; do sleep 0.1; done; echo on"),
            "directory",
            Files.createDirectory(temporary.resolve("work")).toString(),
            "gpus",
            1);
    try (Serving before = Served.start(data, "fifo", 2)) {
      client(before).submit("submit", "/jobs", job, "k1");
      await(before, "running");
    }
    makeOlder(store);
    assertThat(columns(store, "job")).doesNotContain("lost_s", "arrival");
    try (Serving after = Served.start(data, "fifo", 2)) {
      assertThat(columns(store, "job")).contains("lost_s", "arrival");
      assertThat(shown(after).text("state")).isEqualTo("running");
      Files.createFile(temporary.resolve("go"));
      Fields ended = await(after, "succeeded");
      assertThat(ended.whole("attempt")).as("no second start").isEqualTo(1);
      assertThat(Served.good(after, "logs", "1")).isEqualTo("on\n");
    }
  }

  private static Client client(Serving serving) {
    return new Client(URI.create(serving.url()), "");
  }

  private static Fields shown(Serving serving) {
    return client(serving).get("show", "/jobs/1");
  }

  private static Fields await(Serving serving, String state) {
    while (!shown(serving).text("state").equals(state)) {
      Client.pause(50);
    }
    return shown(serving);
  }

  /** The same rows in the tables of then; what those do not have is left out. */
  private static void makeOlder(Path store) throws SQLException, IOException {
    Path older = store.resolveSibling("older.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + older);
        Statement statement = connection.createStatement()) {
      for (String migration : OLDER) {
        statement.executeUpdate(sql(migration));
      }
      statement.executeUpdate("ATTACH DATABASE '%s' AS newer".formatted(store));
      statement.executeUpdate(
          "CREATE TABLE flyway_schema_history AS SELECT * FROM newer.flyway_schema_history WHERE"
              + " CAST(version AS INTEGER) <= "
              + OLDER.size());
      for (String table : tables(connection)) {
        String columns = String.join(", ", columns(connection, "main", table));
        statement.executeUpdate("DELETE FROM main." + table);
        statement.executeUpdate(
            "INSERT INTO main.%1$s (%2$s) SELECT %2$s FROM newer.%1$s".formatted(table, columns));
      }
    }
    for (String part : List.of("-wal", "-shm")) {
      Files.deleteIfExists(store.resolveSibling("ringmaster.db" + part));
    }
    Files.move(older, store, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String sql(String migration) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            Store.class.getResourceAsStream("migration/" + migration + ".sql"), migration)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${wide}", "INTEGER")
          .replace("${numbered}", "INTEGER PRIMARY KEY AUTOINCREMENT");
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    return names(
        connection,
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            + " AND name <> 'flyway_schema_history'");
  }

  private static List<String> columns(Path store, String table) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store)) {
      return columns(connection, "main", table);
    }
  }

  private static List<String> columns(Connection connection, String schema, String table)
      throws SQLException {
    return names(
        connection, "SELECT name FROM pragma_table_info('%s', '%s')".formatted(table, schema));
  }

  private static List<String> names(Connection connection, String query) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }
}
