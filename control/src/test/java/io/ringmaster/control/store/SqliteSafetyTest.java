package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that others read, delete, replace or damage. */
class SqliteSafetyTest {
  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() throws IOException {
    Files.createDirectory(folder.resolve("data"));
    file = folder.resolve("data").resolve("ringmaster.db");
  }

  private Store open() {
    return Store.open("sqlite:" + file);
  }

  private static Write job(long id) {
    return new Write(List.of(SampleJobs.queued(id, "ann")), List.of(), List.of(), Map.of());
  }

  private void fill(int jobs) {
    try (Store store = open()) {
      long term = store.tryLead().orElseThrow();
      store.write(
          term,
          new Write(
              Stream.iterate(1L, i -> i + 1)
                  .limit(jobs)
                  .map(i -> SampleJobs.queued(i, "ann"))
                  .toList(),
              List.of(),
              List.of(),
              Map.of()));
    }
  }

  private List<String> readable() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data"))) {
      return files
          .filter(PrivateFiles::isReadableByOthers)
          .map(each -> each.getFileName().toString())
          .toList();
    }
  }

  @Test
  void nobodyElseCanReadIt() throws IOException {
    try (Store store = open()) {
      store.write(store.tryLead().orElseThrow(), job(1));
      assertThat(Files.exists(file.resolveSibling("ringmaster.db-wal"))).isTrue();
      assertThat(readable()).isEmpty();
    }
  }

  @Test
  void oneThatOthersCouldReadIsTheOwnersFromThenOn() throws IOException {
    fill(1);
    try (Stream<Path> files = Files.list(folder.resolve("data"))) {
      for (Path each : files.toList()) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-r--r--"));
      }
    }
    try (Store store = open()) {
      store.write(store.tryLead().orElseThrow(), job(2));
      assertThat(readable()).isEmpty();
    }
  }

  @Test
  void whatIsWrittenIntoADeletedFileIsNotAcknowledged() throws IOException {
    try (Store store = open()) {
      long term = store.tryLead().orElseThrow();
      store.write(term, job(1));
      assertThat(store.lost()).isEmpty();
      Files.delete(file);
      assertThat(store.lost())
          .isEqualTo(
              folder.toRealPath().resolve("data/ringmaster.db")
                  + " was deleted or replaced while the server ran");
      refusesAll(store, term);
    }
  }

  private static void refusesAll(Store store, long term) {
    assertThatThrownBy(() -> store.write(term, job(2)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("was deleted or replaced while the server ran");
    assertThatThrownBy(() -> store.addToken("ann", Token.Role.ADMIN, "00", 1, Double.NaN))
        .isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(store::tryLead).isInstanceOf(StoreUnavailable.class);
  }

  @Test
  void norIntoOneWhoseFolderWasReplaced() throws IOException {
    try (Store store = open()) {
      long term = store.tryLead().orElseThrow();
      Files.move(folder.resolve("data"), folder.resolve("old"));
      Files.createDirectory(folder.resolve("data"));
      Files.copy(folder.resolve("old/ringmaster.db"), file);
      refusesAll(store, term);
    }
  }

  @Test
  void norWhenItIsDeletedDuringTheWrite() throws IOException {
    try (Store store = open()) {
      long term = store.tryLead().orElseThrow();
      store.onWrite(() -> {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      });
      assertThatThrownBy(() -> store.write(term, job(1))).isInstanceOf(StoreUnavailable.class);
    }
  }

  @Test
  void aDamagedOneIsRefusedAtTheStart() throws IOException {
    fill(2000);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      // Each page begins with what kind of page it is.
      for (long page = 20; page < 40; page++) {
        bytes.seek(page * 4096);
        bytes.write(new byte[] {1, 2, 3, 4});
      }
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("is damaged (")
        .hasMessageContaining("put a backup in its place: ringmaster restore FILE --force")
        .message()
        .hasLineCount(1);
  }

  @Test
  void aJobThatCannotBeReadIsNamed() throws Exception {
    fill(2);
    SqliteStoreTest.execute(file, "UPDATE job SET state = 'quaued' WHERE id = 2");
    try (Store store = open()) {
      assertThat(store.load().open()).hasSize(1);
      assertThatThrownBy(() -> store.job(2))
          .isInstanceOf(BadInput.class)
          .hasMessageStartingWith("job 2 in the store is not as this program would have stored it")
          .hasMessageEndingWith("restore the store from a backup");
    }
  }
}
