package io.ringmaster.engine.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.slurm.client.RestClient.RestError;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same queue and the same nodes, as several versions of slurmrestd tell them. */
class RestShapesTest {
  private static Map<?, ?> told(String what, int version) throws IOException {
    String name = "/slurm/rest/%s-v0.0.%d.json".formatted(what, version);
    try (InputStream in = RestShapesTest.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      return (Map<?, ?>)
          Objects.requireNonNull(Json.parse(new String(bytes, StandardCharsets.UTF_8)));
    }
  }

  private static SlurmJob job(int version, String address) throws IOException {
    return RestShapes.jobs(told("jobs", version)).stream()
        .filter(job -> job.address().equals(address))
        .findAny()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {39, 40, 45})
  void allVersionsTellTheSame(int version) throws IOException {
    assertThat(RestShapes.jobs(told("jobs", version)))
        .isEqualTo(RestShapes.jobs(told("jobs", RestClient.OLDEST)));
    assertThat(RestShapes.nodes(told("nodes", version)))
        .isEqualTo(RestShapes.nodes(told("nodes", RestClient.OLDEST)));
  }

  @ParameterizedTest
  @ValueSource(ints = {38, 45})
  void aJobThatWaits(int version) throws IOException {
    assertThat(job(version, "10"))
        .isEqualTo(
            new SlurmJob(
                "10",
                10,
                "ring",
                "PD",
                "JobHeldUser",
                "ada",
                "physics",
                true,
                7200,
                1794981609,
                0,
                2,
                2,
                0,
                0,
                4,
                2,
                List.of(),
                new Needs(
                    "",
                    "",
                    4,
                    3,
                    2000 * SlurmNode.BYTES_PER_MB,
                    0,
                    "big&fast",
                    List.of("n1", "n2"),
                    List.of("n7", "n8")),
                0,
                0,
                "afterok:9(unfulfilled)",
                false,
                true,
                true,
                "/home/ada/train.sh",
                "train",
                "ringmaster min=1 max=8"));
    assertThat(job(version, "42").reason()).isEqualTo("ReqNodeNotAvail, UnavailableNodes:n1");
    assertThat(job(version, "42").isHeld()).isFalse();
    assertThat(job(version, "42").timeLimitSeconds()).isNaN();
    assertThat(job(version, "42").tasksPerNode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {38, 45})
  void tasksOfAnArrayAndComponentsAreJobsOfTheirOwn(int version) throws IOException {
    assertThat(RestShapes.jobs(told("jobs", version)))
        .extracting(SlurmJob::address)
        .containsExactly(
            "10", "18_1", "18_2", "18_3", "18_7", "18_4", "30+0", "30+1", "40", "41", "42");
    assertThat(job(version, "18_2").gpus()).isEqualTo(3);
    SlurmJob task = job(version, "18_4");
    assertThat(task.id()).isEqualTo(20);
    assertThat(task.nodeList()).containsExactly("n1", "n2");
    assertThat(task.gpusPerTask()).isEqualTo(1);
    assertThat(task.restarts()).isEqualTo(1);
    assertThat(task.mayRequeue()).isFalse();
    assertThat(job(version, "30+1").isHeterogeneous()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "38, 40, F, 3",
    "45, 40, F, 3",
    "39, 41, OOM, 137",
    "45, 41, OOM, 137",
    "38, 30+0, CG, 0"
  })
  void howAJobEnded(int version, String address, String state, int code) throws IOException {
    assertThat(job(version, address).state()).isEqualTo(state);
    assertThat(job(version, address).exitCode()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, PD",
    "RUNNING;COMPLETING, CG",
    "COMPLETED;COMPLETING, CG",
    "PENDING;REQUEUE_HOLD, RH",
    "RUNNING;CONFIGURING, CF",
    "NODE_FAIL, NF",
    "PENDING;LAUNCH_FAILED, PD",
    "ELSEWHERE, ELSEWHERE"
  })
  void statesInShort(String words, String state) {
    assertThat(RestShapes.state(List.of(words.split(";", -1)))).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(ints = {38, 39, 40, 45})
  void nodes(int version) throws IOException {
    List<SlurmNode> nodes = RestShapes.nodes(told("nodes", version));
    assertThat(nodes.getFirst())
        .isEqualTo(
            new SlurmNode(
                "n1",
                "MIXED",
                "",
                List.of("main", "ring"),
                4,
                3,
                "",
                "10.0.0.1",
                List.of("nvlink", "fast"),
                List.of("gpu"),
                16,
                6,
                4096 * SlurmNode.BYTES_PER_MB,
                1024 * SlurmNode.BYTES_PER_MB));
    assertThat(nodes).extracting(SlurmNode::isUp).containsExactly(true, false, false);
    assertThat(nodes).extracting(SlurmNode::isResponding).containsExactly(true, true, false);
    assertThat(nodes.get(1).gpus()).isEqualTo(8);
    assertThat(nodes.get(1).gpu()).isEqualTo("a100");
    assertThat(nodes.get(1).gres()).containsExactly("gpu", "gpu:a100");
    assertThat(nodes.get(1).reason()).isEqualTo("fan");
  }

  @Test
  void errorsHaveHadSeveralNames() {
    Map<?, ?> old =
        Map.of("errors", List.of(Map.of("error_code", 2017, "error", "Invalid job id")));
    Map<?, ?> now =
        Map.of(
            "errors",
            List.of(
                Map.of(
                    "error_number", 2017, "error", "Invalid job id", "description", "no job 7")));
    assertThat(RestShapes.errors(old)).containsExactly(new RestError(2017, "Invalid job id"));
    assertThat(RestShapes.errors(now))
        .containsExactly(new RestError(2017, "Invalid job id, no job 7"));
    assertThat(RestShapes.errors(Map.of())).isEmpty();
  }

  @Test
  void theClusterAndWhatWasSubmitted() throws IOException {
    assertThat(RestShapes.cluster(told("jobs", 45))).isEqualTo("testbed");
    assertThat(RestShapes.cluster(told("jobs", 38))).isEmpty();
    assertThat(RestShapes.submitted(Map.of("job_id", 7))).isEqualTo("7");
    assertThat(RestShapes.submitted(Map.of("result", Map.of("job_id", 8)))).isEqualTo("8");
    assertThat(RestShapes.submitted(Map.of("errors", List.of()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'1-3,8,10-20:5%2', '1 2 3 8 10 15 20'",
    "'4', '4'",
    "'1,3,5,7...', '1 3 5'",
    "'5-3', ''",
    "'', ''"
  })
  void tasksInShort(String text, String numbers) {
    assertThat(ArrayTasks.numbers(text).stream().map(String::valueOf).toList())
        .isEqualTo(numbers.isEmpty() ? List.of() : List.of(numbers.split(" ", -1)));
  }

  @Test
  void whatNobodyExpectsIsNothing() {
    Map<?, ?> odd = Map.of("jobs", List.of("x", Map.of("job_id", "7", "priority", List.of())));
    SlurmJob job = RestShapes.jobs(odd).getFirst();
    assertThat(job.address()).isEqualTo("7");
    assertThat(job.state()).isEmpty();
    assertThat(RestShapes.jobs(Map.of("jobs", "none"))).isEmpty();
  }
}
