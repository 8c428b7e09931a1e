package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.TarXz;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.XZInputStream;

/**
 * Every public trace that a reader can read, which are no part of this repository: run with {@code
 * RINGMASTER_TRACES} set to the directory that holds them. What is kept is compared with a plain
 * count over the lines.
 */
class TraceFilesTest {
  private static final Cluster CLUSTER = Cluster.uniform(2500, 8, Network.Contention.USUAL, 10);

  @TempDir Path folder;

  private static Path trace(String name) {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + name);
    Path file = Path.of(String.valueOf(directory)).resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "no such file: skipped " + file);
    return file;
  }

  private List<Path> unpacked(String name, String ending) throws IOException {
    Path to = Files.createDirectory(folder.resolve("unpacked"));
    TarXz.unpack(name, to);
    try (Stream<Path> all = Files.walk(to)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** The lines of a table that are no comment, without its header, split in the plainest way. */
  private static List<Map<String, String>> table(Path file) throws IOException {
    List<Map<String, String>> rows = new ArrayList<>();
    List<String> lines = lines(file);
    String[] names = lines.getFirst().split(",", -1);
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      Map<String, String> row = new java.util.HashMap<>();
      for (int i = 0; i < names.length; i++) {
        row.put(names[i], fields[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<String> lines(Path file) throws IOException {
    String name = file.toString();
    try (InputStream raw = Files.newInputStream(file);
        InputStream bytes =
            name.endsWith(".gz")
                ? new GZIPInputStream(raw)
                : name.endsWith(".xz") ? new XZInputStream(raw) : raw;
        BufferedReader text =
            new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
      return text.lines().filter(line -> !line.isBlank() && !line.startsWith(";")).toList();
    }
  }

  private static double number(Map<String, String> row, String column) {
    String text = row.getOrDefault(column, "");
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  /**
   * Imports files and compares.
   *
   * @param gpuSeconds of each line in turn; 0 or less, or NaN, if it is no job
   */
  private Imported check(String format, List<Path> files, long rows, double[] gpuSeconds) {
    Imported imported = TraceFormats.read(format, files, Map.of("models", "mix"), 1, (_, _) -> {});
    assertThat(imported.rows()).isEqualTo(rows);
    Jobs jobs = imported.jobs();
    double[] expected = Arrays.stream(gpuSeconds).filter(work -> work > 0).toArray();
    assertThat(jobs.size()).isEqualTo(expected.length);
    double sum = Arrays.stream(expected).sum();
    double found = all(jobs).mapToDouble(job -> jobs.work(job) * jobs.gpus(job)).sum();
    assertThat(found).isCloseTo(sum, within(1e-9 * sum));

    Path file = folder.resolve("jobs.csv");
    JobsFile.write(file, jobs);
    Jobs read = JobsFile.read(file, ModelTable.standard(), CLUSTER);
    assertThat(read.size()).isEqualTo(jobs.size());
    assertThat(read.submitSeconds(0)).isZero();
    assertThat(all(read).mapToDouble(read::work).allMatch(Double::isFinite)).isTrue();
    assertThat(all(read).allMatch(job -> read.model(job) >= 0)).isTrue();
    return imported;
  }

  private static IntStream all(Jobs jobs) {
    return IntStream.range(0, jobs.size());
  }

  private Imported checkTable(String format, Path file, Function<Map<String, String>, Double> work)
      throws IOException {
    List<Map<String, String>> rows = table(file);
    return check(
        format, List.of(file), rows.size(), rows.stream().mapToDouble(work::apply).toArray());
  }

  /** Its own column says how much GPU time a job had. */
  @Test
  void phillyCsv() throws IOException {
    Path file = trace("philly/philly_jobs_adaptdl.csv.gz");
    Imported imported = checkTable("philly-csv", file, row -> number(row, "gpu_time"));
    assertThat(imported.jobs().size()).isEqualTo(82_247);
  }

  @Test
  void chronus() throws IOException {
    checkTable(
        "chronus",
        trace("philly/chronus_philly_SLO.csv.gz"),
        row -> 60 * number(row, "num_gpu") * number(row, "duration"));
  }

  @Test
  void elasticFlow() throws IOException {
    checkTable(
        "elasticflow",
        trace("philly/elasticflow_philly_103959.csv.gz"),
        row -> number(row, "num_gpu") * number(row, "duration"));
  }

  @Test
  void gpu2023() throws IOException {
    List<Path> files = unpacked("alibaba/gpu-v2023_openb_csv.tar.xz", ".csv");
    int lists = 0;
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      if (name.startsWith("openb_pod_list_multigpu")) {
        assertThatThrownBy(
                () -> TraceFormats.read("gpu-2023", List.of(file), Map.of(), 1, (_, _) -> {}))
            .isInstanceOf(BadInput.class)
            .hasMessageContaining("these pods have no times");
      } else if (name.startsWith("openb_pod_list")) {
        checkTable(
            "gpu-2023",
            file,
            row ->
                number(row, "num_gpu")
                    * (number(row, "deletion_time") - number(row, "scheduled_time")));
        lists++;
      }
    }
    assertThat(lists).isEqualTo(20);
    Path nodes = folder.resolve("unpacked/csv/openb_node_list_all_node.csv");
    List<Path> both = List.of(folder.resolve("unpacked/csv/openb_pod_list_default.csv"), nodes);
    Imported imported = TraceFormats.read("gpu-2023", both, Map.of(), 1, (_, _) -> {});
    assertThat(imported.cluster("openb").orElseThrow().totalGpus())
        .isEqualTo((int) table(nodes).stream().mapToDouble(row -> number(row, "gpu")).sum())
        .isEqualTo(6212);
  }

  @Test
  void gpu2025() throws IOException {
    checkTable(
        "gpu-2025",
        trace("alibaba/gpu-v2025_disaggregated_DLRM_trace.csv.gz"),
        row ->
            number(row, "gpu_request")
                * (number(row, "deletion_time") - number(row, "scheduled_time")));
  }

  @Test
  void genai2026() throws IOException {
    checkTable(
        "genai-2026",
        trace("alibaba/v2026-GenAI_lora_request_trace.csv.gz"),
        row ->
            List.of("PENDING", "PROCESSING").contains(row.get("predict_status"))
                ? 0
                : number(row, "exec_time_seconds"));
  }

  @Test
  void swf() throws IOException {
    for (String name : List.of("swf/LCG.swf.gz", "swf/metacentrum_wagap-2013.swf.xz")) {
      Path file = trace(name);
      double[] work =
          lines(file).stream()
              .map(line -> line.strip().split("\\s+"))
              .mapToDouble(fields -> Double.parseDouble(fields[3]) * Double.parseDouble(fields[4]))
              .toArray();
      check("swf", List.of(file), work.length, work);
    }
  }

  /** Once in iterations, where work is counted in steps; once in seconds, for every row too. */
  @Test
  void gavel() throws IOException {
    List<Path> files = unpacked("workloads/gavel_traces_seed0.tar.xz", ".trace");
    assertThat(files).hasSize(23);
    List<Path> both = new ArrayList<>(files);
    both.add(trace("profiles/gavel_simulation_throughputs.json.xz"));
    List<Double> work = new ArrayList<>();
    for (Path file : files) {
      for (String line : lines(file)) {
        String[] fields = line.split("\t", -1);
        boolean old = fields.length == 7;
        work.add(Double.parseDouble(fields[old ? 4 : 5]) * Double.parseDouble(fields[6]));
      }
    }
    check("gavel", files, 15_551, work.stream().mapToDouble(w -> w).toArray());
    Imported seconds = TraceFormats.read("gavel", both, Map.of(), 1, (_, _) -> {});
    assertThat(seconds.jobs().size()).isEqualTo(15_551);
    assertThat(all(seconds.jobs()).allMatch(seconds.jobs()::workIsDuration)).isTrue();
  }

  @Test
  void polluxAndSia() throws IOException {
    for (String name : List.of("pollux", "sia")) {
      List<Path> files = unpacked("workloads/" + name + "_workloads.tar.xz", ".csv");
      assertThat(files).hasSizeGreaterThan(30);
      for (Path file : files) {
        Imported imported = TraceFormats.read("pollux", List.of(file), Map.of(), 1, (_, _) -> {});
        assertThat(imported.rows()).isEqualTo(lines(file).size() - 1);
        assertThat((long) imported.jobs().size()).isEqualTo(imported.rows());
      }
      Files.move(folder.resolve("unpacked"), folder.resolve(name));
    }
  }

  /** These count jobs, and tell of none. */
  @Test
  void heliosSequencesAreRefused() throws IOException {
    List<Path> files = unpacked("helios/earth_per_vc_1min_sequence_2020-05.tar.xz", ".csv");
    assertThat(files).hasSize(16);
    for (Path file : files) {
      assertThatThrownBy(
              () -> TraceFormats.read("helios", List.of(file), Map.of(), 1, (_, _) -> {}))
          .isInstanceOf(BadInput.class)
          .hasMessageContaining("it counts the jobs of each minute");
    }
  }
}
