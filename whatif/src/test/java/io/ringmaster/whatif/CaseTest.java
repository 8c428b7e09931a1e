package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaseTest {
  private static Scenario scenario() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 8, 100, "")
            .addDuration("b", 10, 4, 100, "")
            .build();
    Cluster cluster = Cluster.uniform(3, 8, Network.Contention.USUAL, 10);
    return new Scenario(jobs, cluster, "fifo", Foresight.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add 2x8",
        "remove 1x8",
        "nic 100Gbps",
        "policy maestro",
        "load 1.2",
        "restart 300s",
        "failures 6.5",
        "failures 4",
        "spares 2",
        "checkpoint 1800s",
        "checkpoint 1800s/60s",
        "resumable no"
      })
  void aChangeReadsAsItIsWritten(String text) {
    assertThat(Change.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          add two      | 'two' is no number of servers; expected such as 2x8: two of 8 GPUs, or 2x8:h100
          add 0x8      | '0x8' is no number of servers; expected such as 2x8: two of 8 GPUs, or 2x8:h100
          load 11      | load '11': expected a number from 0.1 to 10
          faster       | 'faster' is no change; expected add 2x8, remove 1x8, nic 100Gbps, policy NAME, load 1.2, restart 5min, failures 6.5, spares 2, checkpoint 30min/1min or resumable no
          failures -1  | failures '-1': expected how many servers fail for each thousand days of a server, such as 6.5, or a rate such as 4/1000d
          resumable 1  | resumable '1': expected no: no job can go on after a stop
          spares 0     | spares '0': expected a number of servers, such as 2
          checkpoint 0 | checkpoint '0': expected a time above 0, such as 30min, or 30min/1min if each takes a minute
          """)
  void aMistakeIsSaidInWords(String text, String words) {
    assertThatThrownBy(() -> Change.parse(text)).isInstanceOf(BadInput.class).hasMessage(words);
  }

  @ParameterizedTest
  @CsvSource({"4/1000d, 4", "1/40d, 25", "0.5/24h, 500"})
  void howOftenServersFailMayBeARate(String rate, double perThousandDays) {
    assertThat(Change.parse("failures " + rate)).isEqualTo(new Change.Fail(perThousandDays));
  }

  @Test
  void aCaseHasANameOrIsCalledByItsChanges() {
    Case named = Case.parse("grown: add 2x8, policy srsf");
    assertThat(named.name()).isEqualTo("grown");
    assertThat(named.changes())
        .containsExactly(new Change.AddServers(2, 8), new Change.UsePolicy("srsf"));
    assertThat(Case.parse("add 2x8, policy srsf").name()).isEqualTo("add 2x8, policy srsf");
    assertThatThrownBy(() -> Case.parse("replay: add 2x8")).isInstanceOf(BadInput.class);
  }

  @Test
  void serversComeAndGo() {
    Scenario grown = Case.parse("add 2x4, remove 1x8, restart 60s").of(scenario(), 1);
    assertThat(grown.cluster().servers().stream().map(Server::gpus)).containsExactly(8, 8, 4, 4);
    assertThat(grown.cluster().restartSeconds()).isEqualTo(60);
    assertThatThrownBy(() -> Case.parse("remove 3x8").of(scenario(), 1))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("one must stay");
  }

  @Test
  void serversOfAKindComeAndGo() {
    Scenario grown = Case.parse("more: add 2x8:h100, add 1x4:h100").of(scenario(), 1);
    assertThat(grown.cluster().kinds()).containsExactly("v100", "h100");
    assertThat(grown.cluster().server(3).gpuWatts()).isEqualTo(700);
    assertThat(grown.cluster().server(5).gpus()).isEqualTo(4);
    Case fewer = Case.parse("remove 1x8:h100");
    assertThat(fewer.name()).isEqualTo("remove 1x8:h100");
    assertThat(fewer.of(grown, 1).cluster().server(4).name()).isEqualTo("added-1");
    assertThatThrownBy(() -> fewer.of(scenario(), 1))
        .isInstanceOf(BadInput.class)
        .hasMessage("remove 1x8:h100: the cluster has 0 servers of 8 h100 GPUs, and one must stay");
  }

  @Test
  void serversFailHaveSparesAndJobsSave() {
    Scenario failing =
        Case.parse("failures 6.5, spares 2, checkpoint 30min/1min").of(scenario(), 1);
    assertThat(failing.cluster().failures()).isEqualTo(new Failures(6.5, 21600, 0.02, 0));
    assertThat(failing.cluster().size()).isEqualTo(5);
    assertThat(failing.jobs().checkpointSeconds(1)).isEqualTo(1800);
    assertThat(failing.jobs().saveSeconds(1)).isEqualTo(60);
    Scenario again = Case.parse("checkpoint 1h").of(failing, 1);
    assertThat(again.jobs().checkpointSeconds(1)).isEqualTo(1800);
  }

  @Test
  void moreWorkKeepsTheJobsThatWereThereAndLessIsSomeOfThem() {
    Scenario more = Case.parse("load 2").of(scenario(), 1);
    assertThat(more.jobs().size()).isEqualTo(4);
    assertThat(more.jobs().id(0)).isEqualTo("a");
    assertThat(Case.parse("load 0.5").of(scenario(), 1).jobs().size()).isEqualTo(1);
  }

  @Test
  void whatPeopleAskIsAskedUnasked() {
    List<String> names = Case.usual(scenario()).stream().map(Case::name).toList();
    assertThat(names)
        .containsExactly(
            "policy easy",
            "policy las",
            "policy srsf",
            "policy maestro",
            "add 1x8",
            "add 2x8",
            "remove 1x8",
            "remove 2x8",
            "nic 100Gbps");
  }
}
