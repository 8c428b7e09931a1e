package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.control.store.Restoration;
import io.ringmaster.control.store.SqliteBackup;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster restore}: puts a backup back. */
@Command(
    name = "restore",
    description = "Puts a backup in the place of the store of a server that does not run.",
    mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
  @Mixin FolderOptions folder = new FolderOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "what 'backup' wrote; with PostgreSQL none: restore the database first, then run this")
  @Nullable Path file;

  @Option(names = "--force", description = "also over a store that holds something; it is kept")
  boolean force;

  @Override
  public Integer call() throws IOException {
    ServeConfig config = folder.config();
    Restoration restored = config.isAlone() ? sqlite(config, named()) : postgresql(config);
    System.out.print(
        Prose.wrapped(
            ("restored. New jobs are numbered from %d, new attempts from %d. What ran meanwhile and"
                    + " is not in the backup is stopped at the next start; jobs that ended since"
                    + " then run again from their last checkpoint.")
                .formatted(restored.jobs() + 1, restored.attempts() + 1)));
    System.err.println("Next: ringmaster serve" + folder.again());
    return 0;
  }

  private Path named() {
    if (file == null) {
      throw new BadInput("restore: name the file that 'backup' wrote");
    }
    return file;
  }

  private Restoration sqlite(ServeConfig config, Path copy) throws IOException {
    SqliteBackup.check(copy);
    // Taken as a server takes it: none runs, and none starts meanwhile.
    try (FolderLock _ = FolderLock.take(config.data())) {
      Path store = config.storeFile();
      if (Files.exists(store) && !isEmpty(store)) {
        if (!force) {
          throw new BadInput(
              "%s holds something, or cannot be read; add --force to put the backup in its place (it is kept beside it)"
                  .formatted(store));
        }
        putAside(store);
      } else {
        remove(store);
      }
      return SqliteBackup.restore(copy, store);
    }
  }

  private static boolean isEmpty(Path store) throws IOException {
    if (Files.size(store) == 0) {
      return true;
    }
    try (Store opened = Store.open("sqlite:" + store)) {
      return opened.isNew();
    } catch (BadInput e) {
      return false;
    }
  }

  /** With the files beside it, which hold what was written last. */
  private static void putAside(Path store) throws IOException {
    String aside = store.getFileName() + ".before-" + BackupCommand.moment();
    // The database last: as long as it is there, the others belong to it.
    for (String end : List.of("-wal", "-shm", "")) {
      Path each = store.resolveSibling(store.getFileName() + end);
      if (Files.exists(each)) {
        Files.move(each, store.resolveSibling(aside + end), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    System.err.println("The store that was there is now " + store.resolveSibling(aside));
  }

  private static void remove(Path store) throws IOException {
    for (String end : List.of("-wal", "-shm", "")) {
      Files.deleteIfExists(store.resolveSibling(store.getFileName() + end));
    }
  }

  /** The database was restored by its own means; what is left is to say so to it. */
  private Restoration postgresql(ServeConfig config) {
    if (file != null) {
      throw new BadInput(
          "PostgreSQL restores its own backups: stop all servers, run pg_restore --clean --dbname=%s %s, then 'ringmaster restore' without a file"
              .formatted(config.shownStore(), file));
    }
    try (Store store = Store.open(config.store())) {
      if (store.isNew()) {
        throw new BadInput(
            "%s is empty; restore it with pg_restore first".formatted(config.shownStore()));
      }
      if (store.tryLead().isEmpty()) {
        throw new BadInput("a server uses %s; stop it first".formatted(config.shownStore()));
      }
      return store.markRestored();
    }
  }
}
