package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real server with real processes as jobs. */
class LiveTest {
  private static final Path EXAMPLES = Path.of("../docs/examples");

  @TempDir Path temporary;
  private final String home = System.getProperty("user.home", "");
  private @Nullable Serving serving;

  @BeforeEach
  void start() {
    System.setProperty("user.home", temporary.toString());
    serving = serve();
  }

  @AfterEach
  void stop() {
    System.setProperty("user.home", home);
    Objects.requireNonNull(serving).close();
  }

  private Serving serve() {
    return Served.start(temporary.resolve("data"), "fifo", 4);
  }

  private void restart() {
    Objects.requireNonNull(serving).close();
    serving = serve();
  }

  private Cli.Ran run(String... args) {
    return Served.run(Objects.requireNonNull(serving), args);
  }

  private String good(String... args) {
    return Served.good(Objects.requireNonNull(serving), args);
  }

  private String refused(String... args) {
    Cli.Ran ran = run(args);
    assertThat(ran.status()).as(ran.err() + ran.out()).isEqualTo(2);
    assertThat(ran.err()).hasLineCount(1);
    return ran.err();
  }

  private void sleeper(String name, int gpus) {
    good("submit", "--gpus", Integer.toString(gpus), "--name", name, "--", "sleep", "600");
  }

  private void await(long job, String state) {
    while (!good("show", Long.toString(job)).contains("state      " + state)) {
      Client.pause(50);
    }
  }

  @Test
  void anExampleRunsToItsEnd() {
    assertThat(good("submit", "--wait", EXAMPLES.resolve("count.yaml").toString()))
        .isEqualTo("job 1 (count) submitted\njob 1 (count) succeeded: ended with code 0\n");
    assertThat(good("logs", "1"))
        .isEqualTo("worker 0 of 2: 1\nworker 0 of 2: 2\nworker 0 of 2: 3\n");
    assertThat(good("logs", "1", "--rank", "1")).startsWith("worker 1 of 2: 1\n");
    assertThat(good("logs", "1", "--stderr")).isEmpty();
    assertThat(good("jobs")).contains("count", "succeeded", "In all: 1 succeeded");
    assertThat(JsonText.object(good("show", "1", "--json")))
        .containsEntry("state", "succeeded")
        .containsEntry("exit_code", 0.0);
  }

  @Test
  void aJobGoesOnWithoutTheServerAndItsLogIsFollowedAcross() {
    good("submit", EXAMPLES.resolve("train.yaml").toString());
    await(1, "running");
    restart();
    assertThat(good("logs", "1", "--follow"))
        .startsWith("iteration 1\n")
        .endsWith("iteration 9\niteration 10\n")
        .hasLineCount(10);
    await(1, "succeeded");
    assertThat(good("show", "1")).contains("1 attempt", "100.0 %");
  }

  @Test
  void aFailureIsTheStatusOfWhoeverWaits() {
    Cli.Ran ran = run("submit", "--gpus", "1", "--wait", "--", "sh", "-c", "echo no >&2; exit 7");
    assertThat(ran.status()).isEqualTo(7);
    assertThat(ran.out()).contains("job 1 (sh) failed with exit code 7");
    assertThat(good("logs", "1", "--stderr")).isEqualTo("no\n");
    assertThat(refused("submit", "--gpus", "1", "--set", "gpu=2", "--", "true"))
        .isEqualTo("ringmaster: submit: unknown key 'gpu' of a job; did you mean 'gpus'?\n");
    assertThat(refused("show", "9")).startsWith("ringmaster: show 9: ");
  }

  @Test
  void waitingIsExplainedAndEndsWhenOthersAreCancelled() {
    sleeper("first", 3);
    await(1, "running");
    sleeper("second", 4);
    assertThat(good("explain", "2")).startsWith("job 2 is queued\n").contains("GPUs");
    assertThat(good("nodes")).contains("local     4     3     1  up     1\n");
    restart();
    assertThat(good("jobs")).containsPattern("2 +second +\\w+ +queued").contains("1 running");
    assertThat(good("cancel", "1", "2")).contains("job 1 (first): cancelling", "job 2");
    await(1, "cancelled");
    assertThat(good("jobs", "--state", "cancelled")).contains("first", "second");
    assertThat(refused("cancel", "1")).startsWith("ringmaster: cancel 1: ");
  }

