package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code ringmaster validate} accepts what a run wrote and refuses what somebody changed. */
class ValidateCommandTest {
  @TempDir Path temporary;

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void acceptsTheOutputOfEveryPolicy(String policy) {
    Path out = temporary.resolve("out");
    Cli.simulate(policy, out);
    Cli.Ran ran = Cli.good("validate", out.toString());
    assertThat(ran.out()).startsWith(out + ": valid; 18 jobs, ").hasLineCount(1);
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void acceptsEveryRunOfAComparison() {
    Path out = temporary.resolve("out");
    Cli.good(
        "compare",
        Cli.JOBS,
        "--cluster",
        Cli.CLUSTER,
        "--policies",
        "fifo,srtf,random",
        "--seeds",
        "2",
        "--out",
        out.toString());
    assertThat(Cli.good("validate", out.toString()).out().lines())
        .hasSize(6)
        .allMatch(line -> line.contains(": valid; 18 jobs, "));
  }

  @ParameterizedTest(name = "{0}: {1} becomes {2}")
  @CsvSource(
      delimiter = ';',
      value = {
        "segments.csv; b1,0,120,0,s0002,2; b1,0,119,0,s0002,2; job b1",
        "segments.csv; b1,0,120,0,s0002,2; b1,0,120,0,s0002,1; job b1: runs with 1 GPUs",
        "segments.csv; b1,0,120,0,s0002,2; b1,0,120,0,s0003,2; server s0003",
        "segments.csv; b1,0,120,0,s0002,2; b1,0,120,5,s0002,2; job b1: restarts for 5.0 s",
        "jobs.csv; b1,0,0,120,120,; b1,0,0,121,121,; job b1: finishes at 121.0 s",
        "jobs.csv; b1,0,0,120,120,; b1,0,1,120,120,; job b1: starts at 1.0 s",
        "jobs.csv; b1,0,0,120,120,; b1,0,0,120,119,; b1: jct_s is 119.0",
        "jobs.csv; b1,0,0,120,120,; b1,5,0,120,120,; b1: submit_s is 5.0",
        "summary.json; \"finished\" : 18; \"finished\" : 17; summary.json: finished is 17.0",
        "summary.json; \"jobs\" : 18; \"works\" : 18; summary.json: jobs is missing",
        "workload.csv; b1,0,2,,120; b1,0,2,,121; job b1: did work for 120.0",
        "workload.csv; b1,0,2,,120; b1,7,2,,120; job b1: starts before it was submitted",
        "cluster.yaml; restart: 10s; restart: 11s; expected 11.0",
        "cluster.yaml; count: 2; count: 1; ",
      })
  void refusesATamperedFile(String file, String from, String to, String says) {
    Path out = temporary.resolve("out");
    Cli.simulate("srtf", out);
    Path tampered = out.resolve(file);
    String text = Cli.read(tampered);
    assertThat(text).contains(from);
    Cli.write(tampered, text.replace(from, to));

    Cli.Ran ran = Cli.run("validate", out.toString());

    if (says == null) {
      // No longer a run that can be read: bad input.
      assertThat(ran.status()).isEqualTo(2);
      assertThat(ran.err()).hasLineCount(1);
    } else {
      assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(1);
      assertThat(ran.out()).contains(says);
    }
  }

  @ParameterizedTest
  @CsvSource({"jobs.csv", "segments.csv"})
  void refusesALineThatIsGone(String file) {
    Path out = temporary.resolve("out");
    Cli.simulate("fifo", out);
    String text = Cli.read(out.resolve(file));
    String lastLine = text.substring(text.stripTrailing().lastIndexOf('\n') + 1);
    Cli.write(out.resolve(file), text.replace(lastLine, ""));
    Cli.Ran ran = Cli.run("validate", out.toString());
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(1);
    assertThat(ran.out()).contains(lastLine.substring(0, lastLine.indexOf(',')));
  }

  @ParameterizedTest(name = "{0} becomes {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "b1,0,120,0,s0002,2; b1,0,120,0,s0009,2; segments.csv:",
        "b1,0,120,0,s0002,2; zz,0,120,0,s0002,2; segments.csv:",
        "b1,0,120,0,s0002,2; b1,0,many,0,s0002,2; segments.csv:",
        "job_id,start_s; job,start_s; job_id",
      })
  void aFileThatDoesNotReadIsBadInput(String from, String to, String says) {
    Path out = temporary.resolve("out");
    Cli.simulate("srtf", out);
    Path segments = out.resolve("segments.csv");
    assertThat(Cli.read(segments)).contains(from);
    Cli.write(segments, Cli.read(segments).replace(from, to));
    Cli.Ran ran = Cli.run("validate", out.toString());
    assertThat(ran.status()).as(ran.out()).isEqualTo(2);
    assertThat(ran.err()).hasLineCount(1).contains(says);
  }
}
