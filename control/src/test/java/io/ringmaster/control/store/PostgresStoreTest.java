package io.ringmaster.control.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.Postgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

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
      public void kill(Store store) {
        store.releaseLead();
      }

      @Override
      public void close() {}
    };
  }
}
