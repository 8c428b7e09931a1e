package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SacctTest {
  private static final String HEADER =
      "JobID|User|Partition|Submit|Eligible|Start|End|Elapsed|State|AllocTRES|NodeList|JobName\n";

  @TempDir Path dir;

  private RecordedTrace read(String rows) {
    return RecordedTrace.of(Sacct.FORMAT, Map.of(), dir, HEADER + rows);
  }

  private RecordedTrace read(Map<String, String> settings, String text) {
    return RecordedTrace.of(Sacct.FORMAT, settings, dir, text);
  }

  /** A job of one row with 2 GPUs that waited 5 s and ran 10 s. */
  private static String row(String id, String name) {
    return id
        + "|ann|gpu|1000|1000|1005|1015|00:00:10|COMPLETED|cpu=8,gres/gpu=2,mem=16G|n1|"
        + name
        + "\n";
  }

  /** What sacct of Slurm 22.05 printed on a site of four servers with four GPUs each. */
  @Test
  void realSite() {
    RecordedTrace trace = RecordedTrace.of(Sacct.FORMAT, Map.of(), RecordedTrace.sample("lab.txt"));
    // 26 rows are jobs: 1, 2, 4, 5, 6, 7+0, 7+1, 9, 10, 11, 12 twice, 13, 15, 16, 17, five tasks of
    // 3, 22, 23, 24, 25 that runs and tasks of 26 that wait. 4 asks for no GPU; two make job 7.
    assertThat(trace.jobs).hasSize(22);
    assertThat(trace.dropped)
        .isEqualTo(Map.of("asks for no GPU", 1, "is still running", 1, "is still waiting", 1));
    assertThat(trace.parts.get("part of a heterogeneous job")).isEqualTo(1);
    assertThat(trace.servers).isEqualTo(Map.of("n1", 4, "n2", 4, "n3", 4, "n4", 4));

    TraceJob two = trace.job("2");
    assertThat(two.gpus()).isEqualTo(4);
    assertThat(two.durationSeconds()).isEqualTo(5);
    assertThat(two.user()).isEqualTo("root");
    assertThat(two.group()).isEqualTo("bert-");
    assertThat(two.cpusPerGpu()).isEqualTo(0.5);
    assertThat(trace.job("5").group()).isEqualTo("odd|name");
    assertThat(trace.job("6").group()).isEqualTo("übung ");
    assertThat(trace.job("7").gpus()).isEqualTo(4);
    assertThat(trace.job("3_5").durationSeconds()).isEqualTo(3);

    // Submitted at :13, after another job that ended at :25.
    assertThat(trace.job("10").waitedSeconds()).isZero();
    assertThat(trace.job("10").submitSeconds() - two.submitSeconds()).isEqualTo(12);
    // On the node from :25 to :32, suspended for 4 s of it.
    assertThat(trace.job("22").durationSeconds()).isEqualTo(3);
    // Put back into the queue after 14 s, then cancelled after 10 s.
    assertThat(trace.job("12").durationSeconds()).isEqualTo(14);
    assertThat(trace.job("12-run2").durationSeconds()).isEqualTo(10);
    // A time limit, and a node that failed.
    assertThat(trace.job("23").durationSeconds()).isEqualTo(68);
    assertThat(trace.job("24").durationSeconds()).isEqualTo(3);
  }

  @Test
  void heldJobsCountFromTheirSubmissionIfAskedTo() {
    TraceJob job =
        RecordedTrace.of(Sacct.FORMAT, Map.of("submit", "submit"), RecordedTrace.sample("lab.txt"))
            .job("10");
    assertThat(job.waitedSeconds()).isEqualTo(12);
  }

  @Test
  void cpusMayStandForGpus() {
    RecordedTrace trace =
        RecordedTrace.of(Sacct.FORMAT, Map.of("count", "cpus:2"), RecordedTrace.sample("lab.txt"));
    assertThat(trace.dropped).doesNotContainKey("asks for no GPU");
    assertThat(trace.job("4").gpus()).isEqualTo(2);
    // Five CPUs are two and a half.
    assertThat(trace.job("17").gpus()).isEqualTo(3);
  }

  @Test
  void everyField() {
    TraceJob job = read(row("7", "train_017")).job("7");
    double gib = 1024 * 1024 * 1024;
    assertThat(job)
        .isEqualTo(TraceJob.of("7", 1000, 2, 10).waited(5).by("ann", "train_").taking(4, 8 * gib));
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETED,",
    "FAILED,",
    "TIMEOUT,",
    "NODE_FAIL,",
    "PREEMPTED,",
    "REQUEUED,",
    "OUT_OF_MEMORY,",
    "CANCELLED by 1001,",
    "BOOT_FAIL,",
    "DEADLINE,",
    "RESIZING,",
    "RUNNING,is still running",
    "SUSPENDED,is still running",
    "COMPLETING,is still running"
  })
  void anyEndIsAnEnd(String state, String reason) {
    RecordedTrace trace = read(row("7", "x").replace("COMPLETED", state));
    assertThat(trace.jobs).hasSize(reason == null ? 1 : 0);
    assertThat(trace.dropped).isEqualTo(reason == null ? Map.of() : Map.of(reason, 1));
  }

  /** Two jobs on one server that end at once tell of one failure. */
  @Test
  void serversThatFailedAreCounted() {
    NodeFailures failures = new NodeFailures();
    failures.ended(List.of("n1", "n2"), 86_400);
    failures.ended(List.of("n2"), 86_410);
    failures.ended(List.of("n3"), 86_410);
    assertThat(failures.note(500 * 86_400.0))
        .isEqualTo(
            "3 jobs ended with NODE_FAIL, which tell of 2 failures in 500 days of servers with"
                + " jobs: 4.0 for each thousand. In a cluster file: failures: {node: 4.0/1000d};"
                + " in whatif: --failures 4.0");
    assertThat(read(row("7", "x").replace("COMPLETED", "NODE_FAIL")).notes)
        .anyMatch(
            note -> note.startsWith("1 job ended with NODE_FAIL, which tell of 1 failure in"));
    assertThat(read(row("7", "x")).notes).noneMatch(note -> note.contains("NODE_FAIL"));
  }

  @Test
  void busyServersAreCountedOnce() {
    ServersSeen servers = new ServersSeen();
    servers.held(List.of("n1", "n2"), 4, 100, 200);
    servers.held(List.of("n1"), 1, 150, 260);
    servers.held(List.of("n2"), 1, 300, ServersSeen.STILL);
    assertThat(servers.busySeconds()).isEqualTo(160 + 100);
  }

  @Test
  void jobsWithoutAnEndOrAStart() {
    RecordedTrace trace =
        read(
            """
            1|a|g|1000|1000|Unknown|Unknown|00:00:00|PENDING||None assigned|x
            2_[3-9%2]|a|g|1000|1000|Unknown|Unknown|00:00:00|PENDING||None assigned|x
            3|a|g|1000|Unknown|None|1010|00:00:00|CANCELLED by 0||None assigned|x
            4|a|g|1000|1000|1005|1005|00:00:00|CANCELLED|gres/gpu=1|n1|x
            5|a|g|1000|1000|1005|Unknown|00:00:09|RUNNING|gres/gpu=3|n1|x
            """);
    assertThat(trace.jobs).isEmpty();
    assertThat(trace.dropped)
        .isEqualTo(
            Map.of(
                "is still waiting",
                2,
                "never started",
                1,
                "did not run",
                1,
                "is still running",
                1));
    // What runs now holds GPUs too.
    assertThat(trace.servers).isEqualTo(Map.of("n1", 3));
  }

  @Test
  void partsOfAHeterogeneousJobAreOneGang() {
    RecordedTrace trace =
        read(
            row("8+0", "h").replace("gres/gpu=2,", "")
                + row("8+1", "h")
                + row("8+2", "h").replace("|n1|", "|n2|")
                // All of it once more, later, and the first part has GPUs too.
                + row("8+0", "h").replace("1005|1015", "2005|2015")
                + row("8+1", "h").replace("1005|1015", "2005|2015")
                + row("8+2", "h").replace("1005|1015", "2005|2015"));
    assertThat(trace.parts).isEqualTo(Map.of("part of a heterogeneous job", 4));
    assertThat(trace.job("8").gpus()).isEqualTo(4);
    assertThat(trace.job("8-run2").gpus()).isEqualTo(6);
    assertThat(trace.job("8-run2").waitedSeconds()).isEqualTo(1005);
  }

  @Test
  void filesMayOverlap() throws IOException {
    Path first = dir.resolve("october");
    Path second = dir.resolve("november");
    String runs = row("2", "b").replace("1015|00:00:10|COMPLETED", "Unknown|00:00:03|RUNNING");
    Files.writeString(first, HEADER + row("1", "a") + runs);
    Files.writeString(second, HEADER + row("1", "a") + HEADER + row("2", "b") + row("3", "c"));
    for (List<Path> order : List.of(List.of(first, second), List.of(second, first))) {
      RecordedTrace trace = RecordedTrace.of(Sacct.FORMAT, Map.of(), order.get(0), order.get(1));
      assertThat(trace.jobs.stream().map(TraceJob::id)).containsExactly("1", "2", "3");
      assertThat(trace.parts).isEqualTo(Map.of("the same row again", 1));
      assertThat(trace.dropped).isEqualTo(Map.of("is still running", 1));
      // Three jobs of 2 GPUs at once; job 2 is not counted twice.
      assertThat(trace.servers).isEqualTo(Map.of("n1", 6));
    }
  }

  @Test
  void onlySomePartitions() {
    RecordedTrace trace =
        read(
            Map.of("partition", "big,gpu,gpu"),
            HEADER + row("1", "a") + row("2", "b").replace("|gpu|", "|cpu|"));
    assertThat(trace.jobs.stream().map(TraceJob::id)).containsExactly("1");
    assertThat(trace.dropped).isEqualTo(Map.of("is in another partition", 1));
  }

  @Test
  void serversNamedAlikeAreAlike() {
    String rows =
        row("1", "a").replace("=2,", "=8,").replace("|n1|", "|gpu[01-02]|")
            + row("2", "a").replace("|n1|", "|gpu10|")
            + row("3", "a").replace("=2,", "=3,").replace("|n1|", "|big1|");
    assertThat(read(rows).servers)
        .containsExactly(
            Map.entry("big1", 3),
            Map.entry("gpu01", 4),
            Map.entry("gpu02", 4),
            Map.entry("gpu10", 4));
    assertThat(read(Map.of("servers", "seen"), HEADER + rows).servers).containsEntry("gpu10", 2);
  }

  @Test
  void oldSlurmAndOtherColumns() {
    // Before 20.11: a line ends with a bar, GPUs are in AllocGRES, memory is for each CPU.
    RecordedTrace trace =
        read(
            Map.of(),
            "JobName|State|End|Start|Submit|NCPUS|ReqMem|AllocGRES|JobIDRaw|\n"
                + "x|COMPLETED|2020-02-01T00:00:00|2020-01-31T23:00:00|2020-01-31T22:59:00|"
                + "4|2Gc|gpu:v100:2,mps:1|55|\n");
    assertThat(trace.job("55"))
        .isEqualTo(
            TraceJob.of("55", 1580511540, 2, 3600)
                .waited(60)
                .by("", "x")
                .taking(2, 4.0 * 1024 * 1024 * 1024));
  }

  @Test
  void rowsThatMakeNoSenseAreDropped() {
    RecordedTrace trace =
        read(
            row("1", "a|b")
                + row("2", "a").replace("|ann|", "|")
                + row("3", "a").replace("|1005|", "|yesterday|")
                + row("4", "a").replace("|1005|", "|tomorrow|")
                + row("x", "a")
                + row("5", "a").replace("gres/gpu=2", "gres/gpu=many")
                + row("6", "a").replace("|n1|", "|n[1-|")
                + row("7", "a").replace("00:00:10", "ten"));
    assertThat(trace.jobs.stream().map(TraceJob::id)).containsExactly("1");
    assertThat(trace.job("1").group()).isEqualTo("a|b");
    assertThat(trace.firstDropped)
        .isEqualTo(
            Map.of(
                "has more or fewer fields than the header: a '|' in a name? Put JobName last", 3L,
                "has no Start that is a time such as 2026-11-02T10:00:00 or seconds since 1970", 4L,
                "has no JobID that is a job's id such as 123 or 123_4", 6L,
                "has no AllocTRES that is a list such as cpu=8,gres/gpu=4,mem=64G", 7L,
                "has no NodeList that is a list such as gpu[01-04]", 8L,
                "has no Elapsed that is a span such as 1-02:30:00", 9L));
    assertThat(trace.dropped).containsValue(2);
  }

  @Test
  void onlyJobsThatCompleted() {
    RecordedTrace trace =
        read(
            Map.of("only", "completed"),
            HEADER + row("1", "a") + row("2", "b").replace("COMPLETED", "TIMEOUT"));
    assertThat(trace.jobs.stream().map(TraceJob::id)).containsExactly("1");
    assertThat(trace.dropped).isEqualTo(Map.of("did not complete", 1));
    assertThat(trace.servers).isEqualTo(Map.of("n1", 4));
  }

  @Test
  void namesThatAreNoUtf8DoNotStopTheReading() throws IOException {
    Path file = dir.resolve("history.txt.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((HEADER + row("1", "\u00e9")).getBytes(StandardCharsets.ISO_8859_1));
    }
    RecordedTrace trace = RecordedTrace.of(Sacct.FORMAT, Map.of(), file);
    assertThat(trace.job("1").group()).isEqualTo("\ufffd");
  }

  @Test
  void wrongFilesAreNamed() {
    assertBad("", "the file is empty; expected what sacct --parsable2 prints");
    assertBad(
        "JobID  State\n----- -----\n", ":1: no '|' in the header line; run sacct with --parsable2");
    assertBad(row("1", "x"), ":1: the first line is not the header; run sacct without --noheader");
    assertBad(
        "JobID|Submit|Start|State|AllocTRES\n",
        ":1: missing column End; the header has JobID, Submit, Start, State, AllocTRES; name it in"
            + " sacct's --format");
    assertBad(
        HEADER.replace("AllocTRES", "Comment"),
        ":1: missing column AllocTRES; the header has JobID, User");
    assertBad(
        HEADER + row("1", "x").replace("gres/gpu=2,", ""),
        "none of the 1 jobs that ran has gres/gpu in AllocTRES: does the site's slurm.conf have"
            + " AccountingStorageTRES=gres/gpu? To take 8 CPUs for one GPU: --set count=cpus:8");
    assertThatThrownBy(() -> read(Map.of("partition", "a"), HEADER.replace("Partition", "Cluster")))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("missing column Partition");
  }

  private void assertBad(String text, String message) {
    assertThatThrownBy(() -> read(Map.of(), text))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "gpus,cpus:0",
    "gpus,cpus:",
    "gpus,all",
    "zone,Mars/Base",
    "submit,never",
    "partition,','"
  })
  void settingsAreChecked(String name, String value) {
    assertThatThrownBy(() -> read(Map.of(name, value), HEADER))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("format sacct: setting " + name);
  }
}
