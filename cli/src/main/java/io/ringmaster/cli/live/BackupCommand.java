package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Next;
import io.ringmaster.control.store.SqliteBackup;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster backup}: a copy of the store. */
@Command(
    name = "backup",
    description = "Copies the store of a server on this machine, which may run meanwhile.",
    mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Mixin FolderOptions folder = new FolderOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "where to (default: ringmaster-DATE.db in this folder)")
  @Nullable Path file;

  @Option(names = "--force", description = "replace a file that is there")
  boolean force;

  @Override
  public Integer call() throws IOException {
    ServeConfig config = folder.config();
    if (!config.isAlone()) {
      throw new BadInput(
          "PostgreSQL makes its own backups: pg_dump --format=custom --file=FILE %s"
              .formatted(config.shownStore()));
    }
    Path copy = file == null ? Path.of("ringmaster-" + moment() + ".db") : file;
    if (Files.exists(copy) && !force) {
      throw new BadInput("%s is there already; name another, or add --force".formatted(copy));
    }
    SqliteBackup.make(config.storeFile(), copy.toAbsolutePath());
    System.out.printf(Locale.ROOT, "%s: %,d bytes, checked%n", copy, Files.size(copy));
    System.err.println(
        "Next: ringmaster restore %s%s puts it back".formatted(Next.path(copy), folder.again()));
    return 0;
  }

  /** For names of files. */
  static String moment() {
    return MOMENT.format(Instant.ofEpochMilli((long) (1000 * Moments.now())));
  }
}
