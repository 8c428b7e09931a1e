package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SacctJsonTest {
  @TempDir Path dir;

  private RecordedTrace read(String text) {
    return RecordedTrace.of(Sacct.FORMAT, Map.of(), dir, text);
  }

  /** Slurm 22.05 printed the same jobs in both forms. */
  @Test
  void bothFormsOfARealSiteTellTheSame() {
    RecordedTrace text = RecordedTrace.of(Sacct.FORMAT, Map.of(), RecordedTrace.sample("lab.txt"));
    RecordedTrace json = RecordedTrace.of(Sacct.FORMAT, Map.of(), RecordedTrace.sample("lab.json"));
    assertThat(json.jobs).hasSize(22);
    assertThat(new HashSet<>(json.jobs)).isEqualTo(new HashSet<>(text.jobs));
    assertThat(json.servers).isEqualTo(text.servers);
    assertThat(json.dropped).isEqualTo(text.dropped);
  }

  /** A job as data parser v0.0.40 and later writes it. */
  private static String job(int id, String more) {
    return """
    {"job_id": %d, "name": "train_017", "user": "ann", "partition": "gpu", "nodes": "gpu[01-02]",
     "array": {"job_id": 0, "task_id": {"set": false, "infinite": false, "number": 0}, "task": ""},
     "het": {"job_id": 0, "job_offset": {"set": false, "infinite": false, "number": 0}},
     "state": {"current": ["COMPLETED"], "reason": "None"},
     "time": {"elapsed": 10, "eligible": 1000, "submission": 990, "start": 1005, "end": 1015,
              "suspended": 0, "limit": {"set": true, "infinite": false, "number": 60}},
     "tres": {"allocated": [
        {"type": "cpu", "name": "", "id": 1, "count": 32},
        {"type": "mem", "name": "", "id": 2, "count": 65536},
        {"type": "gres", "name": "gpu", "id": 1001, "count": 4},
        {"type": "gres", "name": "gpu:a100", "id": 1002, "count": 4}], "requested": []},
     "steps": [{"step": {"id": "%d.batch"}, "tres": {"allocated": [[[]]]}}]%s}
    """
        .formatted(id, id, more);
  }

  private static String document(String... jobs) {
    return "\n{\"jobs\": [" + String.join(",", jobs) + "], \"meta\": {}, \"errors\": []}\n";
  }

  @Test
  void laterVersions() {
    RecordedTrace trace = read(document(job(7, "")));
    assertThat(trace.jobs)
        .containsExactly(
            TraceJob.of("7", 1000, 4, 10)
                .waited(5)
                .by("ann", "train_")
                .taking(8, 16.0 * (1 << 30)));
    assertThat(trace.servers).isEqualTo(Map.of("gpu01", 2, "gpu02", 2));
  }

  @Test
  void wrappedNumbersAndListsOfStates() {
    // A later member of the same name counts.
    String array = ", \"array\": {\"job_id\": 5, \"task_id\": {\"set\": true, \"number\": 3}}";
    String waiting =
        ", \"array\": {\"job_id\": 5, \"task_id\": {\"set\": false}, \"task\": \"4-9\"}";
    String part = ", \"het\": {\"job_id\": 30, \"job_offset\": {\"set\": true, \"number\": %d}}";
    String runs = ", \"state\": {\"current\": [\"RUNNING\", \"COMPLETING\"]}";
    String times =
        ", \"time\": {\"submission\": {\"set\": true, \"number\": 1}, \"start\": 2, \"end\": 9}";
    RecordedTrace trace =
        read(
            document(
                job(8, array),
                job(9, waiting),
                job(30, part.formatted(0)),
                job(31, part.formatted(1)),
                job(12, runs),
                job(13, times)));
    assertThat(trace.jobs.stream().map(TraceJob::id)).containsExactlyInAnyOrder("5_3", "30", "13");
    assertThat(trace.job("30").gpus()).isEqualTo(8);
    assertThat(trace.job("13").durationSeconds()).isEqualTo(7);
    assertThat(trace.dropped).isEqualTo(Map.of("is still waiting", 1, "is still running", 1));
  }

  @Test
  void severalDocumentsInOneFile() {
    RecordedTrace trace = read(document(job(1, "")) + document(job(2, ""), job(1, "")));
    assertThat(trace.jobs).hasSize(2);
    assertThat(trace.parts).isEqualTo(Map.of("the same row again", 1));
  }

  @Test
  void jobsThatMakeNoSenseAreDropped() {
    RecordedTrace trace =
        read(
            document(
                job(1, ""),
                "{}",
                "[3]",
                "null",
                job(2, ", \"nodes\": \"n[\""),
                job(3, ", \"time\": \"soon\"")));
    assertThat(trace.jobs).hasSize(1);
    assertThat(trace.dropped)
        .isEqualTo(
            Map.of(
                "has a job_id, tres or nodes that cannot be read", 4,
                "is still waiting", 1));
  }

  @Test
  void wrongFilesAreNamed() {
    assertBad("{\"items\": []}", ":1: expected a JSON object with an array \"jobs\"");
    assertBad("{\"jobs\": {}}", "expected a JSON object with an array \"jobs\"");
    assertBad("{\"jobs\": []} x", ":1: not JSON: ");
    assertBad("{\"jobs\": []}\n[]", ":2: expected a JSON object with an array \"jobs\"");
    assertBad(document(job(1, "")).substring(0, 300), ": not JSON: ");
  }

  private void assertBad(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    // A job is a line; the first three lines begin the document.
    List<String> lines = Files.readAllLines(RecordedTrace.sample("lab.json")).subList(0, 9);
    String whole = String.join("\n", lines).replaceFirst(",$", "]}");
    assertThat(read(whole).rows).isEqualTo(6);
    List<String> bits = List.of("{", "}", "[", "]", "\"", ",", "null", "-1", "1e99", "x");
    Seeds.each(
        150,
        (random, _) -> {
          StringBuilder text = new StringBuilder(whole);
          for (int i = random.nextInt(4); i >= 0; i--) {
            int at = 1 + random.nextInt(text.length() - 1);
            int to = Math.min(text.length(), at + random.nextInt(8));
            text.replace(at, to, bits.get(random.nextInt(bits.size())));
          }
          try {
            read(text.toString());
          } catch (BadInput e) {
            assertThat(e).message().doesNotContain("\n");
          }
        });
  }
}
