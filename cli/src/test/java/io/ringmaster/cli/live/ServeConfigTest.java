package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.api.Limit;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server's file may say, and how mistakes in it are told. */
class ServeConfigTest {
  private static final ServeConfig.Given NOTHING = new ServeConfig.Given(null, null, null, null);

  @TempDir Path temporary;

  private Path file(String text) throws IOException {
    Path file = temporary.resolve("serve.yaml");
    Files.writeString(file, text);
    return file;
  }

  @Test
  void nothingNeedsToBeSaid() throws IOException {
    ServeConfig config = ServeConfig.of(null, NOTHING);
    assertThat(config.host()).isEqualTo("127.0.0.1");
    assertThat(config.port()).isEqualTo(7070);
    assertThat(config.data()).isEqualTo(Path.of("ringmaster-data"));
    assertThat(config.store()).isEqualTo("sqlite:ringmaster-data/ringmaster.db");
    assertThat(config.policy()).isEqualTo("maestro");
    assertThat(config.quotas()).isEmpty();
    assertThat(ServeConfig.of(file("# all as usual\n"), NOTHING).data())
        .isEqualTo(temporary.resolve("ringmaster-data"));
  }

  @Test
  void theFileIsReadAndTheCommandLineCountsMore() throws IOException {
    Files.writeString(temporary.resolve("two.yaml"), "servers: [{count: 2, gpus: 3}]\n");
    Path file =
        file(
            """
            listen: "[::1]:8080"
            data: state
            store: postgresql://ann:x@db/ringmaster
            engine: local
            cluster: two.yaml
            policy: las
            set: {queues: "10,20"}
            quotas: {ann: 8, bob: 0}
            limits: {requests_per_second: 50}
            """);
    ServeConfig config = ServeConfig.of(file, NOTHING);
    assertThat(config.host()).isEqualTo("::1");
    assertThat(config.port()).isEqualTo(8080);
    assertThat(config.data()).isEqualTo(temporary.resolve("state"));
    assertThat(config.store()).isEqualTo("postgresql://ann:x@db/ringmaster");
    assertThat(config.set()).isEqualTo(Map.of("queues", "10,20"));
    assertThat(config.quotas()).isEqualTo(Map.of("ann", 8, "bob", 0));
    assertThat(config.limits().number(Limit.REQUESTS_PER_SECOND)).isEqualTo(50);
    assertThat(nodes(config)).containsExactly("s0001:3", "s0002:3");
    ServeConfig other =
        ServeConfig.of(file, new ServeConfig.Given("0.0.0.0:0", Path.of("here"), "fifo", 2));
    assertThat(other.port()).isZero();
    assertThat(other.data()).isEqualTo(Path.of("here"));
    assertThat(other.set()).isEmpty();
    assertThat(nodes(other)).containsExactly("local:2");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "lissen: x             ~ :1:1: unknown key 'lissen' of the server; did you mean 'listen'?",
        "listen: nowhere       ~ :1:9: listen: 'nowhere' is not HOST:PORT, such as 127.0.0.1:7070",
        "listen: a:70000       ~ 'a:70000' is not HOST:PORT",
        "store: mysql://x      ~ :1:8: store: 'mysql://x' is not a store; expected sqlite, or",
        "engine: lsf           ~ :1:9: engine: no engine is called 'lsf'; there is 'local',"
            + " 'slurm-allocation', 'slurm', 'kubernetes'",
        "engine: {name: pbs}   ~ :1:9: engine: no engine is called 'pbs'; there is 'local',"
            + " 'slurm-allocation', 'slurm', 'kubernetes'",
        "engine: {slot: 3}     ~ :1:9: engine: engine local has no setting 'slot'; did you mean",
        "engine: {slots: x}    ~ :1:9: engine: engine local: setting slots: 'x' is not allowed",
        "engine: [local]       ~ :1:9: engine: expected a text; found a list",
        "policy: fif           ~ :1:9: no policy is called 'fif'; did you mean 'fifo'?",
        "slots: 0              ~ :1:8: slots: '0' is not a whole number from 1 to 1000",
        "quotas: {ann: many}   ~ :1:9: quotas.ann: 'many' is not a whole number",
        "quotas: 3             ~ :1:9: quotas: expected users with their GPUs",
        "limits: {rps: 3}      ~ :1:10: unknown key 'rps' of limits",
        "cluster: none.yaml    ~ none.yaml: no such file",
        "models: none.csv      ~ none.csv: no such file",
        "- 1                   ~ :1:1: expected the server, a mapping with listen",
      })
  void mistakesHaveTheirPlace(String text, String says) throws IOException {
    Path file = file(text + "\n");
    assertThatThrownBy(() -> ServeConfig.of(file, NOTHING))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(says)
        .message()
        .hasLineCount(1);
  }

  private static List<String> nodes(ServeConfig config) throws IOException {
    return config
        .engine()
        .discover(new EngineSetup(config.data(), config.engineSettings(), config.cluster()))
        .stream()
        .map(node -> node.name() + ":" + node.gpus())
        .toList();
  }

  @Test
  void anEngineHasSettingsOfItsOwn() throws IOException {
    Path file = file("engine: {name: local, slots: 3}\n");
    assertThat(nodes(ServeConfig.of(file, NOTHING))).containsExactly("local:3");
    ServeConfig.Given local = new ServeConfig.Given(null, null, null, 2, "local");
    assertThat(nodes(ServeConfig.of(file, local))).containsExactly("local:2");
    ServeConfig.Given other = new ServeConfig.Given(null, null, null, null, "pbs");
    assertThatThrownBy(() -> ServeConfig.of(file, other))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "--engine: no engine is called 'pbs'; there is 'local', 'slurm-allocation', 'slurm',"
                + " 'kubernetes'");
    assertThatThrownBy(() -> ServeConfig.of(file, new ServeConfig.Given(null, null, null, 0)))
        .hasMessage("--slots: expected a whole number from 1 to 1000, not 0");
  }

  @Test
  void aClusterFileSaysHowManyGpusThereAre() throws IOException {
    Path file = file("cluster: c.yaml\nslots: 3\n");
    assertThatThrownBy(() -> ServeConfig.of(file, NOTHING))
        .hasMessageContaining(":2:8: slots: a cluster file says it itself");
    Path other = file("cluster: c.yaml\nengine: {slots: 3}\n");
    assertThatThrownBy(() -> ServeConfig.of(other, NOTHING))
        .hasMessageContaining("slots: a cluster file says it itself");
  }
}
