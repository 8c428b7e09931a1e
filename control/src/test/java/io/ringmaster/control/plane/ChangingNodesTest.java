package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.NodeRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that come, go, grow and shrink under a plane, and others who take GPUs. */
class ChangingNodesTest {
  private final Stage stage = new Stage(1, 4, "fifo", Map.of());

  private void told(Node... nodes) {
    stage.nodes.clear();
    stage.nodes.addAll(List.of(nodes));
    stage.now += 20;
    stage.observe();
  }

  /** A job runs, and is told with the nodes from now on. */
  private void runs(long job) {
    stage.runs(job);
    stage.engine.add(new Status(new AttemptId(job, 1), new Status.Running()));
  }

  private static Node heldByOthers(int gpus) {
    return new Node("s0001", 4, true).heldByOthers(new Node.Held(gpus, 0, 0));
  }

  @Test
  void nobodyIsLaunchedOnGpusThatOthersHold() {
    told(heldByOthers(3));
    long job = stage.submit("{\"command\":[\"x\"],\"gpus\":2}");
    assertThat(stage.state(job)).isEqualTo("queued");
    told(heldByOthers(2));
    assertThat(stage.where(job)).isEqualTo("s0001:2");
    assertThat(stage.store.nodes()).containsExactly(new NodeRow(heldByOthers(2)));
    stage.restart();
    assertThat(stage.submit("ada", "", "{\"command\":[\"x\"],\"gpus\":1}").join().state().text())
        .as("the next server knows it before it is told again")
        .isEqualTo("queued");
  }

  @Test
  void aJobOnANodeThatShrankGoesOnAndNobodyJoinsIt() {
    long first = stage.submit("{\"command\":[\"x\"],\"gpus\":3}");
    runs(first);
    told(new Node("s0001", 2, true));
    long second = stage.submit("{\"command\":[\"x\"],\"gpus\":1}");
    assertThat(stage.state(first)).isEqualTo("running");
    assertThat(stage.state(second)).isEqualTo("queued");
    stage.exits(first, 0, false);
    assertThat(stage.where(second)).isEqualTo("s0001:1");
  }

  /** What was lost still counts on its node: too little was left there for the other job. */
  @Test
  void aLostJobAndOthersTogetherLeaveTooLittle() {
    long first = stage.submit("{\"command\":[\"x\"],\"gpus\":2}");
    long second = stage.submit("{\"command\":[\"x\"],\"gpus\":2}");
    stage.runs(first);
    runs(second);
    told(new Node("s0001", 4, true));
    assertThat(stage.state(first)).isEqualTo("lost");
    told(heldByOthers(2));
    assertThat(stage.state(second)).isEqualTo("running");
  }

  @Test
  void aNodeThatTheFileDoesNotNameIsUsed() {
    assertThatThrownBy(() -> stage.submit("{\"command\":[\"x\"],\"gpus\":6}"))
        .hasMessageContaining("6 workers like these never fit; cluster 1x4 holds 4");
    told(new Node("s0001", 4, true), new Node("new", 2, true));
    long job = stage.submit("{\"command\":[\"x\"],\"gpus\":6}");
    assertThat(stage.where(job)).isEqualTo("s0001:4,new:2");
    told(new Node("s0001", 4, true));
    assertThat(stage.store.nodes())
        .as("remembered as long as a job is there")
        .containsExactly(
            new NodeRow(new Node("new", 2, false)), new NodeRow(new Node("s0001", 4, true)));
    stage.exits(job, 0, false);
    told(new Node("s0001", 4, true));
    assertThat(stage.store.nodes()).containsExactly(new NodeRow(new Node("s0001", 4, true)));
  }
}
