package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in files, and cancelling many jobs, against a server that answers as it was told. */
class OperatorCommandsTest {
  private static final String OPEN =
      "submitted,queued,placed,starting,running,checkpointing,stopping,cancelling,timing-out,lost";

  @TempDir Path temporary;
  private final SmallServer server = new SmallServer();
  private final String home = System.getProperty("user.home", "");

  @BeforeEach
  void home() {
    System.setProperty("user.home", temporary.toString());
  }

  @AfterEach
  void close() {
    System.setProperty("user.home", home);
    server.close();
  }

  private Cli.Ran run(String... args) {
    return Cli.run(
        Stream.concat(Stream.of(args), Stream.of("--server", server.url())).toArray(String[]::new));
  }

  private static Map<String, Object> job(long id, String state) {
    return Map.of("id", id, "name", "train", "state", state);
  }

  private static Map<String, Object> ended(long id) {
    return Map.of("error", "job %d has already ended: failed".formatted(id));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aSavedTokenIsReadableByItsOwnerAloneAndNotPrinted() throws IOException {
    server.on(
        "POST /tokens", 201, Map.of("id", 3, "user", "ann", "role", "admin", "token", "rm_secret"));
    Cli.Ran ran = run("token", "add", "ann", "--admin", "--save");
    Path file = temporary.resolve(".config/ringmaster/token");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out()).isEqualTo("Token 3 of ann is in %s.%n".formatted(file));
    assertThat(ran.err()).isEqualTo("Next: ringmaster jobs; it is used from now on\n");
    assertThat(ran.out() + ran.err()).doesNotContain("rm_secret");
    assertThat(file).hasContent("rm_secret\n");
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(temporary.resolve(".config/ringmaster"))).isEqualTo("rwx------");

    Path other = temporary.resolve("bob.token");
    Cli.Ran json = run("token", "add", "bob", "--json", "--save", other.toString());
    assertThat(json.out()).doesNotContain("rm_secret");
    assertThat(permissions(other)).isEqualTo("rw-------");

