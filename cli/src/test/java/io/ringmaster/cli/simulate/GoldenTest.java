package io.ringmaster.cli.simulate;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.Golden;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The schedule of one small workload under each policy, to the last digit. {@code
 * -Dgolden.update=true} writes the files anew; look at the difference before you commit it.
 */
class GoldenTest {

  @TempDir Path temporary;

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theScheduleIsTheSameAsEver(String policy) throws IOException {
    Path out = temporary.resolve("out");
    Cli.simulate(policy, out);
    sameAsGolden(out, policy);
  }

  /** The same jobs, some with a range of workers, which these policies use. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "drf",
        "fifo-elastic",
        "las-elastic",
        "optimus",
        "gadget",
        "doubling",
        "fixed",
        "maestro"
      })
  void theScheduleOfElasticJobsIsTheSameAsEver(String policy) throws IOException {
    Path out = temporary.resolve("out");
    Cli.good(
        "simulate",
        Cli.GOLDEN.resolve("elastic.csv").toString(),
        "--cluster",
        Cli.CLUSTER,
        "--policy",
        policy,
        "--out",
        out.toString());
    sameAsGolden(out, policy + "-elastic");
  }

  /** The same jobs and servers, where rings count only as far as they transmit. */
  @Test
  void theScheduleOfRingsThatComputeIsTheSameAsEver() throws IOException {
    Path cluster = temporary.resolve("cluster.yaml");
    Files.writeString(cluster, Cli.read(Path.of(Cli.CLUSTER)).replace("contention", "transmit"));
    Path out = temporary.resolve("out");
    Cli.good(
        "simulate",
        Cli.GOLDEN.resolve("jobs.csv").toString(),
        "--cluster",
        cluster.toString(),
        "--policy",
        "sjf-bco",
        "--out",
        out.toString());
    sameAsGolden(out, "sjf-bco-transmit");
  }

  private static void sameAsGolden(Path out, String name) throws IOException {
    for (String file : List.of(RunFiles.JOBS, RunFiles.SEGMENTS)) {
      Golden.same(name, file, Cli.read(out.resolve(file)));
    }
  }
}
