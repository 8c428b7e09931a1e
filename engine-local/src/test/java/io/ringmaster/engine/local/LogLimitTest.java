package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logs are cut, and nothing is started when the disk is short. */
class LogLimitTest extends LocalEngineStage {
  private static final String CUT =
      "\nringmaster: cut here: the log reached 1 MB, and what was printed between is gone\n";

  @Override
  LocalSettings settings() {
    return settings(Map.of("log-limit-mb", "1"));
  }

  @Test
  void aCutKeepsTheBeginningAndTheEnd() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "first\n" + "x".repeat(2000) + "\nlast\n");
    assertThat(LogLimit.cut(log, 1000)).isTrue();
    assertThat(Files.readString(log))
        .hasSizeLessThan(1000)
        .startsWith("first\nxxx")
        .endsWith("xxx\nlast\n")
        .contains("xxx\nringmaster: cut here: the log reached 0.001 MB, and what was");
    assertThat(LogLimit.cut(log, 1000)).isFalse();
    assertThat(LogLimit.cut(folder.resolve("none"), 1000)).isFalse();
  }

  @Test
  void aFloodIsCutAndGoesOnAfterTheCut() throws Exception {
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "echo first; echo fine >&2; yes | head -c 3000000; until [ -e go ]; do sleep 0.05;"
                + " done; echo last; echo by name >>/dev/stdout"));
    Path log = folder.resolve("data/logs/1/1/0.out");
    await("the cut", () -> Files.size(log) < 1_000_000 && Files.readString(log).contains(CUT));
    Files.createFile(folder.resolve("data/work/1/go"));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(output(ONE, Engine.Stream.STDOUT))
        .hasSizeLessThan(1_000_000)
        .startsWith("first\ny\ny\n")
        .contains(CUT)
        .endsWith("y\nlast\nby name\n");
    assertThat(output(ONE, Engine.Stream.STDERR)).isEqualTo("fine\n");
  }

  /** What ends before anybody looked is cut as well. */
  @Test
  void aFloodThatIsOverIsCut() throws IOException {
    // In one write: what is appended in the very moment of a cut is lost.
    String flood = "(yes | head -c 5000000; echo last) | dd bs=8M iflag=fullblock status=none";
    engine.launch(1, launch(ONE, "left:1", "sh", "-c", flood));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(output(ONE, Engine.Stream.STDOUT))
        .hasSizeLessThan(1_000_000)
        .contains(CUT)
        .endsWith("y\nlast\n");
  }

  /** More is kept free than there is: the node takes nobody, and those that run go on. */
  @Test
  void nothingIsStartedWhenTheDiskIsShort() throws Exception {
    engine.launch(1, launch(ONE, "left:1", "sh", "-c", "echo 1; while :; do sleep 60; done"));
    printed(ONE, 1);
    engine.close();
    engine = opened(settings(Map.of("disk-reserve-mb", "100000000")));
    assertThat(engine.observe().nodes())
        .noneMatch(node -> node.up())
        .allMatch(node -> node.whyClosed().startsWith("the server's disk is short: less than"));
    assertThatThrownBy(() -> engine.launch(2, launch(TWO, "left:1", "true")))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "the disk of .*data has [0-9]+ MB free, and 100000000 MB are kept for the server");
    assertThat(status(ONE).phase()).isEqualTo(new Status.Running());
    engine.stop(ONE, 0);
    end(ONE);
    engine.close();
    open();
    assertThat(engine.observe().nodes()).allMatch(node -> node.up());
    engine.launch(3, launch(TWO, "left:1", "true"));
    assertThat(end(TWO)).isEqualTo(new Status.Exited(0, false));
  }
}
