package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same jobs under the same simple policy as other people's simulators ran: every start and end
 * must agree. Needs {@code RINGMASTER_CROSSCHECK}, a folder with their inputs and answers.
 */
class CrosscheckTest {
  @ParameterizedTest(name = "{0} {1} {2} = {3} {4}")
  @CsvSource({
    "xc1, tiresias, fifo, fifo, placement=any",
    "xc3, tiresias, fifo, fifo, placement=any",
    "xc1, alea, fcfs, fifo, placement=pack",
    "xc1, tiresias, fjf, fifo, blocking=false",
    "xc3, tiresias, fjf, fifo, blocking=false",
    "xc1, pai, fifo, fifo, blocking=false",
    "xc3, pai, fifo, fifo, blocking=false",
    "xc1, alea, sjf, sjf, placement=spread",
    "xc1, pai, sjf, sjf, blocking=false",
    "xc3, pai, sjf, sjf, blocking=false",
    "xc1, helios, fifo, fifo, placement=consolidate",
    "xc1, lucid, fifo, fifo, placement=consolidate",
    "xc1, helios, sjf, sjf, placement=consolidate",
    "xc1, lucid, sjf, sjf, placement=consolidate",
    "xc1, tiresias, shortest, srtf, placement=any",
    "xc3, tiresias, shortest, srtf, placement=any",
    "xc1, tiresias, shortest-gpu, srsf, placement=any",
    "xc3, tiresias, shortest-gpu, srsf, placement=any",
  })
  void agrees(String input, String simulator, String theirPolicy, String policy, String setting)
      throws IOException {
    String folder = System.getenv("RINGMASTER_CROSSCHECK");
    assumeTrue(folder != null, "RINGMASTER_CROSSCHECK names no folder");
    Path root = Path.of(folder);
    List<Row> theirs =
        read(root.resolve("expected/%s__%s__%s.csv".formatted(input, simulator, theirPolicy)));
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (Row row : read(root.resolve("inputs/" + input + ".csv"))) {
      builder.addDuration(
          row.text("job_id"),
          Double.parseDouble(row.text("submit_time")),
          Integer.parseInt(row.text("num_gpu")),
          Double.parseDouble(row.text("duration")),
          "");
    }
    Jobs jobs = builder.build();
    Cluster cluster =
        input.equals("xc3")
            ? Cluster.uniform(4, 4, Network.None.USUAL, 0)
            : Cluster.uniform(16, 8, Network.None.USUAL, 0);

    RunResult ours = Runs.run(cluster, jobs, policy, setting);

    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    Map<String, Integer> index = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      index.put(jobs.id(job), job);
    }
    for (Row row : theirs) {
      int job = Objects.requireNonNull(index.get(row.text("job_id")));
      expected.add(
          line(
              row.text("job_id"),
              Double.parseDouble(row.text("start_time")),
              Double.parseDouble(row.text("end_time"))));
      actual.add(line(jobs.id(job), ours.startSeconds(job), ours.finishSeconds(job)));
    }
    assertThat(actual).hasSize(jobs.size()).isEqualTo(expected);
  }

  private record Row(List<String> header, List<String> fields) {
    String text(String column) {
      return fields.get(header.indexOf(column));
    }
  }

  private static String line(String id, double start, double end) {
    return id + " " + start + " " + end;
  }

  private static List<Row> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] header = lines.getFirst().split(",", -1);
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      rows.add(new Row(List.of(header), List.of(fields)));
    }
    return rows;
  }
}
