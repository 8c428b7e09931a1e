package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands ask of a server, and what they make of its answers. */
class ClientCommandsTest {
  private static final String ALL_STATES =
      "submitted,queued,placed,starting,running,checkpointing,stopping,cancelling,timing-out,lost";
  private static final String ENDS = "succeeded,failed,cancelled,timed-out";

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
        Stream.concat(Stream.of(args[0], "--server", server.url()), Stream.of(args).skip(1))
            .toArray(String[]::new));
  }

  private Cli.Ran good(String... args) {
    Cli.Ran ran = run(args);
    assertThat(ran.status()).as(ran.err()).isZero();
    return ran;
  }

  private void refused(int status, String says, String... args) {
    Cli.Ran ran = run(args);
    assertThat(ran.err()).startsWith("ringmaster").hasLineCount(1).contains(says);
    assertThat(ran.status()).as(ran.err()).isEqualTo(status);
    assertThat(ran.out()).isEmpty();
  }

  private static Map<String, @Nullable Object> job(long id, String state) {
    Map<String, @Nullable Object> job = new LinkedHashMap<>();
    job.put("id", id);
    job.put("name", "train");
    job.put("user", "ann");
    job.put("state", state);
    job.put("reason", "");
    job.put("gpus", 4);
    job.put("min_gpus", 2);
    job.put("max_gpus", 8);
    job.put("workers", 0);
    job.put("allocation", null);
    job.put("attempt", 0);
    job.put("submitted_s", System.currentTimeMillis() / 1000.0 - 600);
    job.put("started_s", null);
    job.put("ended_s", null);
    job.put("exit_code", null);
    job.put("done", 0.0);
    job.put("spec", Map.of("command", List.of("python", "train.py", "--note", "a b")));
    return job;
  }

  private static Map<String, @Nullable Object> entry(long serial, String to) {
    Map<String, @Nullable Object> entry = new LinkedHashMap<>();
    entry.put("serial", serial);
    entry.put("at_s", 1.0);
    entry.put("to", to);
    entry.put("attempt", 1);
    entry.put("allocation", "n1:4");
    entry.put("reason", "because");
    return entry;
  }

  private Path file(String text) throws IOException {
    Path file = temporary.resolve("job.yaml");
    Files.writeString(file, text);
    return file;
  }

  @Test
  void withoutAServerItIsSaidHowToStartOne() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Cli.Ran ran = Cli.run("jobs", "--server", "http://127.0.0.1:" + port);
    assertThat(ran.status()).isEqualTo(69);
    assertThat(ran.err())
        .isEqualTo(
            "ringmaster: nothing answers at http://127.0.0.1:%d; start one with: ringmaster serve%n"
                .formatted(port));
    Cli.Ran wrong = Cli.run("jobs", "--server", "ftp://x");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--server: 'ftp://x' is not the address of a server");
  }

  @Test
  void refusalsAreTheServersWordsAfterWhatWasAsked() {
    server.on("GET /jobs/9", 404, Map.of("error", "there is no job 9"));
    refused(2, "ringmaster: show 9: there is no job 9", "show", "9");
    server.on("GET /jobs/8", 401, Map.of("error", "a token is needed"));
    refused(2, "a token is needed; put a token into RINGMASTER_TOKEN or into", "show", "8");
    server.on("GET /jobs/7", 500, Map.of("error", "the disk is full"));
    refused(1, "show 7: the disk is full", "show", "7");
    server.on("GET /jobs/6", 503, Map.of("error", "this server stands by"));
    refused(69, "show 6: this server stands by", "show", "6");
    server.on("GET /jobs/5", 200, "<html>", Map.of());
    refused(1, "something else than JSON", "show", "5");
    server.on("GET /jobs/4", 418, "<html>", Map.of());
    refused(2, "status 418 and no reason", "show", "4");
  }

  @Test
  void theTokenComesFromTheFile() throws IOException {
    Path folder = Files.createDirectories(temporary.resolve(".config/ringmaster"));
    Files.writeString(folder.resolve("token"), " rm_abc\n");
    server.on(
        "GET /policy",
        200,
        Map.of("policy", "fifo", "settings", Map.of("blocking", "true"), "lengths", "none"));
    assertThat(good("policy").out())
        .isEqualTo("fifo\n  lengths none: it does not ask how long jobs take\n  blocking=true\n");
    assertThat(server.asked.getLast().headers()).containsEntry("Authorization", "Bearer rm_abc");
  }

  @Test
  void submitSendsEachDocumentUnderAKeyAndTriesAgainUnderTheSame() throws IOException {
    Path file =
        file(
            """
            name: one
            command: [python, train.py]
            gpus: 4
            directory: code
            ---
            name: two
            command: [sh]
            gpus: 1
            """);
    server.cut("POST /jobs");
    server.on("POST /jobs", 503, Map.of("error", "starting"));
    server.on("POST /jobs", 201, job(1, "queued"));
    assertThat(good("submit", file.toString()).out())
        .isEqualTo("job 1 (train) submitted\njob 1 (train) submitted\n");
    List<String> keys =
        server.asked.stream().map(a -> a.headers().getOrDefault("Idempotency-key", "")).toList();
    assertThat(keys).hasSizeGreaterThanOrEqualTo(4).doesNotContain("");
    assertThat(keys.stream().distinct()).as("one for each job").hasSize(2);
    assertThat(Json.parse(server.asked.getFirst().body()))
        .isEqualTo(
            Map.of(
                "name",
                "one",
                "command",
                List.of("python", "train.py"),
                "gpus",
                4,
                "directory",
                temporary.resolve("code").toString()));
  }

  @Test
  void mistakesInAJobNameTheFile() throws IOException {
    Path file = file("command: [sh]\ngpus: 0\n");
    server.on("POST /jobs", 400, Map.of("error", "gpus: '0' is not a whole number from 1"));
    refused(2, file + ": gpus: '0' is not a whole number", "submit", file.toString());
    Path both = file("command: [sh]\ngpus: 0\n---\n- 1\n");
    refused(2, both + ", document 2: expected a job", "submit", both.toString());
    Path broken = file("command: [sh\ngpus: 1\n");
    refused(2, broken + ":2:5: not valid YAML", "submit", broken.toString());
    refused(2, "no such file", "submit", temporary.resolve("none.yaml").toString());
    refused(2, "--name: is for a program with --gpus", "submit", "--name", "x", file.toString());
  }

  @Test
  void aProgramIsSubmittedWithoutAFile() {
    server.on("POST /jobs", 201, job(3, "queued"));
    Map<String, @Nullable Object> printed =
        JsonText.object(
            good(
                    "submit",
                    "--gpus",
                    "4",
                    "--set",
                    "retries=2",
                    "--json",
                    "--",
                    "./my run",
                    "--lr",
                    "1")
                .out());
    assertThat(printed).containsEntry("id", 3.0);
    assertThat(Fields.of(Json.parse(server.asked.getFirst().body())).map())
        .containsEntry("name", "my-run")
        .containsEntry("gpus", 4)
        .containsEntry("retries", 2)
        .containsEntry("directory", Path.of("").toAbsolutePath().toString())
        .containsEntry("command", List.of("./my run", "--lr", "1"));
  }

  @Test
  void waitFollowsEventsAndEndsWithTheJobsStatus() {
    Map<String, @Nullable Object> running = job(5, "running");
    running.put("history", List.of(entry(41, "queued"), entry(44, "running")));
    Map<String, @Nullable Object> failed = job(5, "failed");
    failed.put("exit_code", 3);
    failed.put("reason", "exit code 3");
    server.on("POST /jobs", 201, job(5, "queued"));
    server.on("GET /jobs/5", 200, running).cut("GET /jobs/5").on("GET /jobs/5", 200, failed);
    server.on(
        "GET /events",
        200,
        """
        : hello

        id: 45
        data: {"job": 4, "to": "failed"}

        id: 46
        data: {"job": 5}

        """,
        Map.of("Content-Type", "text/event-stream"));
    Cli.Ran ran = run("submit", "--gpus", "1", "--wait", "--", "false");
    assertThat(ran.status()).isEqualTo(3);
    assertThat(ran.out()).endsWith("job 5 (train) failed with exit code 3: exit code 3\n");
    assertThat(
            server.asked.stream()
                .filter(a -> a.line().equals("GET /events"))
                .map(a -> a.headers().getOrDefault("Last-event-id", "")))
        .containsOnly("44");
  }

  @Test
  void jobsAreOpenOnesAndTheLastThatEnded() {
    Map<String, @Nullable Object> running = job(2, "running");
    running.put("workers", 6);
    running.put("allocation", "n1:4,n2:2");
    running.put("started_s", System.currentTimeMillis() / 1000.0 - 300);
    server.on(
        "GET /jobs?limit=100&state=" + ALL_STATES + "&user=ann%20b",
        200,
        Map.of("jobs", List.of(job(3, "queued"), running), "counts", Map.of("queued", 1)));
    server.on(
        "GET /jobs?limit=5&state=" + ENDS + "&user=ann%20b",
        200,
        Map.of("jobs", List.of(job(1, "failed")), "counts", Map.of()));
    String shown =
        good("jobs", "--user", "ann b").out().replaceAll("(waited|ran) [0-9.]+", "$1 TIME");
    assertThat(shown.lines().map(String::stripTrailing))
        .containsExactly(
            "id  name   user  state    GPUs  where      time, min    reason",
            "--  -----  ----  -------  ----  ---------  -----------  ------",
            "3   train  ann   queued      4  -          waited TIME",
            "2   train  ann   running     6  n1:4,n2:2  ran TIME",
            "1   train  ann   failed      4  -          waited TIME",
            "",
            "In all: 1 queued");
    server.on("GET /jobs?limit=3&state=queued", 200, answer(List.of(job(9, "queued")), 9));
    server.on("GET /jobs?limit=2&state=queued&below=9", 200, answer(List.of(), null));
    Map<String, @Nullable Object> document =
        JsonText.object(good("jobs", "--state", "queued", "--limit", "3", "--json").out());
    assertThat(document).containsOnlyKeys("jobs", "counts");
    refused(2, "did you mean 'queued'?", "jobs", "--state", "queud");
  }

  /** It was running when the open ones were asked for, and over when the others were. */
  @Test
  void aJobThatEndsMeanwhileIsListedOnce() {
    server.on(
        "GET /jobs?limit=100&state=" + ALL_STATES,
        200,
        Map.of(
            "jobs",
            List.of(job(3, "queued"), job(2, "running")),
            "counts",
            Map.of("queued", 1, "running", 1)));
    server.on(
        "GET /jobs?limit=5&state=" + ENDS,
        200,
        Map.of(
            "jobs", List.of(job(2, "succeeded")), "counts", Map.of("queued", 1, "succeeded", 1)));
    assertThat(good("jobs").out().lines().map(line -> line.replaceAll(" .*ann +(\\S+) .*", " $1")))
        .contains("3 queued", "2 succeeded", "In all: 1 queued, 1 succeeded")
        .doesNotContain("2 running");
  }

  private static Map<String, @Nullable Object> answer(List<?> jobs, @Nullable Integer next) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("jobs", jobs);
    answer.put("counts", Map.of());
    answer.put("next", next);
    return answer;
  }

  @Test
  void showHasTheCommandAndTheHistory() {
    Map<String, @Nullable Object> job = job(2, "running");
    job.put("history", List.of(entry(1, "queued"), entry(2, "running")));
    server.on("GET /jobs/2", 200, job);
    assertThat(good("show", "2").out())
        .startsWith("job 2 (train)\n")
        .contains("command    python train.py --note 'a b'\n", "GPUs       4 (2 to 8)\n")
        .contains("running        1  n1:4   because\n");
  }

  @Test
  void logsFollowOverAttemptsToTheEnd() {
    Map<String, @Nullable Object> first = job(2, "running");
    first.put("attempt", 1);
    Map<String, @Nullable Object> second = job(2, "succeeded");
    second.put("attempt", 2);
    server.on("GET /jobs/2", 200, job(2, "queued")).on("GET /jobs/2", 200, job(2, "queued"));
    server.on("GET /jobs/2", 200, first).on("GET /jobs/2", 200, second);
    String one = "GET /jobs/2/logs?attempt=1&rank=0&stream=stderr&from=";
    server.on(one + 0, 200, "ab\n", log(3, false)).cut(one + 3).on(one + 3, 200, "", log(3, false));
    server.on(one + 3, 200, "c\n", log(5, true)).on(one + 5, 200, "", log(5, true));
    String two = "GET /jobs/2/logs?attempt=2&rank=0&stream=stderr&from=";
    server.on(two + 0, 200, "d\n", log(2, true)).on(two + 2, 200, "", log(2, true));
    assertThat(good("logs", "2", "--follow", "--stderr").out()).isEqualTo("ab\nc\nd\n");
  }

  @Test
  void logsOfAJobThatDidNotStartAreNotThere() {
    server.on("GET /jobs/2", 200, job(2, "queued"));
    refused(2, "logs 2: the job is queued and has not started; --follow waits", "logs", "2");
    refused(2, "there is no attempt 4; the last is 0", "logs", "2", "--attempt", "4");
  }

  private static Map<String, String> log(long next, boolean ended) {
    return Map.of(
        "Ringmaster-Next-Byte", Long.toString(next), "Ringmaster-Ended", Boolean.toString(ended));
  }

  @Test
  void explainSaysWhyAndWhen() {
    double now = System.currentTimeMillis() / 1000.0;
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("job", 2);
    answer.put("state", "queued");
    answer.put("why", List.of("It asks for 4 GPUs, and 2 are free.", "Job 1 is before it."));
    answer.put("ahead", 1);
    answer.put("predicted_start_s", now + 720.4);
    answer.put("predicted_end_s", null);
    answer.put("as_of_s", now);
    answer.put("basis", "a run of the policy");
    server.on("GET /jobs/2/explain", 200, answer);
    assertThat(good("explain", "2").out())
        .startsWith(
            "job 2 is queued\n  It asks for 4 GPUs, and 2 are free.\n  Job 1 is before it.\n")
        .contains("  before it  1 waiting job\n", "  start      in about 12.0 min, ")
        .endsWith("  rests on   a run of the policy\n");
  }

  @Test
  void whatIsKnownOfNodesIsShown() {
    server.on(
        "GET /nodes",
        200,
        Map.of(
            "nodes",
            List.of(
                Map.ofEntries(
                    Map.entry("name", "n1"),
                    Map.entry("gpus", 4),
                    Map.entry("declared_gpus", 8),
                    Map.entry("gpu", "h100"),
                    Map.entry("cpus", 64.0),
                    Map.entry("memory_bytes", 5.12e11),
                    Map.entry("others", Map.of("gpus", 2, "cpus", 8.0, "memory_bytes", 0.0)),
                    Map.entry("free_gpus", 1),
                    Map.entry("up", true),
                    Map.entry("jobs", List.of(1)),
                    Map.entry("reason", "")))));
    assertThat(good("nodes").out())
        .contains("node  kind   GPUs  used  others  free  CPUs   GB  state  jobs\n")
        .contains("n1    h100  4 (8)     1       2     1    64  512  up     1\n")
        .endsWith("In all: 4 GPUs, 1 used, 2 held by others, 1 free\n");
  }

  @Test
  void nodesAreListedDrainedAndTakenBack() {
    server.on(
        "GET /nodes",
        200,
        Map.of(
            "nodes",
            List.of(
                Map.of(
                    "name",
                    "n1",
                    "gpus",
                    8,
                    "free_gpus",
                    3,
                    "up",
                    true,
                    "drained",
                    true,
                    "reason",
                    "fan",
                    "jobs",
                    List.of(1, 2)))));
    assertThat(good("nodes").out())
        .contains("n1       8     5     3  up, drained  1 2   fan\n")
        .endsWith("In all: 8 GPUs, 5 used, 3 free\n");
    server.on("POST /nodes/n%2F1/drain", 200, Map.of("name", "n/1"));
    server.on("POST /nodes/n1/resume", 200, Map.of("name", "n1"));
    good("drain", "n/1", "--reason", "fan");
    assertThat(server.asked.getLast().body()).isEqualTo("{\"reason\":\"fan\"}");
    assertThat(good("drain", "n1", "--undo").out()).isEqualTo("n1: takes jobs again\n");
  }

  @Test
  void aPolicyIsCheckedBeforeItIsSent() {
    refused(2, "no policy is called 'fif'; did you mean 'fifo'?", "policy", "fif");
    refused(2, "'maybe' is not allowed", "policy", "fifo", "--set", "blocking=maybe");
    refused(2, "name the policy too", "policy", "--set", "blocking=true");
    assertThat(server.asked).isEmpty();
    server.on("PUT /policy", 200, Map.of("policy", "fifo", "settings", Map.of()));
    good("policy", "fifo", "--set", "blocking=false");
    assertThat(server.asked.getLast().body())
        .isEqualTo("{\"policy\":\"fifo\",\"settings\":{\"blocking\":\"false\"}}");
  }

  @Test
  void cancelAndTokens() {
    server.on("POST /jobs/1/cancel", 202, job(1, "cancelling"));
    server.on("POST /jobs/2/cancel", 202, job(2, "cancelled"));
    assertThat(good("cancel", "1", "2").out())
        .isEqualTo("job 1 (train): cancelling\njob 2 (train): cancelled\n");
    server.on("POST /tokens", 201, Map.of("id", 7, "token", "rm_secret"));
    Cli.Ran added =
        Cli.good("token", "add", "bob", "--admin", "--expires", "2d", "--server", server.url());
    assertThat(added.out()).isEqualTo("rm_secret\n");
    assertThat(added.err()).startsWith("Token 7 of bob.");
    assertThat(server.asked.getLast().body())
        .isEqualTo("{\"user\":\"bob\",\"role\":\"admin\",\"expires_in_s\":172800.0}");
    server.on("DELETE /tokens/7", 200, Map.of());
    assertThat(Cli.good("token", "remove", "7", "--server", server.url()).out())
        .isEqualTo("token 7 removed\n");
  }

  @Test
  void priorities() {
    Map<String, @Nullable Object> first = job(1, "queued");
    first.put("priority", -5);
    server.on("POST /jobs/1/priority", 200, first);
    server.on("POST /jobs/2/priority", 409, Map.of("error", "job 2 has already ended: failed"));
    assertThat(good("priority", "--", "-5", "1").out()).isEqualTo("job 1 (train): priority -5\n");
    assertThat(server.asked.getLast().body()).isEqualTo("{\"priority\":-5}");
    Cli.Ran both = run("priority", "--", "-5", "2", "1");
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("job 2 has already ended: failed");
    assertThat(both.out()).isEqualTo("job 1 (train): priority -5\n");
    refused(2, "name jobs by their ids, or by --user", "priority", "5");
  }

  private static Map<String, @Nullable Object> previewed(String policy, double wait, int stops) {
    Map<String, @Nullable Object> side = new LinkedHashMap<>();
    side.put("policy", policy);
    side.put("settings", Map.of());
    side.put("wait_mean_s", wait);
    side.put("wait_p95_s", 2 * wait);
    side.put("end_mean_s", null);
    side.put("stops", stops);
    side.put("at_risk_gpu_s", 2000.0 * stops);
    side.put("lengths", stops > 0 ? "predicted" : "none");
    return side;
  }

  @Test
  void aPolicyIsPreviewed() {
    double now = System.currentTimeMillis() / 1000.0;
    server.on(
        "POST /policy/preview",
        200,
        Map.of(
            "present",
            previewed("fifo", 600, 0),
            "preview",
            previewed("srtf", 300, 1),
            "jobs",
            List.of(
                Map.of(
                    "job",
                    1,
                    "name",
                    "long",
                    "state",
                    "running",
                    "gpus",
                    4,
                    "stops",
                    1,
                    "at_risk_gpu_s",
                    2000),
                Map.of(
                    "job",
                    3,
                    "name",
                    "tiny\u001b[31m",
                    "state",
                    "queued",
                    "gpus",
                    4,
                    "start_s",
                    now - 5,
                    "stops",
                    0)),
            "left_off",
            7,
            "basis",
            "simulations"));
    assertThat(good("policy", "srtf", "--set", "shield=2", "--preview").out())
        .isEqualTo(
            """
            from now on           fifo (present)       srtf
            --------------------  --------------  ---------
            mean wait                   10.0 min   5.00 min
              95th percentile           20.0 min   10.0 min
            mean time to the end       not known  not known
            stops                              0          1
            GPU time at risk            0.00 min   33.3 min
            lengths                         none  predicted

            job  name            GPUs  would start  under present  stops  at risk, GPU min
            ---  --------------  ----  -----------  -------------  -----  ----------------
            1    long               4  running      running            1              33.3
            3    tiny\\u001b[31m     4  now          not known          0                 -
            and 7 more jobs

            At risk is what jobs that run now lose at their first stop, unless they save
            when they are asked to: all that they did if no checkpoint was seen, else what
            they did since their last report.
            Rests on simulations.
            Nothing was changed. To switch: ringmaster policy srtf --set shield=2
            """);
    assertThat(server.asked.getLast().body())
        .isEqualTo("{\"policy\":\"srtf\",\"settings\":{\"shield\":\"2\"}}");
    refused(2, "name the policy to look at", "policy", "--preview");
  }
}
