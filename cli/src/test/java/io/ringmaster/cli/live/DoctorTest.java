package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.live.DoctorChecks.Finding;
import io.ringmaster.cli.live.DoctorChecks.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of a machine that is well, and of one that is not. */
class DoctorTest {
  @TempDir Path folder;

  @Test
  void aFreePortAndAFolderToBeMade() {
    assertThat(finding("port", "127.0.0.1:0", folder).state()).isEqualTo(State.OK);
    Finding data = finding("data folder", "127.0.0.1:0", folder.resolve("new/one"));
    assertThat(data.state()).isEqualTo(State.OK);
    assertThat(data.found()).endsWith("new/one, made by the first serve");
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void aFileWhereTheFolderShouldBe() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    Finding data = finding("data folder", "127.0.0.1:0", file);
    assertThat(data.state()).isEqualTo(State.BROKEN);
    assertThat(data.found()).isEqualTo("cannot write to " + file);
    assertThat(data.advice()).contains("--data");
  }

  @Test
  void aPortOfAnotherProgram() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // It hangs up on whoever asks.
      Thread.ofPlatform().daemon().start(() -> hangUp(other));
      Finding port = finding("port", "127.0.0.1:" + other.getLocalPort(), folder);
      assertThat(port.state()).isEqualTo(State.BROKEN);
      assertThat(port.found()).contains(String.valueOf(other.getLocalPort()));
    }
  }

  private static void hangUp(ServerSocket other) {
    try {
      while (true) {
        other.accept().close();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static Finding finding(String what, String listen, Path data) {
    ServeConfig config = ServeConfig.of(null, new ServeConfig.Given(listen, data, null, null));
    return new DoctorChecks(config)
        .all().stream().filter(each -> each.what().equals(what)).findFirst().orElseThrow();
  }
}
