package io.ringmaster.cli.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.model.Cluster;
import io.ringmaster.training.RingProbe;
import io.ringmaster.workload.ClusterFile;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command with real processes, for so short that its numbers mean nothing: only its form. */
class CalibrateTest {
  @TempDir Path folder;

  @AfterEach
  void noProcessIsLeft() {
    assertThat(
            ProcessHandle.current()
                .descendants()
                .filter(p -> p.info().commandLine().orElse("").contains(RingProbe.class.getName())))
        .isEmpty();
  }

  @Test
  void writesAClusterThatCanBeSimulated() {
    Path out = folder.resolve("measured.yaml");
    Cli.Ran ran =
        Cli.good("calibrate", "--rings", "2", "--seconds", "1", "--json", "--out", out.toString());
    assertThat(ran.out())
        .contains("\"latency_step_s\"", "\"bandwidth_bytes_per_s\"", "\"alpha\"", "\"factors\"")
        .contains("\"busy_share\"", "\"contention_error\"", "\"transmit_error\"", "\"gain\"")
        .contains("\"2 rings, 50 %\"", "\"10 % + 90 %\"", "\"times\"");
    Cluster cluster = ClusterFile.read(out);
    assertThat(cluster.size()).isEqualTo(2);
    assertThat(cluster.totalGpus()).isEqualTo(4);
    assertThat(cluster.network().word()).isIn("contention", "transmit");
    assertThat(Cli.read(out)).startsWith("# Measured by ringmaster calibrate --rings 2");
    Path jobs = folder.resolve("jobs.csv");
    Cli.write(jobs, "job_id,submit_s,gpus,iterations,model\na,0,2,10,resnet50\nb,0,4,5,vgg16\n");
    Cli.good("simulate", jobs.toString(), "--cluster", out.toString(), "--policy", "fifo");
  }

  @Test
  void keepsTheRestOfAClusterAndShowsATable() {
    Path given = folder.resolve("given.yaml");
    Cli.write(
        given,
        """
        name: mine
        servers:
          - {count: 3, gpus: 8, gpu: a100, nic: 40Gbps, intra: 600Gbps, cpus: 64}
        network: {model: none, reduceRate: 1GB/s}
        start: 3s
        restart: 33s
        """);
    Path out = folder.resolve("out.yaml");
    Cli.Ran ran =
        Cli.good(
            "calibrate",
            "--rings",
            "1",
            "--workers",
            "3",
            "--seconds",
            "1",
            "--cluster",
            given.toString(),
            "--out",
            out.toString());
    assertThat(ran.out())
        .contains("latency of a step, us", "bandwidth of one ring", "processors")
        .contains("Written to " + out + ": model contention.")
        .doesNotContain("f(k)", "not fitted");
    assertThat(ran.out().lines().filter(line -> !line.contains(folder.toString())))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    Cluster before = ClusterFile.read(given);
    Cluster cluster = ClusterFile.read(out);
    assertThat(cluster.name()).isEqualTo("mine");
    assertThat(cluster.startSeconds()).isEqualTo(3);
    assertThat(cluster.restartSeconds()).isEqualTo(33);
    assertThat(cluster.network().terms().reduceBytesPerSecond()).isEqualTo(1e9);
    assertThat(cluster.server(2).gpus()).isEqualTo(8);
    assertThat(cluster.server(2).cpus()).isEqualTo(64);
    assertThat(cluster.server(2).intraBytesPerSecond())
        .isEqualTo(before.server(2).intraBytesPerSecond());
    assertThat(cluster.server(2).nicBytesPerSecond())
        .isNotEqualTo(before.server(2).nicBytesPerSecond());

    assertThat(Cli.run("calibrate", "--out", out.toString()).err())
        .isEqualTo(
            "ringmaster: --out %s: exists; name another file, or replace it with --force%n"
                .formatted(out));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rings 0| --rings: 0 is not a whole number from 1 to 16",
        "--workers 1| --workers: 1 is not a whole number from 2 to 16",
        "--rings 16 --workers 8| calibrate: 16 rings of 8 workers are 128 processes; expected at"
            + " most 64",
        "--seconds 0.5| --seconds: 0.5 is not a number from 1 to 86400",
        "--seconds NaN| --seconds: NaN is not a number from 1 to 86400",
        "--inside --rings 1| --inside: a server has one GPU only; a ring needs two on each",
        "--turns --rings 1| --turns: one ring takes no turns; expected --rings of at least 2",
        "--turns --inside| --turns: measures no cluster file; leave out --inside, --no-check,"
            + " --cluster and --out",
        "--out .| --out .: is a folder; name a file in it",
        "--cluster no-such.yaml| no-such.yaml: no such file",
      })
  void mistakesAreOneLine(String options, String message) {
    Cli.Ran ran = Cli.run(("calibrate " + options).split(" ", -1));
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("ringmaster: %s%n".formatted(message));
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void whatCannotBeStartedIsOneLine() {
    assertThat(Cli.run("calibrate", "--launch", "no-such-program-{node}").err())
        .startsWith("ringmaster: calibrate: cannot start a process: ")
        .contains("no-such-program-1")
        .hasLineCount(1);
    assertThat(Cli.run("calibrate", "--launch", "echo node {node} is down:").err())
        .startsWith("ringmaster: calibrate: a process of a ring ended; it said: node 1 is down:")
        .hasLineCount(1);
  }
}
