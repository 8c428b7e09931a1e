package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenJobsTest {
  private static final String SACCT =
      "JobID|User|Submit|Eligible|Start|End|ElapsedRaw|State|ReqTRES|NodeList|Timelimit|Priority"
          + "|JobName\n";

  @TempDir Path dir;

  private SeenJobs read(String text) throws IOException {
    Path file = dir.resolve("queue.txt");
    Files.writeString(file, text);
    return SeenJobs.read(List.of(file), null, Map.of(), (_, _) -> {});
  }

  private static SeenJob job(SeenJobs seen, String id) {
    return seen.jobs().stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void sacctTellsOfJobsThatRunAndWaitBesideThoseThatEnded() throws IOException {
    SeenJobs seen =
        read(
            SACCT
                + "1|ann|1000|1000|1005|1015|10|COMPLETED|gres/gpu=2|n1|01:00:00|5|a\n"
                + "2|ann|1000|1000|1010|Unknown|90|RUNNING|gres/gpu=16|n[1-2]|1-00:00:00|5|b7\n"
                + "3|bob|1050|1060|Unknown|Unknown|0|PENDING|gres/gpu=8|None"
                + " assigned|UNLIMITED|9|c\n"
                + "4_[1-3%1]|bob|1070|1070|Unknown|Unknown|0|PENDING|gres/gpu=1|None"
                + " assigned|30:00|4|d\n");
    assertThat(seen.jobs()).hasSize(6);
    assertThat(job(seen, "1").state()).isEqualTo(SeenJob.State.ENDED);
    assertThat(job(seen, "1").gpusByServer()).isEqualTo(Map.of("n1", 2));
    SeenJob runs = job(seen, "2");
    assertThat(runs.state()).isEqualTo(SeenJob.State.RUNNING);
    assertThat(runs.lengthSeconds()).isEqualTo(90);
    assertThat(runs.limitSeconds()).isEqualTo(86_400);
    assertThat(runs.group()).isEqualTo("b");
    assertThat(runs.gpusByServer()).isEqualTo(Map.of("n1", 8, "n2", 8));
    SeenJob waits = job(seen, "3");
    assertThat(waits.state()).isEqualTo(SeenJob.State.WAITING);
    assertThat(waits.submitSeconds()).isEqualTo(1060);
    assertThat(waits.startSeconds()).isNaN();
    assertThat(waits.priority()).isEqualTo(9);
    assertThat(waits.limitSeconds()).isInfinite();
    assertThat(job(seen, "4_3").limitSeconds()).isEqualTo(1800);
  }

  @Test
  void squeueInTextTellsWhyAJobIsHeldAndAStartItExpectsIsNone() throws IOException {
    SeenJobs seen =
        read(
            """
            JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|NODES|TRES_PER_NODE|PRIORITY|REASON|NODELIST|NAME
            7|ann|RUNNING|2026-11-02T10:00:00|2026-11-02T10:05:00|1:30|2:00:00|2|gres/gpu:4|10|None|n[1-2]|x
            8|bob|PENDING|2026-11-02T10:01:00|2026-11-02T12:00:00|0:00|1:00:00|2|gres:gpu:4|9|Resources||y
            9|bob|PENDING|2026-11-02T10:02:00|N/A|0:00|1:00:00|1|gpu:1|8|Dependency||z
            10|bob|PENDING|2026-11-02T10:03:00|N/A|0:00|1:00:00|1|N/A|8|Priority||cpu
            """);
    assertThat(seen.jobs()).hasSize(3);
    assertThat(job(seen, "7").gpus()).isEqualTo(8);
    assertThat(job(seen, "7").lengthSeconds()).isEqualTo(90);
    assertThat(job(seen, "8").state()).isEqualTo(SeenJob.State.WAITING);
    assertThat(job(seen, "8").gpus()).isEqualTo(8);
    assertThat(job(seen, "8").heldBecause()).isEmpty();
    assertThat(job(seen, "9").heldBecause()).isEqualTo("it waits for another job (Dependency)");
    assertThat(seen.cluster().orElseThrow().totalGpus()).isEqualTo(8);
  }

  @Test
  void squeueInJson() throws IOException {
    SeenJobs seen =
        read(
            """
            {"jobs": [
             {"job_id": 7, "job_state": ["RUNNING"], "submit_time": {"set": true, "number": 1000},
              "start_time": {"set": true, "number": 1100}, "time_limit": {"set": true, "number": 60},
              "tres_alloc_str": "cpu=8,gres/gpu=4", "nodes": "n1", "user_name": "ann", "name": "x1"},
             {"job_id": 8, "job_state": "PENDING", "submit_time": 1200, "start_time": 5000,
              "tres_req_str": "cpu=8,gres/gpu=2", "priority": 3, "state_reason": "JobHeldUser",
              "user_name": "bob", "name": "y", "nodes": ""}]}
            """);
    assertThat(job(seen, "7").state()).isEqualTo(SeenJob.State.RUNNING);
    assertThat(job(seen, "7").limitSeconds()).isEqualTo(3600);
    assertThat(job(seen, "7").gpusByServer()).isEqualTo(Map.of("n1", 4));
    assertThat(job(seen, "8").state()).isEqualTo(SeenJob.State.WAITING);
    assertThat(job(seen, "8").heldBecause())
        .isEqualTo("its user holds it; 'scontrol release 8' lets it go (JobHeldUser)");
  }

  @Test
  void podsThatRunAndWait() throws IOException {
    String pod =
        """
        {"kind": "Pod", "metadata": {"uid": "%s", "name": "%s", "namespace": "lab",
          "creationTimestamp": "2026-11-02T10:00:00Z"},
         "spec": {"nodeName": "%s", "containers": [{"resources": {"limits":
          {"nvidia.com/gpu": "4"}}}]}, "status": {"phase": "%s" %s}}
        """;
    SeenJobs seen =
        read(
            "{\"kind\": \"List\", \"items\": ["
                + pod.formatted(
                    "a", "runs", "n1", "Running", ", \"startTime\": \"2026-11-02T10:01:00Z\"")
                + ","
                + pod.formatted("b", "waits", "", "Pending", "")
                + "]}");
    assertThat(job(seen, "lab/runs").gpusByServer()).isEqualTo(Map.of("n1", 4));
    assertThat(job(seen, "lab/waits").state()).isEqualTo(SeenJob.State.WAITING);
  }

  @Test
  void hostileFilesAreRefusedInOneLine() {
    for (String text :
        List.of("", "\u0000\u0001", "{", "{\"jobs\": 5}", "a|b\n1|2\n", SACCT, SACCT + "x|y\n")) {
      assertThatThrownBy(() -> read(text))
          .as(text)
          .isInstanceOf(BadInput.class)
          .message()
          .hasLineCount(1);
    }
  }

  @Test
  void aRangeOfTasksThatIsDamagedIsNotAMillionJobs() throws IOException {
    SeenJobs seen =
        read(
            SACCT
                + "4_[1-999999999]|bob|1070|1070|Unknown|Unknown|0|PENDING|gres/gpu=1|None"
                + " assigned|30:00|4|d\n");
    assertThat(seen.jobs()).hasSize(1001);
  }
}
