package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteBackupTest {
  @TempDir Path folder;

  private static Write job(long id) {
    return new Write(List.of(SampleJobs.queued(id, "ann")), List.of(), List.of(), Map.of());
  }

  /** Another process writes without a pause: each copy holds all that had been acknowledged. */
  @Test
  void copiesAreWholeWhileAnotherProcessWrites() throws IOException {
    Path store = folder.resolve("busy.db");
    try (StoreProcess writer = new StoreProcess("sqlite:" + store)) {
      assertThat(writer.leads()).isTrue();
      for (int i = 0; i < 3; i++) {
        long stored = Long.parseLong(writer.next());
        Path copy = folder.resolve("copy-" + i + ".db");
        SqliteBackup.make(store, copy);
        assertThat(PrivateFiles.isReadableByOthers(copy)).isFalse();
        try (Store opened = Store.open("sqlite:" + copy)) {
          StoreContract.assertWhole(opened, stored);
        }
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(each -> each.toString().endsWith(".new"))).isEmpty();
    }
  }

  @Test
  void aRestoredStoreHasWhatTheCopyHadAndNumbersAboveAll() throws IOException {
    Path store = folder.resolve("ringmaster.db");
    Path copy = folder.resolve("copy.db");
    try (Store opened = Store.open("sqlite:" + store)) {
      long term = opened.tryLead().orElseThrow();
      opened.addToken("ann", Token.Role.ADMIN, "00", 1, Double.NaN);
      opened.write(term, job(1));
      SqliteBackup.make(store, copy);
      opened.write(term, job(2));
    }
    Path restored = folder.resolve("restored.db");
    assertThat(SqliteBackup.restore(copy, restored))
        .isEqualTo(new Restoration(2_000_000, 2_000_000, 10_000, true));
    assertThat(PrivateFiles.isReadableByOthers(restored)).isFalse();
    try (Store opened = Store.open("sqlite:" + restored)) {
      assertThat(opened.load().open()).containsExactly(SampleJobs.queued(1, "ann"));
      assertThat(opened.load().lastJob()).isEqualTo(2_000_000);
      assertThat(opened.tokens()).hasSize(1);
      assertThat(opened.isNew()).isFalse();
      assertThat(opened.tryLead()).hasValue(10_002);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(each -> each.toString().contains(".restoring"))).isEmpty();
    }
  }

  @Test
  void whatIsNoBackupChangesNothing() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no database\n".repeat(1000));
    Path store = folder.resolve("ringmaster.db");
    for (Path each :
        List.of(text, folder.resolve("none.db"), Files.createFile(folder.resolve("0.db")))) {
      assertThatThrownBy(() -> SqliteBackup.restore(each, store))
          .isInstanceOf(BadInput.class)
          .hasMessageContaining("no backup");
    }
    assertThat(store).doesNotExist();
    assertThatThrownBy(() -> SqliteBackup.make(store, folder.resolve("copy.db")))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("there is none to copy");
    assertThat(folder.resolve("copy.db")).doesNotExist();
  }
}