  @Test
  void nodesAreDrainedAndPoliciesSwitchedAndRemembered() {
    assertThat(good("drain", "local", "--reason", "a fan")).contains("no new job");
    sleeper("waits", 1);
    good("policy", "srtf", "--set", "shield=2");
    restart();
    assertThat(good("nodes")).contains("up, drained").contains("a fan");
    assertThat(good("policy")).startsWith("srtf\n").contains("shield=2");
    assertThat(good("jobs")).contains("queued");
    assertThat(refused("drain", "nowhere")).contains("drain nowhere: ");
    good("drain", "local", "--undo");
    await(1, "running");
    good("cancel", "1");
    await(1, "cancelled");
  }

  @Test
  void twoUsersHaveTokensOfTheirOwn() throws IOException {
    assertThat(token("add", "bob").err()).contains("the first token must be an admin's");
    String admin = token("add", "ann", "--admin").out();
    assertThat(refused("jobs")).contains("needs a token", "RINGMASTER_TOKEN");
    use(admin);
    String user = token("add", "bob").out();
    sleeper("of-ann", 1);
    use(user);
    sleeper("of-bob", 1);
    restart();
    assertThat(good("jobs")).contains("of-bob").doesNotContain("of-ann");
    assertThat(refused("cancel", "1")).contains("cancel 1: ");
    assertThat(refused("drain", "local")).contains("admins");
    assertThat(token("list").err()).contains("admins");
    use(admin);
    assertThat(good("jobs")).contains("of-bob", "of-ann");
    assertThat(token("list").out()).contains("bob", "ann", "never");
    assertThat(token("remove", "2").out()).isEqualTo("token 2 removed\n");
    good("cancel", "1", "2");
    await(1, "cancelled");
    await(2, "cancelled");
    use(user);
    assertThat(refused("jobs")).contains("not known");
  }

  private Cli.Ran token(String... args) {
    return Cli.run(
        Stream.of(
                Stream.of("token"),
                Stream.of(args),
                Stream.of("--server", Objects.requireNonNull(serving).url()))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  private void use(String token) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve(".config/ringmaster"));
    Path file = Files.writeString(folder.resolve("token"), token);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void oneServerAtAFolderAndAPort() {
    ServeConfig.Given same =
        new ServeConfig.Given("127.0.0.1:0", temporary.resolve("data"), "fifo", 4);
    assertThatThrownBy(() -> new Serving(ServeConfig.of(null, same)).close())
        .isInstanceOf(BadInput.class)
        .hasMessage(
            temporary.resolve("data")
                + " is used by another server; stop that one, or name another folder with --data");
    String taken = Objects.requireNonNull(serving).url().replace("http://", "");
    ServeConfig.Given port = new ServeConfig.Given(taken, temporary.resolve("other"), "fifo", 4);
    assertThatThrownBy(() -> new Serving(ServeConfig.of(null, port)).close())
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("is taken");
  }

  /** As a real process: what it prints, and that a signal stops it and no job. */
  @Test
  void sigtermStopsTheServerAndNoJob() {
    Path folder = temporary.resolve("process");
    folder.toFile().mkdirs();
    try (ServerProcess server = new ServerProcess(folder, "--slots", "2", "--policy", "fifo")) {
      server.awaitReady();
      Client client = server.client();
      Path out = folder.resolve("out");
      client.submit(
          "submit",
          "/jobs",
          JobFile.ofCommand(1, "long", Map.of(), List.of("sh", "-c", "sleep 2; echo done > " + out))
              .job(),
          "key");
      while (!client.get("job", "/jobs/1").text("state").equals("running")) {
        Client.pause(50);
      }
      assertThat(server.stop()).isZero();
      assertThat(server.log())
          .contains(server.url() + ": policy fifo, 1 node, 2 GPUs, store sqlite in ")
          .contains("; Ctrl-C stops the server; jobs go on\n")
          .endsWith(
              "The server has stopped; 1 job goes on. The next one on this folder takes up from"
                  + " there.\n");
      server.start();
      server.awaitReady();
      assertThat(new Watch(client, 1, _ -> {}).end().text("state")).isEqualTo("succeeded");
      assertThat(out).hasContent("done");
    }
  }
}
