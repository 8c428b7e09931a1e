package io.ringmaster.engine.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of each version. */
class RestWordsTest {
  private static RestWords words(int version) {
    return new RestWords(version, 1794981609, Map.of("PATH", "/bin", "HOME", "/root"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "38; {\"nodes\":\"1-1\",\"nodelist\":\"n3\",\"gres\":\"gpu:3\",\"begin_time\":\"now\"}",
        "39; {\"minimum_nodes\":1,\"maximum_nodes\":1,\"required_nodes\":[\"n3\"],\"tres_per_node\":\"gres:gpu:3\",\"begin_time\":1794981609}",
        "45; {\"minimum_nodes\":1,\"maximum_nodes\":1,\"required_nodes\":[\"n3\"],\"tres_per_node\":\"gres/gpu:3\",\"begin_time\":1794981609}"
      })
  void aJobIsGivenItsNodes(int version, String body) throws IOException {
    List<String> words = List.of("numnodes=1-1", "nodelist=n3", "gres=gpu:3", "starttime=now");
    assertThat(Json.text(words(version).change(words))).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({"38, now+2", "45, 1794981611"})
  void oneThatIsToStartALittleLater(int version, String time) throws IOException {
    assertThat(words(version).change(List.of("starttime=now+2")).get("begin_time"))
        .hasToString(time);
  }

  @ParameterizedTest
  @CsvSource({"38, '{\"nodelist\":\"\"}'", "45, '{\"required_nodes\":[]}'"})
  void nodesAreTakenOff(int version, String body) throws IOException {
    assertThat(Json.text(words(version).change(List.of("nodelist=")))).isEqualTo(body);
  }

  @Test
  void aJobOfOneComponent() throws IOException {
    List<String> options =
        List.of(
            "--partition=ring",
            "--job-name=train",
            "--comment=ringmaster/x",
            "--no-requeue",
            "--chdir=/",
            "--output=/dev/null",
            "--cpus-per-task=2",
            "--export=PATH,HOME,LANG",
            "--nodes=2",
            "--ntasks-per-node=4",
            "--nodelist=n1,n2",
            "--gres=gpu:4",
            "--mem=2000M");
    assertThat(Json.text(words(38).submission(options, "#!/bin/sh\n")))
        .isEqualTo(
            "{\"script\":\"#!/bin/sh\\n\",\"job\":{\"partition\":\"ring\",\"name\":\"train\",\"comment\":\"ringmaster/x\",\"requeue\":false,\"current_working_directory\":\"/\",\"standard_output\":\"/dev/null\",\"cpus_per_task\":2,\"environment\":{\"PATH\":\"/bin\",\"HOME\":\"/root\"},\"nodes\":\"2-2\",\"tasks_per_node\":4,\"nodelist\":\"n1,n2\",\"gres\":\"gpu:4\",\"memory_per_node\":\"2000M\"}}");
    assertThat(Json.text(words(45).submission(options, "#!/bin/sh\n")))
        .isEqualTo(
            "{\"job\":{\"partition\":\"ring\",\"name\":\"train\",\"comment\":\"ringmaster/x\",\"requeue\":false,\"current_working_directory\":\"/\",\"standard_output\":\"/dev/null\",\"cpus_per_task\":2,\"environment\":[\"PATH=/bin\",\"HOME=/root\"],\"minimum_nodes\":2,\"maximum_nodes\":2,\"tasks_per_node\":4,\"required_nodes\":[\"n1\",\"n2\"],\"tres_per_node\":\"gres/gpu:4\",\"memory_per_node\":2000,\"script\":\"#!/bin/sh\\n\"}}");
  }

  @Test
  void aJobOfTwoComponents() throws IOException {
    List<String> options =
        List.of("--export=PATH", "--nodes=1", "--gres=gpu:3", ":", "--nodes=1", "--gres=gpu:1");
    assertThat(Json.text(words(38).submission(options, "x")))
        .isEqualTo(
            "{\"script\":\"x\",\"jobs\":[{\"environment\":{\"PATH\":\"/bin\"},\"nodes\":\"1-1\",\"gres\":\"gpu:3\"},{\"nodes\":\"1-1\",\"gres\":\"gpu:1\",\"environment\":{\"PATH\":\"/bin\"}}]}");
  }

  @Test
  void whatItIsNotToldOfIsRefused() {
    assertThatThrownBy(() -> words(45).change(List.of("qos=high")))
        .hasMessage("slurmrestd is not told of 'qos'; leave out 'rest'");
  }
}
