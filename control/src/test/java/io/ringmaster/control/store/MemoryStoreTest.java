package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
  @Override
  Place newPlace() {
    MemoryDatabase memory = new MemoryDatabase();
    return new Place() {
      @Override
      public Store open() {
        return memory.open();
      }

      @Override
      public void close() {
        memory.close();
      }
    };
  }

  @Test
  void aStoreByNameIsAlone() {
    try (Store one = Store.open("sqlite::memory:");
        Store two = Store.open("sqlite::memory:")) {
      one.addToken("ann", Token.Role.USER, "h", 1, 2);
      assertThat(two.tokens()).isEmpty();
    }
  }
}
