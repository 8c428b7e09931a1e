package io.ringmaster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {
  @Test
  void isThatOfTheInnermostMethodThatOneKnows() {
    String heap = "io.ringmaster.model.collect.LazyHeap.siftDown";
    String queue = "io.ringmaster.policy.queue.SizeQueues.first";
    String loop = "io.ringmaster.simulator.Simulation.run";
    String files = "io.ringmaster.runs.RunFiles.segment";
    String command = "io.ringmaster.cli.simulate.SimulateCommand.call";
    assertThat(Part.of(List.of(heap, queue, loop, files, command))).isEqualTo(Part.POLICY);
    assertThat(Part.of(List.of(heap, loop, files, command))).isEqualTo(Part.LOOP);
    assertThat(Part.of(List.of("java.util.Arrays.copyOf", files, loop))).isEqualTo(Part.FILES);
    assertThat(Part.of(List.of("java.util.Arrays.copyOf", command))).isEqualTo(Part.START);
    assertThat(Part.of(List.of("java.lang.Thread.run"))).isEqualTo(Part.START);
  }

  @Test
  void whoKnowsMoreOfANameHasIt() {
    assertThat(Part.of(List.of("io.ringmaster.policy.execution.Progress.stop")))
        .isEqualTo(Part.LOOP);
    assertThat(Part.of(List.of("io.ringmaster.simulator.LowerBounds.of"))).isEqualTo(Part.FILES);
    assertThat(Part.of(List.of("io.ringmaster.cli.simulate.RunPage.write"))).isEqualTo(Part.PAGE);
  }
}
