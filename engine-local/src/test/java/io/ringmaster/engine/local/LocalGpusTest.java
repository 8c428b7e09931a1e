package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalGpusTest {
  @TempDir Path folder;

  /** A stand-in for nvidia-smi that checks how it is called. */
  private String program(String body) throws IOException {
    Path program = folder.resolve("nvidia-smi");
    Files.writeString(
        program,
        "#!/bin/sh\n[ \"$*\" = '--query-gpu=index --format=csv,noheader' ] || exit 3\n" + body);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program.toString();
  }

  @Test
  void indexesAreAsTheDriverSays() throws IOException {
    assertThat(LocalGpus.found(program("echo 0; echo 1; echo 3"))).isEqualTo(List.of(0, 1, 3));
  }

  @Test
  void noProgramNoGpus() {
    assertThat(LocalGpus.found(folder.resolve("nothing").toString())).isEmpty();
  }

  @Test
  void aBrokenDriverIsNotTakenForNoGpus() throws IOException {
    String failing = program("echo \"couldn't communicate with the driver\"; exit 9");
    assertThatThrownBy(() -> LocalGpus.found(failing))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("couldn't communicate with the driver")
        .hasMessageContaining("declare the slots");
    String chatty = program("echo No devices were found");
    assertThatThrownBy(() -> LocalGpus.found(chatty)).isInstanceOf(BadInput.class);
  }

  @Test
  void nodesAreChecked() {
    assertThat(LocalNode.declared("a", 3).slots()).isEqualTo(List.of(0, 1, 2));
    assertThatThrownBy(() -> LocalNode.declared("a b", 3)).isInstanceOf(BadInput.class);
    assertThatThrownBy(() -> new LocalNode("a", List.of(1, 1))).isInstanceOf(BadInput.class);
  }
}
