package io.ringmaster.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.cli.terminal.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code import} promises. */
class ImportCommandTest {
  @TempDir Path folder;

  private Path log = Path.of("");
  private Path nodes = Path.of("");
  private Path out = Path.of("");

  @BeforeEach
  void write() throws IOException {
    log =
        Files.writeString(
            folder.resolve("pods.csv"),
            """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
            p0,12000,16384,1,1000,,LS,Running,100,300,120
            p1,6000,1024,16,1000,,LS,Succeeded,150,250,150
            p2,6000,1024,0,0,,LS,Succeeded,150,250,150
            """);
    nodes = Files.writeString(folder.resolve("nodes.csv"), "sn,gpu\nn1,8\nn2,8\nn3,0\n");
    out = folder.resolve("made.csv");
  }

  private Cli.Ran run(String... more) {
    List<String> args = new ArrayList<>(List.of("import", "gpu-2023", log.toString(), "--out"));
    args.add(out.toString());
    args.addAll(List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  @Test
  void whatItWritesIsSimulated() {
    Path cluster = folder.resolve("made.yaml");
    Cli.Ran ran = run(nodes.toString(), "--cluster-out", cluster.toString(), "--seed", "3");
    assertThat(ran.status()).isZero();
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains(
            "dropped: asks for no GPU",
            "pods.csv:4",
            "part: a server",
            "as it happened, mean wait",
            "gpu-2023: 2 jobs in " + out);
    Cli.Ran simulated =
        Cli.good(
            "simulate",
            out.toString(),
            "--cluster",
            cluster.toString(),
            "--policy",
            "fifo",
            "--json");
    assertThat(JsonText.object(simulated.out())).containsEntry("finished", 2.0);
  }

  @Test
  void oneDocumentWithTheSameFigures() {
    Cli.Ran ran = run("--json");
    assertThat(ran.err()).isEmpty();
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    assertThat(document)
        .containsEntry("format", "gpu-2023")
        .containsEntry("rows", 3.0)
        .containsEntry("jobs", 2.0)
        .containsEntry("models_drawn", 0.0)
        // 1 * 180 + 16 * 100.
        .containsEntry("gpu_seconds", 1780.0)
        .containsEntry("duration_mean_s", 140.0)
        .containsEntry("span_s", 50.0);
    Map<?, ?> past = (Map<?, ?>) Objects.requireNonNull(document.get("as_it_happened"));
    assertThat(past.get("wait_mean_s")).isEqualTo(10.0);
    assertThat(past.get("jct_mean_s")).isEqualTo(150.0);
  }

  @Test
  void theSameSeedGivesTheSameBytes() throws IOException {
    run("--set", "models=mix");
    String first = Files.readString(out);
    run("--set", "models=mix", "--force");
    assertThat(Files.readString(out)).isEqualTo(first);
  }

  @Test
  void drawnModelsAreAskedForAndTold() {
    assertThat(run().err()).contains("models drawn").doesNotContain("are drawn");
    assertThat(run("--set", "models=mix", "--force").err())
        .contains("the models of 2 jobs are drawn. Another --seed draws others");
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    Files.writeString(out, "mine");
    assertBad(run(), "--out " + out + ": exists; name another file, or replace it with --force");
    assertThat(Files.readString(out)).isEqualTo("mine");
    Files.delete(out);
    assertBad(
        run("--cluster-out", folder.resolve("c.yaml").toString()),
        "--cluster-out: these files of format gpu-2023 tell of no servers; leave it out");
    assertThat(out).doesNotExist();
    assertBad(
        Cli.run("import", "gpu-2023", log.toString(), "--out", folder.toString()),
        "it is a directory; expected a file");
    assertBad(run("--set", "only=some"), "setting only: 'some' is not allowed");
    assertBad(run(folder.resolve("none.csv").toString()), "none.csv: no such file");
    assertBad(Cli.run("import"), "import: name a format; 'ringmaster import --list' lists them");
    assertBad(Cli.run("import", "swf"), "import swf: name the files of the trace");
    assertBad(Cli.run("import", "swv", "x"), "there is no format 'swv'; did you mean 'swf'?");
    assertBad(
        Cli.run("import", "swf", log.toString(), "--out", folder.resolve("no/x").toString()),
        "there is no folder " + folder.resolve("no"));
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> String.valueOf(f.getFileName())))
          .containsExactlyInAnyOrder("pods.csv", "nodes.csv");
    }
  }

  private static void assertBad(Cli.Ran ran, String message) {
    assertThat(ran.status()).isEqualTo(ExitStatus.BAD_INPUT);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("ringmaster: ").contains(message).hasLineCount(1);
  }

  @Test
  void theListNamesFormatsAndSettings() {
    String text = Cli.good("import", "--list").out();
    assertThat(text.lines())
        .contains(
            "philly",
            "philly-csv",
            "helios",
            "pai-2020",
            "gpu-2023",
            "gpu-2025",
            "genai-2026",
            "acme",
            "swf",
            "gavel",
            "pollux",
            "Settings of all formats",
            "    --set models=known");
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good("import", "--list", "--json").out());
    assertThat((List<?>) Objects.requireNonNull(document.get("formats"))).hasSizeGreaterThan(12);
    assertThat((List<?>) Objects.requireNonNull(document.get("parameters"))).hasSize(8);
  }
}
