package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.cli.Cli;
import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Postgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server whose folder is looked at, deleted, emptied or lost. */
class StoreSafetyTest {
  private static final Map<String, ?> JOB = Map.of("command", List.of("true"), "gpus", 1);

  @TempDir Path temporary;
  private final String home = System.getProperty("user.home", "");

  @BeforeEach
  void home() {
    System.setProperty("user.home", temporary.toString());
  }

  @AfterEach
  void back() {
    System.setProperty("user.home", home);
  }

  private Path data() {
    return temporary.resolve("data");
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void theFolderIsItsOwnersAlone() throws IOException {
    Files.createDirectory(data());
    Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Path mark = data().resolve("store-in-use");
    try (Serving serving = Served.start(data(), "fifo", 1)) {
      new Client(URI.create(serving.url()), "").once("submit", "POST", "/jobs", JOB);
      assertThat(permissions(data())).isEqualTo("rwx------");
      for (String name :
          List.of(
              "ringmaster.db",
              "ringmaster.db-wal",
              "ringmaster.db-shm",
              "serve.lock",
              "store-in-use")) {
        assertThat(permissions(data().resolve(name))).as(name).isEqualTo("rw-------");
      }
    }
    Files.setPosixFilePermissions(mark, PosixFilePermissions.fromString("rw-r--r--"));
    try (Serving _ = Served.start(data(), "fifo", 1)) {
      assertThat(permissions(mark)).as("as an older server made it").isEqualTo("rw-------");
    }
  }

  /** Whose jobs run as their owners must let them through, and let nobody look. */
  @Test
  void theFolderCanBePassedWhereJobsRunAsTheirOwners() throws IOException {
    assumeTrue(System.getProperty("user.name", "").equals("root"), "needs root");
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
    Path file = temporary.resolve("serve.yaml");
    Files.writeString(
        file, "listen: 127.0.0.1:0\ndata: data\nengine: {name: local, slots: 1, run-as: user}\n");
    try (Serving serving =
        new Serving(ServeConfig.of(file, new ServeConfig.Given(null, null, null, null)))) {
      new Client(URI.create(serving.url()), "").submit("submit", "/jobs", JOB, "k1");
      assertThat(permissions(data())).isEqualTo("rwx--x--x");
      assertThat(permissions(data().resolve("ringmaster.db"))).isEqualTo("rw-------");
    }
  }

  /** As the launcher has it: a server that has lost a thread keeps neither port nor lock. */
  @Test
  void aServerWithoutMemoryEnds() throws IOException {
    String flag = "-XX:+ExitOnOutOfMemoryError";
    assertThat(Path.of("../script/java.sh")).content().contains(flag);
    List<String> machine = List.of("-Xmx40m", flag);
    try (ServerProcess server = new ServerProcess(temporary, machine, "--slots", "1")) {
      server.awaitReady();
      Client client = server.client();
      client.change("drain", "POST", "/nodes/local/drain", Map.of("reason", "so that all wait"));
      Map<String, ?> large =
          Map.of("command", Collections.nCopies(20, "x".repeat(30_000)), "gpus", 1);
      for (int i = 0; i < 2000 && server.isAlive(); i++) {
        try {
          client.once("submit", "POST", "/jobs", large);
        } catch (Unanswered e) {
          // It is about to end.
        }
      }
      assertThat(server.awaitEnd()).isEqualTo(3);
    }
    try (Serving _ = Served.start(data(), "fifo", 1)) {
      assertThat(permissions(data())).isEqualTo("rwx------");
    }
  }

  @Test
  void aServerWhoseFolderIsDeletedAcknowledgesNothingAndEnds() throws Exception {
    try (ServerProcess server = new ServerProcess(temporary, "--slots", "1")) {
      server.awaitReady();
      Client client = server.client();
      client.once("submit", "POST", "/jobs", JOB);
      // In one step, and something else in its place: as bad as it can be.
      Files.move(data(), temporary.resolve("old"));
      Files.createDirectory(data());
      assertThatThrownBy(() -> client.once("submit", "POST", "/jobs", JOB))
          .isInstanceOf(Unanswered.class);
      assertThat(server.awaitEnd()).isEqualTo(1);
      assertThat(server.log())
          .contains(
              data()
                  + " was deleted or replaced while the server ran: nothing can be stored any"
                  + " more");
      assertThat(data().resolve("ringmaster.db")).as("nothing is begun there").doesNotExist();
    }
  }

  @Test
  void aFolderThatHadAStoreIsNotBegunAnew() throws IOException {
    String token;
    try (Serving serving = Served.start(data(), "fifo", 1)) {
      token = Cli.good("token", "add", "ann", "--admin", "--server", serving.url()).out();
    }
    assertThat(token).startsWith("rm_");
    Path db = data().resolve("ringmaster.db");
    Path kept = Files.move(db, temporary.resolve("kept.db"));
    for (boolean isThere : new boolean[] {false, true}) {
      Files.deleteIfExists(db);
      if (isThere) {
        Files.createFile(db);
      }
      for (int time = 0; time < 2; time++) {
        assertThatThrownBy(() -> Served.start(data(), "fifo", 1).close())
            .isInstanceOf(BadInput.class)
            .hasMessageContaining("had a store with jobs or tokens, and now the store")
            .hasMessageContaining("ringmaster restore");
      }
    }
    assertThat(Cli.good("restore", kept.toString(), "--data", data().toString()).out())
        .startsWith("restored. New jobs are numbered from 2000001");
    try (Serving serving = Served.start(data(), "fifo", 1)) {
      assertThat(Cli.run("jobs", "--server", serving.url()).err()).contains("needs a token");
    }
    Files.delete(db);
    Files.delete(data().resolve("store-in-use"));
    Served.start(data(), "fifo", 1).close();
  }

  @Test
  void norIsOneWhoseDatabaseIsAnotherNow() throws IOException {
    assumeTrue(Postgres.isInstalled(), Postgres.MISSING);
    try (Postgres postgres = Postgres.start()) {
      serve(postgres.newDatabase()).close();
      String empty = postgres.newDatabase();
      assertThatThrownBy(() -> serve(empty).close())
          .isInstanceOf(BadInput.class)
          .hasMessageContaining(
              "had a store with jobs or tokens, and now the store (postgresql://127")
          .message()
          .doesNotContain("word");
    }
  }

  private Serving serve(String store) throws IOException {
    Path config = temporary.resolve("serve.yaml");
    Files.writeString(
        config, "listen: 127.0.0.1:0\nstore: %s\ndata: data\nslots: 1\n".formatted(store));
    Serving serving =
        new Serving(ServeConfig.of(config, new ServeConfig.Given(null, null, null, null)));
    while (!serving.leads() || !Files.exists(data().resolve("store-in-use"))) {
      Client.pause(20);
    }
    return serving;
  }

  @Test
  void whoCanWriteTheFolderCanAlwaysMakeAnAdmin() {
    try (Serving serving = Served.start(data(), "fifo", 1)) {
      String folder = data().toString();
      assertThat(Cli.run("token", "add", "bob", "--data", folder).err())
          .contains("the first token must be an admin's");
      Cli.good("token", "add", "ann", "--admin", "--expires", "1s", "--server", serving.url());
      while (!Cli.run("token", "list", "--server", serving.url()).err().contains("needs a token")) {
        Client.pause(100);
      }
      // Nobody has a token that is good, and the server runs.
      Cli.good("token", "add", "ann", "--admin", "--save", "--data", folder);
      assertThat(Cli.good("token", "list", "--server", serving.url()).out()).contains("ann");
    }
  }

  @Test
  void aFileWithAPasswordThatOthersCanReadIsWarnedAbout() throws IOException {
    Path config = temporary.resolve("serve.yaml");
    Files.writeString(config, "store: postgresql://ann:secret@127.0.0.1:1/db\n");
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Cli.run("serve", "--config", config.toString()).err())
        .startsWith(
            "ringmaster: warning: others can read %s, which holds the store's password; type: chmod 600 "
                .formatted(config))
        .doesNotContain("secret");
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-------"));
    assertThat(Cli.run("serve", "--config", config.toString()).err()).doesNotContain("warning");
  }

