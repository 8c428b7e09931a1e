package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.Postgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {
  private static @Nullable Postgres server;

  @BeforeAll
  static void start() {
    assumeTrue(Postgres.isInstalled(), Postgres.MISSING);
    server = Postgres.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static Postgres server() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server;
  }

  @Override
  Place newPlace() {
    String url = server().newDatabase();
    return new Place() {
      @Override
      public Store open() {
        return Store.open(url);
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void theHistoryTakesAFewKilobytesAnHour() throws SQLException {
    String url = server().newDatabase();
    int hours = 10;
    try (Store store = Store.open(url)) {
      fill(store, 60 * hours);
    }
    URI at = URI.create(url);
    String[] user = at.getUserInfo().split(":", 2);
    String address =
        "jdbc:postgresql://%s:%d%s".formatted(at.getHost(), at.getPort(), at.getPath());
    try (Connection connection = DriverManager.getConnection(address, user[0], user[1]);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pg_total_relation_size('sample')")) {
      rows.next();
      double bytesAnHour = rows.getDouble(1) / hours;
      System.out.printf(Locale.ROOT, "history: %.0f bytes an hour in PostgreSQL%n", bytesAnHour);
      assertThat(bytesAnHour).isBetween(1000.0, 20_000.0);
    }
  }

  @Test
  void anotherProcessLeadsUntilItIsKilled() throws InterruptedException {
    String url = server().newDatabase();
    try (StoreProcess other = new StoreProcess(url)) {
      assertThat(other.leads()).isTrue();
      other.next();
      try (Store store = Store.open(url)) {
        assertThat(store.tryLead()).isEmpty();
        long stored = other.kill();
        // The server learns of it from the network.
        while (store.tryLead().isEmpty()) {
          Thread.sleep(20);
        }
        assertWhole(store, stored);
      }
    }
  }

  @Test
  void aServerThatWasGoneServesAgain() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long term = store.tryLead().orElseThrow();
      Write first = new Write(List.of(SampleJobs.queued(1, "ann")), List.of(), List.of(), Map.of());
      Write second =
          new Write(List.of(SampleJobs.queued(2, "ann")), List.of(), List.of(), Map.of());
      store.write(term, first);
      server().crash();
      try {
        assertThatThrownBy(() -> store.write(term, second))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageStartingWith("store postgresql://127.0.0.1:")
            .hasMessageContaining(" cannot be used now: ");
        assertThat(store.stillLeads()).isFalse();
        assertThatThrownBy(store::load).isInstanceOf(StoreUnavailable.class);
        assertThatThrownBy(store::tryLead).isInstanceOf(StoreUnavailable.class);
      } finally {
        server().resume();
      }
      assertThat(loadedInTheEnd(store).open()).containsExactly(SampleJobs.queued(1, "ann"));
      store.write(term, second);
      assertThat(store.tryLead()).hasValue(term + 1);
      assertThatThrownBy(() -> store.write(term, second)).isInstanceOf(NotLeading.class);
      assertThat(store.load().lastJob()).isEqualTo(2);
    }
  }

  /** The pool waits a little longer after each vain try to connect. */
  private static Loaded loadedInTheEnd(Store store) {
    for (int tries = 1; ; tries++) {
      try {
        return store.load();
      } catch (StoreUnavailable e) {
        if (tries == 20) {
          throw e;
        }
      }
    }
  }

  @Test
  void errorsSayWhatToDoAndKeepThePassword() {
    String url = server().newDatabase();
    String place = url.substring(url.indexOf('@') + 1);
    refused(
        "postgresql://ringmaster:wr0ng@" + place,
        "store postgresql://" + place + ": it refuses user 'ringmaster'; see user and password");
    refused(
        "postgresql://ringmaster@" + place,
        "store postgresql://" + place + ": it wants a password or refuses user 'ringmaster'");
    refused(
        url.replaceAll("/db[0-9]+$", "/nothing"), "/nothing: there is no such database; make it");
    refused(
        "postgresql://ann:secret@127.0.0.1:1/db",
        "store postgresql://127.0.0.1:1/db: nothing answers there; see host and port");
  }
}
