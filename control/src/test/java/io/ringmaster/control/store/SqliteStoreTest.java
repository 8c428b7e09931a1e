package io.ringmaster.control.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        public void kill(Store store) {
          store.releaseLead();
        }

        @Override
        public void close() {}
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
