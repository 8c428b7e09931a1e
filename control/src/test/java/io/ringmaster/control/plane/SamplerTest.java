package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.store.Sample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the plane stores of how full the cluster is, counted by hand. */
class SamplerTest {
  private Stage stage = new Stage(3, 2, "fifo", Map.of());

  @AfterEach
  void close() {
    stage.database.close();
  }

  private Sample at(long seconds) {
    List<Sample> found =
        stage.store.samples(0, 60).stream().filter(s -> s.atSeconds() == seconds).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void looksOnceAMinuteAndCountsStarts() {
    long a = stage.submit("{\"command\": [\"a\"], \"gpus\": 3}");
    long b = stage.submit("{\"command\": [\"b\"], \"gpus\": 3}");
    stage.submit("{\"command\": [\"c\"], \"gpus\": 2}");
    stage.now = 1010;
    stage.runs(a);
    // Nothing is counted twice by a server that takes up.
    stage.restart();
    stage.now = 1030;
    stage.runs(b);
    stage.now = 1100;
    stage.observe();
    assertThat(at(960).starts()).isEqualTo(1);
    assertThat(at(960).startWaitSeconds()).isEqualTo(10);
    assertThat(at(1020).starts()).isEqualTo(1);
    assertThat(at(1020).startWaitSeconds()).isEqualTo(30);
    // Three GPUs need two of the nodes, so both jobs have workers on the second.
    assertThat(at(1080)).isEqualTo(new Sample(1080, 6, 6, 1, 2, 2, 2, 0, 0, 0, 0));
  }

  @Test
  void countsWhatUsersHold() {
    long a = stage.submit("{\"command\": [\"a\"], \"gpus\": 3}");
    stage.runs(a);
    long b = stage.submit("bob", "", "{\"command\": [\"b\"], \"gpus\": 2}").join().id();
    stage.now = 1030;
    stage.exits(b, 0, false);
    stage.now = 1100;
    stage.observe();
    assertThat(stage.store.usedGpuSeconds("bob", 0)).isEqualTo(2 * 30);
    assertThat(stage.store.usedGpuSeconds("ada", 0)).isEqualTo(3 * 100);
    assertThat(stage.store.usedGpuSeconds("", 0)).isEqualTo(2 * 30 + 3 * 100);
    // Within the hour that began at 0.
    assertThat(stage.store.usedGpuSeconds("", 3600)).isEqualTo(0);
  }

  @Test
  void countsRestartsAndLostWork() {
    stage.database.close();
    stage = new Stage(1, 4, "srtf", Map.of());
    long longer = stage.submit("{\"command\": [\"a\"], \"gpus\": 4, \"duration_s\": 10000}");
    stage.runs(longer);
    stage.now += 100;
    stage.submit("{\"command\": [\"b\"], \"gpus\": 4, \"duration_s\": 10}");
    stage.now += 6;
    stage.exits(longer, 143, true);
    double lost = stage.job(longer).lost().gpuSeconds();
    List<Sample> all = stage.store.samples(0, 60);
    assertThat(all.stream().mapToDouble(Sample::restarts).sum()).isEqualTo(1);
    assertThat(all.stream().mapToDouble(Sample::lostGpuSeconds).sum()).isEqualTo(lost);
    assertThat(stage.job(longer).restarts()).isEqualTo(1);
  }
}