  @Test
  void aBackupIsRefusedWhereItWouldHarm() throws IOException {
    String folder = data().toString();
    Path copy = temporary.resolve("copy.db");
    try (Serving _ = Served.start(data(), "fifo", 1)) {
      Cli.Ran made = Cli.good("backup", copy.toString(), "--data", folder);
      assertThat(made.out()).contains("bytes, checked");
      assertThat(made.err())
          .isEqualTo(
              "Next: ringmaster restore %s --data %s puts it back%n".formatted(copy, folder));
      assertThat(permissions(copy)).isEqualTo("rw-------");
      assertThat(Cli.run("backup", copy.toString(), "--data", folder).err())
          .contains("is there already");
      assertThat(Cli.run("restore", copy.toString(), "--data", folder, "--force").err())
          .contains("is used by another server; stop that one");
    }
    assertThat(Cli.run("restore", copy.toString(), "--data", folder).err())
        .contains("holds something, or cannot be read; add --force");
    assertThat(Cli.good("restore", copy.toString(), "--data", folder, "--force").err())
        .endsWith("Next: ringmaster serve --data %s%n".formatted(folder));
    try (Stream<Path> files = Files.list(data())) {
      assertThat(files.filter(each -> each.toString().contains(".before-"))).isNotEmpty();
    }
    Path config = temporary.resolve("serve.yaml");
    Files.writeString(config, "store: postgresql://ann:secret@db/x\n");
    assertThat(Cli.run("backup", "--config", config.toString(), "--data", folder).err())
        .contains("pg_dump --format=custom --file=FILE postgresql://db/x");
    assertThat(Cli.run("restore", "x", "--config", config.toString(), "--data", folder).err())
        .contains("pg_restore --clean --dbname=postgresql://db/x x");
  }
}
