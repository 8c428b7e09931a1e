package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Engine.Kept;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is removed of jobs, and what is not. */
class GcTest {
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

  private ServeConfig config(String more) throws IOException {
    Path file = temporary.resolve("serve.yaml");
    Files.writeString(file, "listen: 127.0.0.1:0\ndata: data\nslots: 2\n" + more);
    return ServeConfig.of(file, new ServeConfig.Given(null, null, null, null));
  }

  @Test
  void agesAreReadAndMistakesAreNamed() throws IOException {
    assertThat(config("").retention()).isEqualTo(Retention.USUAL);
    Retention retention =
        config("retention: {logs: 7d, checkpoints: 12h, history: never}").retention();
    assertThat(retention.historySeconds()).isInfinite();
    assertThat(retention.fileSeconds())
        .containsEntry(Kept.LOGS, 7 * 86_400.0)
        .containsEntry(Kept.CHECKPOINTS, 12 * 3600.0)
        .containsEntry(Kept.WORK, Double.POSITIVE_INFINITY);
    assertThat(config("retention: {work: 90d}").retention().fileSeconds())
        .containsEntry(Kept.WORK, 90 * 86_400.0);
    assertThatThrownBy(() -> config("retention: {logs: soon}"))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("retention.logs: 'soon' is no age; expected such as 30d, or never");
    assertThatThrownBy(() -> config("retention: {log: 1d}")).isInstanceOf(BadInput.class);
  }

  @Test
  void whatIsDueGoesAndOpenJobsKeepAll() throws Exception {
    try (Serving serving =
        new Serving(config("retention: {history: 0s, logs: 0s, work: 0s, checkpoints: 0s}"))) {
      serving.awaitLeading();
      String[] job = {
        "submit",
        "--wait",
        "--gpus",
        "1",
        "--",
        "sh",
        "-c",
        "echo x; echo y > $RINGMASTER_CHECKPOINT_DIR/z"
      };
      Served.good(serving, job);
      Served.good(serving, job);
      Served.good(serving, "submit", "--gpus", "1", "--", "sh", "-c", "echo x; sleep 600");
      Path data = temporary.resolve("data");
      while (!Files.exists(data.resolve("logs/3/1/0.out"))) {
        Client.pause(20);
      }
      assertThat(Served.good(serving, "gc", "--dry-run"))
          .containsPattern("(?s)logs +2 .*checkpoints +2 .*history +2 .*Nothing was removed\\.");
      assertThat(data.resolve("checkpoints/1/z")).exists();

      assertThat(Served.good(serving, "gc")).containsPattern("(?s)logs +2 .*Removed\\.");
      for (String each : new String[] {"logs/1", "logs/2", "checkpoints/1", "progress/1"}) {
        assertThat(data.resolve(each)).doesNotExist();
      }
      assertThat(data.resolve("logs/3/1/0.out")).exists();
      assertThat(Served.run(serving, "show", "1").err()).contains("there is no job 1");
      assertThat(Served.good(serving, "show", "3")).contains("state");
      assertThat(Served.good(serving, "gc")).containsPattern("history +0 ");
      Served.good(serving, "cancel", "3");
    }
  }
}
