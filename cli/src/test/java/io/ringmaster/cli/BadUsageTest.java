package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bad usage and bad input: status 2, one line on standard error that names the matter, nothing on
 * standard output, nothing left behind.
 */
class BadUsageTest {
  @TempDir Path temporary;

  @BeforeEach
  void inputs() {
    Cli.write(temporary.resolve("jobs.csv"), Cli.read(Path.of(Cli.JOBS)));
    Cli.write(temporary.resolve("cluster.yaml"), Cli.read(Path.of(Cli.CLUSTER)));
    Cli.write(
        temporary.resolve("bad-jobs.csv"), "job_id,submit_s,gpus,duration_s\na,0,1,5\nb,0,x,5\n");
    Cli.write(temporary.resolve("wide-jobs.csv"), "job_id,submit_s,gpus,duration_s\na,0,11,5\n");
    Cli.write(temporary.resolve("bad-cluster.yaml"), "servers:\n  - {gpu: v100}\n");
    Cli.write(temporary.resolve("bad-models.csv"), "model,gradient_bytes\nx,1\n");
    Cli.write(temporary.resolve("empty.csv"), "");
  }

  /** Splits at blanks; DIR is the test's own folder. */
  private String[] args(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" +", -1);
    for (int i = 0; i < args.length; i++) {
      args[i] = args[i].replace("DIR", temporary.toString());
    }
    return args;
  }

  private Cli.Ran refused(String... args) {
    Map<String, String> before = Cli.files(temporary);
    Cli.Ran ran = Cli.run(args);
    assertThat(ran.err()).as("standard error").matches("[^\n]+\n");
    assertThat(ran.status()).as(ran.err()).isEqualTo(2);
    assertThat(ran.out()).as("standard output").isEmpty();
    assertThat(Cli.files(temporary)).as("files, after " + ran.err()).isEqualTo(before);
    return ran;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "``                                   ~ name a command",
        "simulat                              ~ did you mean 'simulate'?",
        "frobnicate                           ~ 'frobnicate'",
        "logs abc                             ~ ringmaster logs: ID 'abc': expected a whole number"
            + " (",
        "cancel 1 abc                         ~ ringmaster cancel: 'abc' is not expected here",
        "demo --jobs ten                      ~ ringmaster demo: --jobs 'ten': expected a whole",
        "calibrate --seconds x                ~ --seconds 'x': expected a number (",
        "--verbose                            ~ unknown option --verbose",
        "policies --jsn                       ~ unknown option --jsn; did you mean --json?",
        "policies extra                       ~ no policy is called 'extra'",
        "simulate                             ~ --cluster=FILE",
        "validate                             ~ DIR",
        "validate DIR/nowhere                 ~ DIR/nowhere: expected a folder that --out wrote",
        "validate DIR/jobs.csv                ~ DIR/jobs.csv: expected a folder that --out wrote",
        "validate DIR                         ~ no segments.csv",
        "generate                             ~ name a generator",
        "generate phily                       ~ did you mean 'philly'?",
        "generate sjf-bco --set servrs=3 --out DIR/g ~ did you mean 'servers'?",
        "generate sjf-bco --set servers=0 --out DIR/g ~ '0' is not allowed",
        "generate sjf-bco --set servers --out DIR/g ~ expected NAME=VALUE",
        "generate sjf-bco --seed x --out DIR/g ~ 'x'",
        "generate sjf-bco --out DIR           ~ exists",
        "compare DIR/jobs.csv                 ~ add --cluster FILE",
        "compare --cluster DIR/cluster.yaml   ~ need JOBS",
        "compare --models DIR/bad-models.csv  ~ need JOBS",
      })
  void commandsSayWhatIsWrong(String line, String says) {
    assertThat(refused(args(line)).err()).contains(says.replace("DIR/", temporary + "/"));
  }

  @ParameterizedTest(name = "simulate {0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "DIR/jobs.csv --cluster DIR/cluster.yaml             ~ --policy=NAME",
        "DIR/jobs.csv --policy fifo                          ~ --cluster=FILE",
        "--cluster DIR/cluster.yaml --policy fifo            ~ JOBS",
        "DIR/jobs.csv --cluster DIR/cluster.yaml --polcy fifo ~ unknown option --polcy; did you"
            + " mean --policy?",
        "DIR/none.csv --cluster DIR/cluster.yaml --policy fifo ~ DIR/none.csv: no such file",
        "DIR/jobs.csv --cluster DIR/none.yaml --policy fifo  ~ DIR/none.yaml: no such file",
        "DIR --cluster DIR/cluster.yaml --policy fifo        ~ DIR",
        "DIR/empty.csv --cluster DIR/cluster.yaml --policy fifo ~ DIR/empty.csv",
        "DIR/bad-jobs.csv --cluster DIR/cluster.yaml --policy fifo ~ DIR/bad-jobs.csv:3",
        "DIR/wide-jobs.csv --cluster DIR/cluster.yaml --policy fifo ~ DIR/wide-jobs.csv:2",
        "DIR/jobs.csv --cluster DIR/bad-cluster.yaml --policy fifo ~ DIR/bad-cluster.yaml:2:",
        "DIR/jobs.csv --cluster DIR/cluster.yaml --policy fifo --models DIR/bad-models.csv"
            + " ~ DIR/bad-models.csv",
      })
  void simulateNamesTheFileAndThePlace(String line, String says) {
    String out = temporary.resolve("out").toString();
    assertThat(refused(args("simulate " + line + " --out " + out)).err())
        .contains(says.replace("DIR", temporary.toString()));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "fifo2 ~                           ~ did you mean 'fifo'?",
        "SRTF  ~                           ~ no policy is called 'SRTF'",
        "fifo  ~ --set blokcing=true       ~ policy fifo has no setting 'blokcing'; did you mean"
            + " 'blocking'?",
        "las   ~ --set estimate=perfect    ~ policy las has no setting 'estimate'",
        "a-srpt ~ --set theta=0.5          ~ '0.5' is not allowed; expected auto|inf|a number",
        "random ~ --set placement=any      ~ policy random has no setting 'placement'",
        "fifo  ~ --set blocking=maybe      ~ setting blocking: 'maybe' is not allowed; expected"
            + " true|false",
        "fifo  ~ --set placement=tight     ~ 'tight' is not allowed; expected auto|any|compatible",
        "sjf   ~ --set estimate=noise:x    ~ 'noise:x' is not allowed; expected"
            + " perfect|predicted|learned|group-mean|noise:",
        "sjf   ~ --set estimate=noise:-1   ~ 'noise:-1' is not allowed",
        "sjf   ~ --set estimate=loss:2     ~ 'loss:2' is not allowed",
        "srtf  ~ --set shield=-1           ~ setting shield: '-1' is not allowed; expected a number"
            + " from 0",
        "las   ~ --set queues=7,3          ~ '7,3' is not allowed; expected rising GPU-seconds",
        "las   ~ --set queues=             ~ '' is not allowed",
        "fifo  ~ --set blocking            ~ --set blocking: expected NAME=VALUE",
        "fifo  ~ --set =true               ~ expected NAME=VALUE",
        "fifo  ~ --set blocking=true --set blocking=false ~ blocking is set twice",
        "fifo  ~ --seed one                ~ 'one'",
      })
  void simulateNamesThePolicyTheSettingAndWhatItTakes(String policy, String more, String says) {
    String options = more == null ? "" : " " + more;
    String out = temporary.resolve("out").toString();
    assertThat(
            refused(
                    args(
                        "simulate DIR/jobs.csv --cluster DIR/cluster.yaml --policy %s%s --out %s"
                            .formatted(policy, options, out)))
                .err())
        .contains(says);
  }

  @ParameterizedTest(name = "compare {0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "--policies fifo,sjff              ~ did you mean 'sjf'?",
        "--policies fifo,fifo              ~ each policy once",
        "--policies fifo --set queues=1,2  ~ no compared policy has it",
        "--policies fifo --set placment=any ~ did you mean 'placement'?",
        "--policies fifo --set sjf.blocking=true ~ sjf is not compared",
        "--policies fifo --set nope.blocking=true ~ no policy is called 'nope'",
        "--policies fifo --set fifo.blocking=1 ~ '1' is not allowed; expected true|false",
        "--seeds 0                         ~ at least 1",
        "--threads 0                       ~ at least 1",
        "--seeds many                      ~ 'many'",
      })
  void compareNamesThePolicyAndTheSetting(String line, String says) {
    String inputs = "compare DIR/jobs.csv --cluster DIR/cluster.yaml --out DIR/out ";
    assertThat(refused(args(inputs + line)).err()).contains(says);
  }

  @Test
  void aFolderThatExistsIsNotTouched() throws IOException {
    Path out = Files.createDirectory(temporary.resolve("out"));
    Cli.write(out.resolve("mine.txt"), "precious");
    for (String command :
        new String[] {
          "simulate DIR/jobs.csv --cluster DIR/cluster.yaml --policy fifo --out DIR/out",
          "compare DIR/jobs.csv --cluster DIR/cluster.yaml --policies fifo --out DIR/out",
          "generate sjf-bco --out DIR/out"
        }) {
      assertThat(refused(args(command)).err()).contains("--out " + out + ": exists");
    }
    assertThat(
            refused(
                    args(
                        "simulate DIR/jobs.csv --cluster DIR/cluster.yaml --policy fifo"
                            + " --out DIR/out/mine.txt --force"))
                .err())
        .contains("is a file");
  }

  @Test
  void forceReplacesTheFolderButOnlyIfTheRunSucceeds() throws IOException {
    Path out = Files.createDirectory(temporary.resolve("out"));
    Cli.write(out.resolve("mine.txt"), "precious");
    refused(
        args(
            "simulate DIR/bad-jobs.csv --cluster DIR/cluster.yaml --policy fifo --out DIR/out"
                + " --force"));
    Cli.good(
        args(
            "simulate DIR/jobs.csv --cluster DIR/cluster.yaml --policy fifo --out DIR/out"
                + " --force"));
    assertThat(out.resolve("mine.txt")).doesNotExist();
    assertThat(out.resolve("jobs.csv")).exists();
    try (var left = Files.list(temporary)) {
      assertThat(left).noneMatch(p -> p.getFileName().toString().startsWith("."));
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    Path proc = Path.of("/proc/ringmaster-test");
    assumeTrue(Files.isDirectory(Path.of("/proc")), "no /proc, where nobody can make a folder");
    String run = "simulate DIR/jobs.csv --cluster DIR/cluster.yaml --policy fifo --out ";
    assertThat(refused(args(run + proc)).err()).contains("cannot write " + proc);
    assertThat(refused(args(run + "DIR/jobs.csv/out")).err()).contains("cannot write");
  }

  @Test
  void foldersMadeOnTheWayAreTakenBack() {
    refused(
        args(
            "simulate DIR/bad-jobs.csv --cluster DIR/cluster.yaml --policy fifo"
                + " --out DIR/a/b/out"));
  }
}
