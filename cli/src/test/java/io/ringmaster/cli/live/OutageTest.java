package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database goes down under a server with jobs, and comes back. */
class OutageTest {
  @TempDir Path folder;

  private Map<String, Object> job(String name, String wait) {
    String script = "echo $RINGMASTER_ATTEMPT >> %s; %s".formatted(folder.resolve(name), wait);
    return Map.of("name", name, "gpus", 1, "command", List.of("sh", "-c", script));
  }

  @Test
  void nothingIsAcknowledgedMeanwhileAndNothingIsLostOrDoneTwice() throws IOException {
    assumeTrue(Postgres.isInstalled(), Postgres.MISSING);
    Path go = folder.resolve("go");
    String untilTold = "while [ ! -e %s ]; do sleep 0.1; done".formatted(go);
    try (Postgres postgres = Postgres.start()) {
      Path config = folder.resolve("serve.yaml");
      Files.writeString(config, "store: %s%nslots: 2%n".formatted(postgres.newDatabase()));
      try (ServerProcess server = new ServerProcess(folder, "--config", config.toString())) {
        server.awaitReady();
        Client client = server.client();
        client.submit("submit", "/jobs", job("across", untilTold), "k1");
        client.submit("submit", "/jobs", job("ends", "sleep 1"), "k2");
        client.submit("submit", "/jobs", job("waits", "true"), "k3");
        while (!Files.exists(folder.resolve("ends"))) {
          Client.pause(20);
        }
        postgres.crash();
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> client.once("submit", "POST", "/jobs", job("refused", "true")))
              .isInstanceOfSatisfying(
                  Unanswered.class, e -> assertThat(e.status()).isEqualTo(Unanswered.UNAVAILABLE));
        }
        assertThat(server.isAlive()).isTrue();
        postgres.resume();
        server.awaitReady();
        Files.createFile(go);
        for (long id = 1; id <= 3; id++) {
          assertThat(new Watch(client, id, _ -> {}).end().text("state")).isEqualTo("succeeded");
        }
        for (String name : List.of("across", "ends", "waits")) {
          assertThat(folder.resolve(name)).hasContent("1\n");
        }
        assertThat(folder.resolve("refused")).doesNotExist();
        assertThat(client.submit("submit", "/jobs", job("after", "true"), "k4").whole("id"))
            .isEqualTo(4);
      }
    }
  }
}
