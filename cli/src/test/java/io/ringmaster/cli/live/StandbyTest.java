package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.cli.Cli;
import io.ringmaster.testing.Postgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one PostgreSQL. */
class StandbyTest {
  @TempDir Path temporary;

  private Serving serve(Path config) {
    return new Serving(ServeConfig.of(config, new ServeConfig.Given(null, null, null, null)));
  }

  private static void awaitLead(Serving serving) {
    while (!serving.leads()) {
      Client.pause(20);
    }
  }

  @Test
  void theSecondTakesOverWhatTheFirstLeaves() throws IOException {
    assumeTrue(Postgres.isInstalled(), Postgres.MISSING);
    Path config = temporary.resolve("serve.yaml");
    try (Postgres postgres = Postgres.start()) {
      Files.writeString(
          config,
          "listen: 127.0.0.1:0\nstore: %s\ndata: data\nslots: 2\n"
              .formatted(postgres.newDatabase()));
      Serving first = serve(config);
      awaitLead(first);
      try (Serving second = serve(config)) {
        Cli.good(
            "submit", "--server", first.url(), "--gpus", "1", "--", "sh", "-c", "sleep 3; exit 0");
        assertThat(second.leads()).isFalse();
        assertThat(Cli.good("jobs", "--server", second.url()).out()).contains("1   sh");
        assertThat(second.summary())
            .contains("store postgresql://127.0.0.1")
            .doesNotContain("word");
        first.close();
        awaitLead(second);
        assertThat(new Watch(client(second), 1, _ -> {}).end().text("state"))
            .isEqualTo("succeeded");
      } finally {
        first.close();
      }
    }
  }

  private static Client client(Serving serving) {
    return new Client(URI.create(serving.url()), "");
  }
}
