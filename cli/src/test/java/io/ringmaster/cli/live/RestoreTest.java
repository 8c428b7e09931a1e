package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup of a server at work, which goes on, is killed, and is put back to that moment. */
class RestoreTest {
  @TempDir Path folder;

  /** Notes each attempt, and whether another one of the same job is under way. */
  private Map<String, Object> job(String name, String until) {
    String script =
        """
        mkdir %1$s.running || echo overlap >> %1$s
        trap 'sleep 1; rmdir %1$s.running; exit 1' TERM
        echo $RINGMASTER_ATTEMPT >> %1$s
        while [ ! -e %2$s ]; do sleep 0.1; done
        rmdir %1$s.running
        """
            .formatted(folder.resolve(name), folder.resolve(until));
    return Map.of("name", name, "gpus", 1, "command", List.of("sh", "-c", script));
  }

  private void await(String name) {
    while (!Files.exists(folder.resolve(name))) {
      Client.pause(20);
    }
  }

  private void succeeded(Client client, long id) {
    Fields job = new Watch(client, id, _ -> {}).end();
    assertThat(job.text("state")).as(job.text("reason")).isEqualTo("succeeded");
  }

  @Test
  void noAttemptRunsTwiceAndNoTwoOfAJobAtOnce() throws IOException {
    String data = folder.resolve("data").toString();
    String copy = folder.resolve("copy.db").toString();
    try (ServerProcess server = new ServerProcess(folder, "--slots", "2", "--policy", "fifo")) {
      server.awaitReady();
      Client client = server.client();
      client.submit("submit", "/jobs", job("goes-on", "go"), "k1");
      client.submit("submit", "/jobs", job("ends", "end"), "k2");
      client.submit("submit", "/jobs", job("waits", "go"), "k3");
      await("goes-on");
      await("ends");
      Cli.good("backup", copy, "--data", data);

      // What the store will have forgotten: one ended, one was started, one came.
      Files.createFile(folder.resolve("end"));
      succeeded(client, 2);
      await("waits");
      client.submit("submit", "/jobs", job("unknown", "go"), "k4");
      server.kill();
      Cli.good("restore", copy, "--data", data, "--force");
      server.start();
      server.awaitReady();

      Files.createFile(folder.resolve("go"));
      for (long id = 1; id <= 3; id++) {
        succeeded(client, id);
      }
      assertThat(folder.resolve("goes-on")).hasContent("1\n");
      assertThat(folder.resolve("ends")).hasContent("1\n10001\n");
      assertThat(folder.resolve("waits")).hasContent("1\n10001\n");
      assertThat(folder.resolve("unknown")).doesNotExist();
      assertThat(client.submit("submit", "/jobs", job("new", "go"), "k5").whole("id"))
          .isEqualTo(2_000_001);
      succeeded(client, 2_000_001);
    }
  }
}
