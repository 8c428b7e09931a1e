package io.ringmaster.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The demo's picture of text. */
class BoardTest {
  private static final List<Board.Row> JOBS =
      List.of(
          new Board.Row(1, "vision-1", "running", "node1:4,node2:2", 0.519, 0.8123, 1),
          new Board.Row(2, "text-2", "placed", "node2:2", 0, Double.NaN, 0),
          new Board.Row(3, "speech-3", "succeeded", "", 1, 0.5, 0));

  private static Board board(List<String> news) {
    Map<String, Integer> nodes = new LinkedHashMap<>();
    nodes.put("node1", 4);
    nodes.put("node2", 4);
    nodes.put("node3", 4);
    return new Board("doubling", "http://127.0.0.1:7070", 83.4, nodes, JOBS, 2, news);
  }

  @Test
  void jobsAndTheirGpus() {
    assertThat(board(List.of("  1.0 s  vision-1 runs")).lines(100, 30, false))
        .containsExactly(
            "ringmaster demo  http://127.0.0.1:7070  1:23  8 of 12 GPUs  policy doubling",
            "",
            "   node1 [aaaa]   node2 [aabb]   node3 [....]",
            "",
            "   job         state          workers  progress                       loss  restarts",
            "a  vision-1    running              6  ██████████░░░░░░░░░░  51 %    0.812         1",
            "b  text-2      placed               2  ░░░░░░░░░░░░░░░░░░░░   0 %        -         0",
            "c  speech-3    succeeded            -  ████████████████████ 100 %    0.500         0",
            "   2 jobs are still to come",
            "",
            "  1.0 s  vision-1 runs");
  }

  /** The bar gives way. */
  @Test
  void eightyColumnsAreEnough() {
    assertThat(board(List.of()).lines(80, 30, false))
        .startsWith("ringmaster demo  http://127.0.0.1:7070  1:23  8 of 12 GPUs  policy doubling")
        .contains(
            "   job         state          workers  progress                   loss  restarts",
            "a  vision-1    running              6  ████████░░░░░░░░  51 %    0.812         1")
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }

  /** The oldest news go first; a terminal that is smaller still shows the top. */
  @Test
  void itFitsTheTerminal() {
    Board board = board(List.of("one", "two", "three"));
    assertThat(board.lines(100, 12, false)).hasSize(12).endsWith("two", "three");
    assertThat(board.lines(100, 4, false)).hasSize(4);
    assertThat(board.lines(30, 30, false))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(50));
    assertThat(board.lines(30, 30, false).getFirst()).hasSize(30).endsWith("…");
  }

  @Test
  void coloursComeOnlyOnTerminals() {
    assertThat(String.join("", board(List.of()).lines(100, 30, true))).contains("\u001b[38;5;39ma");
    assertThat(String.join("", board(List.of()).lines(100, 30, false))).doesNotContain("\u001b");
  }
}
