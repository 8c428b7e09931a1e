package io.ringmaster.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class TableTest {
  private static Table small() {
    Table table = new Table("name", "a", "b", "c").optional("c", "a");
    table.row("one", "1", "2", "3");
    table.row("three", "10", "20", "30");
    return table;
  }

  @Test
  void allColumnsWhereThereIsRoom() {
    assertThat(small().text(17))
        .isEqualTo(
            """
            name    a   b   c
            -----  --  --  --
            one     1   2   3
            three  10  20  30
            """);
  }

  @Test
  void whatMattersLeastIsLeftOutFirstAndTold() {
    assertThat(small().text(16))
        .isEqualTo(
            """
            name    a   b
            -----  --  --
            one     1   2
            three  10  20
            (--wide also shows: c)
            """);
    assertThat(small().text(12)).startsWith("name    b\n").endsWith("(--wide also shows: a; c)\n");
  }

  @Test
  void wordsTakeSeveralLinesAndNothingIsCut() {
    Table table = new Table("id", "reason").words("reason");
    table.row("1", "waits for two whole servers");
    table.row("2", "abcdefghijklmnopqrstuvw");
    assertThat(table.text(16))
        .isEqualTo(
            """
            id  reason
            --  ------------
            1   waits for
                two whole
                servers
            2   abcdefghijkl
                mnopqrstuvw
            """);
    assertThat(table.text(Integer.MAX_VALUE)).contains("1   waits for two whole servers\n");
  }

  @Test
  void aHeadingStandsAcrossAllColumns() {
    Table table = new Table("policy", "x");
    table.heading("a long setting of some kind");
    table.row("  fifo", "1");
    assertThat(table.text(20))
        .isEqualTo(
            """
            policy  x
            ------  -
            a long setting of some kind
              fifo  1
            """);
  }

  @Test
  void aCellCannotSteerTheTerminal() {
    Table table = new Table("name");
    table.row("a\u001b[2Jb");
    assertThat(table.text(80)).contains("a\\u001b[2Jb");
  }

  @Test
  void blanksBeforeACellStay() {
    Table table = new Table("x", "y");
    table.row("  median", "1");
    assertThat(table.text(80)).contains("  median  1\n");
  }

  @Test
  void aColumnOfTimesHasOneUnit() {
    assertThat(Durations.ofColumn(DoubleStream.of(1, 7200, 1e6))).isEqualTo(Durations.HOURS);
    assertThat(Durations.HOURS.with(1800)).isEqualTo("0.50 h");
    assertThat(Durations.HOURS.with(Double.NaN)).isEqualTo("-");
  }
}