    int asked = server.lines().size();
    Cli.Ran again = run("token", "add", "bob", "--save");
    assertThat(again.status()).isEqualTo(2);
    assertThat(again.err()).contains("--save: " + file + " is there already");
    assertThat(server.lines()).as("no token is made that nobody would have").hasSize(asked);
  }

  @Test
  void aTokenIsDescribedAlikeWhoeverMadeIt() {
    Map<String, Object> shown = Map.of("id", 1, "user", "ann", "role", "admin", "created_s", 7.5);
    Map<String, Object> answer = new LinkedHashMap<>(shown);
    answer.put("token", "rm_secret");
    server.on("POST /tokens", 201, answer);
    answer.put("expires_s", null);
    assertThat(Json.parse(run("token", "add", "ann", "--admin", "--json").out())).isEqualTo(answer);

    String folder = temporary.toString();
    Map<String, ?> made =
        JsonText.object(
            Cli.good("token", "add", "ann", "--admin", "--json", "--data", folder).out());
    assertThat(made.keySet())
        .containsExactly("id", "user", "role", "created_s", "expires_s", "token");
  }

  @Test
  void aTokenFileThatOthersCanReadIsWarnedAbout() throws IOException {
    server.on("GET /nodes", 200, Map.of("nodes", List.of()));
    Path file = temporary.resolve(".config/ringmaster/token");
    Files.createDirectories(temporary.resolve(".config/ringmaster"));
    Files.writeString(file, "rm_secret\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("nodes").err())
        .isEqualTo(
            "ringmaster: warning: others can read %s, which holds your token; type: chmod 600 %s%n"
                .formatted(file, file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(run("nodes").err()).isEmpty();
  }

  @Test
  void oneJobThatHasEndedDoesNotKeepTheOthersFromBeingCancelled() {
    server.on("POST /jobs/1/cancel", 202, job(1, "cancelling"));
    server.on("POST /jobs/2/cancel", 409, ended(2));
    server.on("POST /jobs/3/cancel", 202, job(3, "cancelled"));
    Cli.Ran ran = run("cancel", "1", "2", "3");
    assertThat(ran.out()).isEqualTo("job 1 (train): cancelling\njob 3 (train): cancelled\n");
    assertThat(ran.err())
        .isEqualTo(
            """
            ringmaster: cancel 2: job 2 has already ended: failed
            Next: ringmaster show 1; it has its grace period, which --force cuts short
            """);
    assertThat(ran.status()).isEqualTo(2);
    assertThat(Json.parse(run("cancel", "1", "2", "--json").out()))
        .isEqualTo(
            Map.of(
                "jobs",
                List.of(Map.of("id", 1, "name", "train", "state", "cancelling")),
                "refused",
                List.of(Map.of("id", 2, "error", "cancel 2: job 2 has already ended: failed"))));
  }

  @Test
  void jobsAreChosenByUserAndState() {
    server.on(
        "GET /jobs?limit=100&state=queued&user=eve",
        200,
        Map.of("jobs", List.of(job(9, "queued"), job(8, "queued")), "next", 8));
    server.on(
        "GET /jobs?limit=100&state=queued&user=eve&below=8",
        200,
        Map.of("jobs", List.of(job(7, "queued"))));
    for (long id : List.of(9L, 7L)) {
      server.on("POST /jobs/%d/cancel".formatted(id), 202, job(id, "cancelled"));
    }
    server.on("POST /jobs/8/cancel", 409, ended(8));
    Cli.Ran ran = run("cancel", "--user", "eve", "--state", "queued");
    assertThat(ran.status()).as("one ended meanwhile").isZero();
    assertThat(ran.out())
        .isEqualTo("job 9 (train): cancelled\njob 7 (train): cancelled\n2 jobs cancelled\n");

    server.on(
        "GET /jobs?limit=100&state=%s&user=bob".formatted(OPEN), 200, Map.of("jobs", List.of()));
    assertThat(run("cancel", "--user", "bob").out()).isEqualTo("0 jobs cancelled\n");
    assertThat(run("cancel", "--user", "bob", "--state", "failed").out())
        .isEqualTo("0 jobs cancelled\n");
    assertThat(run("cancel").err()).contains("name jobs by their ids, or by --user and --state");
    assertThat(run("cancel", "1", "--user", "bob").err()).contains("name jobs by their ids, or by");
    assertThat(run("cancel", "--state", "quued").err()).contains("no state is called 'quued'");
  }

  @Test
  void gcSaysWhetherThereWasAnythingToDo() {
    server.on("POST /gc", 200, gc(0));
    assertThat(run("gc").out()).endsWith("\nNothing is kept too long.\n");
    assertThat(run("gc", "--dry-run").err()).isEmpty();
  }

  @Test
  void gcSaysWhatItRemovedOrWould() {
    server.on("POST /gc", 200, gc(2));
    assertThat(run("gc").out()).contains("logs        2  3.0").endsWith("\nRemoved.\n");
    Cli.Ran dry = run("gc", "--dry-run");
    assertThat(dry.out()).endsWith("\nNothing was removed.\n");
    assertThat(dry.err()).isEqualTo("Next: ringmaster gc without --dry-run removes it\n");
  }

  private static Map<String, Object> gc(int jobs) {
    Map<String, Object> logs = Map.of("what", "logs", "jobs", jobs, "bytes", 1.5e6 * jobs);
    return Map.of("files", List.of(logs), "jobs", 0, "failures", 0);
  }

  @Test
  void withoutTokensTheListSaysWhatThatMeans() {
    server.on("GET /tokens", 200, Map.of("tokens", List.of()));
    Cli.Ran ran = run("token", "list");
    assertThat(ran.out())
        .isEqualTo("There is none: everybody on the server's machine may do everything.\n");
    assertThat(ran.err()).isEqualTo("Next: ringmaster token add NAME --admin --save\n");
  }

  @Test
  void forceIsPassedOn() {
    server.on("POST /jobs/1/cancel", 202, job(1, "cancelling"));
    run("cancel", "1", "--force");
    assertThat(server.asked.getLast().body()).isEqualTo("{\"force\":true}");
    run("cancel", "1");
    assertThat(server.asked.getLast().body()).isEqualTo("{}");
  }
}
