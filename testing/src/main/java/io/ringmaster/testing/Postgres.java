package io.ringmaster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real PostgreSQL server of its own, from Debian's programs, in a folder that is removed at the
 * end. It refuses to be run by root, so it runs as Debian's user for it then.
 */
public final class Postgres implements AutoCloseable {
  /** Why tests that need it are skipped. */
  public static final String MISSING =
      "PostgreSQL is not installed (Debian: apt-get install postgresql)";

  private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");
  private static final String USER = "ringmaster";
  private static final String PASSWORD = "p@ss/word";
  private static final String PASSWORD_IN_URL = "p%40ss%2Fword";
  private static final int START_SECONDS = 60;

  private final Path programs;
  private final Path folder;
  private final int port;
  private final AtomicInteger databases = new AtomicInteger();
  private final Thread atExit = new Thread(this::remove);

  private Postgres(Path programs) throws IOException {
    this.programs = programs;
    folder = Files.createTempDirectory("ringmaster-postgres");
    Path passwordFile = folder.resolve("password");
    Files.writeString(passwordFile, PASSWORD + "\n");
    if (isRoot()) {
      own(folder);
      own(passwordFile);
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    run(
        program("initdb"),
        "--pgdata=" + data(),
        "--username=" + USER,
        "--pwfile=" + passwordFile,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--no-sync");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  public static boolean isInstalled() {
    return newestPrograms().isPresent();
  }

  /** Starts a server. Takes about two seconds. */
  public static Postgres start() {
    try {
      Postgres postgres =
          new Postgres(newestPrograms().orElseThrow(() -> new IllegalStateException(MISSING)));
      postgres.resume();
      return postgres;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The address of a new, empty database. */
  public String newDatabase() {
    String name = "db" + databases.incrementAndGet();
    run(
        "env",
        "PGPASSWORD=" + PASSWORD,
        program("createdb"),
        "--host=127.0.0.1",
        "--port=" + port,
        "--username=" + USER,
        name);
    return "postgresql://%s:%s@127.0.0.1:%d/%s".formatted(USER, PASSWORD_IN_URL, port, name);
  }

  /** Ends the server at once, as a crash would. */
  public void crash() {
    run(program("pg_ctl"), "--pgdata=" + data(), "--mode=immediate", "--wait", "stop");
  }

  /** Starts the server again, on the same port. */
  public void resume() {
    run(
        program("pg_ctl"),
        "--pgdata=" + data(),
        "--log=" + folder.resolve("log"),
        "--wait",
        "--timeout=" + START_SECONDS,
        "--options=-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
            .formatted(port),
        "start");
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }

  private void remove() {
    if (Files.exists(data().resolve("postmaster.pid"))) {
      crash();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private String program(String name) {
    return programs.resolve(name).toString();
  }

  private void run(String... words) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"));
    }
    command.addAll(List.of(words));
    try {
      Path output = Files.createTempFile("ringmaster-postgres", ".out");
      // A file, not a pipe: the server inherits it, and would keep a pipe open.
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(2 * START_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(output);
      Files.delete(output);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException(words[0] + " failed: " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void own(Path file) throws IOException {
    Files.setOwner(
        file,
        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static Optional<Path> newestPrograms() {
    if (!Files.isDirectory(PROGRAMS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PROGRAMS)) {
      return versions
          .filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
          .max(Comparator.comparingDouble(Postgres::version))
          .map(version -> version.resolve("bin"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static double version(Path folder) {
    try {
      return Double.parseDouble(folder.getFileName().toString());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
