package io.ringmaster.engine.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedsTest {
  private static final SlurmNode NODE =
      SlurmNode.parse(
              "NodeName=n1 CPUTot=16 Gres=gpu:a100:4(S:0-1),nvme:2 ActiveFeatures=big,fast"
                  + " State=IDLE")
          .getFirst();

  private static Needs needs(String perNode, String features, List<String> on, List<String> off) {
    return new Needs.Told(perNode, "", "", "cpu=4", false, "", "", features, on, off).needs();
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "a, true",
    "c, false",
    "a&b, true",
    "a&c, false",
    "c|a, true",
    "c&a|b, true",
    "c&(a|b), false",
    "(c|a)&(b), true",
    "a|b&c, false"
  })
  void features(String text, boolean matches) {
    assertThat(Features.matches(text, Set.of("a", "b"))).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({"[a|b]", "a*2", "a&", "&a", "(a", "a)", "a b", "'a,b'", "()"})
  void whatIsNoExpressionHere(String text) {
    assertThat(Features.areRead(text)).isFalse();
  }

  @Test
  void whichNodesWillDo() {
    assertThat(needs("gres:gpu:2", "", List.of(), List.of()).isAnywhere()).isTrue();
    assertThat(needs("gres:gpu:a100:2", "big", List.of("n1"), List.of("n2")).isMetBy(NODE))
        .isTrue();
    assertThat(needs("gres:gpu:v100:2", "", List.of(), List.of()).isMetBy(NODE)).isFalse();
    assertThat(needs("gres:gpu:2", "slow", List.of(), List.of()).isMetBy(NODE)).isFalse();
    assertThat(needs("gres:gpu:2", "", List.of("n2"), List.of()).isMetBy(NODE)).isFalse();
    assertThat(needs("gres:gpu:2", "", List.of(), List.of("n1")).isMetBy(NODE)).isFalse();
    assertThat(needs("gres:gpu:2,gres:nvme:1", "", List.of(), List.of()).isMetBy(NODE)).isTrue();
    assertThat(needs("gres:gpu:2,gres:fpga", "", List.of(), List.of()).isMetBy(NODE)).isFalse();
  }

  @Test
  void gresIsKeptWithAnotherNumberOfGpus() {
    assertThat(needs("gres:gpu:a100:2,gres:nvme:1", "", List.of(), List.of()).gres(4))
        .isEqualTo("gpu:a100:4,nvme:1");
    // As newer versions write it.
    assertThat(needs("gres/gpu:a100=2,gres/nvme=1", "", List.of(), List.of()).gres(4))
        .isEqualTo("gpu:a100:4,nvme:1");
    assertThat(needs("gres:gpu", "", List.of(), List.of()).gres(1)).isEqualTo("gpu:1");
    assertThat(needs("gres:gpu:a100", "", List.of(), List.of()).gpuKind()).isEqualTo("a100");
  }

  @Test
  void theSameInWordsOfSbatch() {
    assertThat(needs("gres:gpu:a100:2", "big&fast", List.of("n1"), List.of("n2", "n3")).words())
        .isEqualTo("-C big&fast -w n1 -x n2,n3 --gres=gpu:a100");
  }
}
