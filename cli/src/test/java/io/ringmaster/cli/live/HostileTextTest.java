package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose every text was written by somebody who means harm. */
class HostileTextTest {
  private static final String EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b1m\u202e\r\njob 1 is done";
  private static final String LOG = "10 %\r20 %\n\u001b[31mred\u001b[0m \u001b]52;c;cm0=\u0007\n";

  private final SmallServer server = new SmallServer();

  HostileTextTest() {
    Map<String, Object> job =
        Map.ofEntries(
            Map.entry("id", 1),
            Map.entry("name", EVIL),
            Map.entry("user", EVIL),
            Map.entry("state", EVIL),
            Map.entry("reason", EVIL),
            Map.entry("allocation", EVIL),
            Map.entry("attempt", 1),
            Map.entry(
                "spec",
                Map.of(
                    "command",
                    List.of("sh", "-c", EVIL),
                    "directory",
                    EVIL,
                    "group",
                    EVIL,
                    "after",
                    List.of(EVIL))),
            Map.entry(
                "history",
                List.of(Map.of("at_s", 1, "to", EVIL, "allocation", EVIL, "reason", EVIL))));
    Map<String, Object> node =
        Map.of("name", EVIL, "reason", EVIL, "gpu", EVIL, "jobs", List.of(EVIL));
    server
        .on("GET /jobs/1", 200, job)
        .on("GET /jobs?limit=100&state=queued", 200, Map.of("jobs", List.of(job)))
        .on("GET /jobs/1/explain", 200, Map.of("state", EVIL, "why", List.of(EVIL), "basis", EVIL))
        .on("POST /jobs/1/cancel", 200, job)
        .on("GET /nodes", 200, Map.of("nodes", List.of(node)))
        .on("GET /policy", 200, Map.of("policy", EVIL, "settings", Map.of(EVIL, EVIL)))
        .on("GET /tokens", 200, Map.of("tokens", List.of(Map.of("id", EVIL, "user", EVIL))))
        .on("GET /jobs/2", 404, Map.of("error", EVIL))
        .on("GET /jobs/1/logs?attempt=1&rank=0&stream=stdout&from=0", 200, LOG, Map.of())
        .on(
            "GET /jobs/1/logs?attempt=1&rank=0&stream=stdout&from=" + LOG.length(),
            200,
            "",
            Map.of("Ringmaster-Ended", "true"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Cli.Ran run(String command) {
    return Cli.run((command + " --server " + server.url()).split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show 1",
        "show 2",
        "jobs --state queued --limit 100",
        "explain 1",
        "cancel 1",
        "nodes",
        "policy",
        "token list"
      })
  void steersNoTerminalAndForgesNoLine(String command) {
    Cli.Ran ran = run(command);
    String all = ran.out() + ran.err();
    assertThat(all).as(command).contains("\\u001b]0;owned\\u0007\\u001b[2J\\u009b1m\\u202e");
    assertThat(all.chars().filter(c -> c != '\n' && (Character.isISOControl(c) || c == '\u202e')))
        .isEmpty();
    assertThat(all.lines()).noneMatch(line -> line.startsWith("job 1 is done"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"show 1", "jobs --state queued --limit 100", "nodes"})
  void documentsSayTheSame(String command) {
    Cli.Ran ran = run(command + " --json");
    assertThat(ran.out()).doesNotContain("\u001b", "\u009b", "\u202e", "\r");
    assertThat(Json.text(Json.parse(ran.out()))).contains(Json.text(EVIL));
  }

  @Test
  void commandsAreAsBashReadsThem() {
    assertThat(JobText.command(List.of("echo", "\u001b[2J\u009b")))
        .isEqualTo("echo $'\\u001b[2J\\u009b'");
  }

  @Test
  void logsAreRawUnlessSomebodyLooks() {
    assertThat(run("logs 1").out()).isEqualTo(LOG);
    System.setProperty("ringmaster.screen", "true");
    try {
      assertThat(run("logs 1").out())
          .isEqualTo(LOG.replace("\u001b", "\\u001b").replace("\u0007", "\\u0007"));
      assertThat(run("logs 1 --raw").out()).isEqualTo(LOG);
    } finally {
      System.clearProperty("ringmaster.screen");
    }
  }
}
