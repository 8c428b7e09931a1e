package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs with stages from the jobs file to {@code validate}. */
class StagedRunTest {
  private static final String HEADER = "job_id,submit_s,gpus,iterations,model,stages\n";

  @TempDir Path temporary;
  private String jobs = "";
  private String cluster = "";
  private String out = "";

  @BeforeEach
  void inputs() {
    jobs = temporary.resolve("jobs.csv").toString();
    cluster = temporary.resolve("cluster.yaml").toString();
    out = temporary.resolve("out").toString();
    Cli.write(Path.of(jobs), HEADER + "a,0,4,100,bert-large,2x2\nb,5,2,100,vgg16,\n");
    cluster("share, overlap: true, microBatches: 4");
  }

  private void cluster(String model) {
    Cli.write(
        Path.of(cluster), "servers: [{count: 2, gpus: 2}]\nnetwork: {model: " + model + "}\n");
  }

  private void simulate() {
    Cli.good("simulate", jobs, "--cluster", cluster, "--policy", "fifo", "--out", out);
  }

  private Path segments() {
    return Path.of(out).resolve("segments.csv");
  }

  /** Each stage fits a server, and its ring weighs far more than its activations. */
  @Test
  void theRunSaysWhichReplicasAreWhere() {
    simulate();
    assertThat(Cli.read(segments()).lines())
        .satisfiesExactly(
            header ->
                assertThat(header).isEqualTo("job_id,start_s,end_s,warmup_s,server,gpus,replicas"),
            one -> assertThat(one).startsWith("a,0,").endsWith(",0,s0001,2,2+0"),
            two -> assertThat(two).startsWith("a,0,").endsWith(",0,s0002,2,0+2"),
            unstaged -> assertThat(unstaged).startsWith("b,").endsWith(",2,"));
    assertThat(Cli.read(Path.of(out).resolve("workload.csv"))).contains("bert-large,2x2\n");
    assertThat(Cli.read(Path.of(out).resolve("model.csv")).lines().findFirst())
        .get()
        .asString()
        .endsWith(",layers");
    assertThat(Cli.read(Path.of(out).resolve("cluster.yaml")))
        .contains("model: share", "overlap: true", "microBatches: 4");
    assertThat(Cli.good("validate", out).out()).contains(": valid; 2 jobs");
  }

  @Test
  void inOtherNetworksAJobWithStagesIsARing() {
    cluster("contention");
    simulate();
    assertThat(Cli.read(segments()).lines().skip(1)).allMatch(line -> line.endsWith(",2,"));
    assertThat(Cli.good("validate", out).out()).contains(": valid; 2 jobs");
  }

  @Test
  void boundsKnowStages() {
    assertThat(Cli.good("bound", jobs, "--cluster", cluster).out())
        .contains("no schedule is below");
  }

  @ParameterizedTest
  @CsvSource({
    "2+0, 1+1, are '1+3' in all; the job has '2+2'",
    "2+0, 2, are '2' on server s0001; of 2 stages",
    "2+0, 2+0+0, are '2+0+0' on server s0001; of 2 stages",
    "2+0, 1+0, are '1+0' on 2 GPUs of server s0001",
    "2+0, '', are '' on server s0001; of 2 stages",
  })
  void brokenReplicasAreFound(String from, String to, String says) {
    simulate();
    Cli.write(segments(), Cli.read(segments()).replace(",2," + from, ",2," + to));
    Cli.Ran ran = Cli.run("validate", out);
    assertThat(ran.status()).as(ran.err()).isEqualTo(1);
    assertThat(ran.out()).contains("job a: its replicas at 0.0 s " + says.replace(';', ','));
    assertThat(ran.err()).isEmpty();
  }

  /** A mapping that is whole, but slower than what the run says. */
  @Test
  void otherReplicasTakeOtherTimes() {
    simulate();
    String text = Cli.read(segments()).replace("2+0", "1+1").replace("0+2", "1+1");
    Cli.write(segments(), text);
    Cli.Ran ran = Cli.run("validate", out);
    assertThat(ran.status()).as(ran.err()).isEqualTo(1);
    assertThat(ran.out()).contains("job a: did work for ");
  }

  @ParameterizedTest
  @CsvSource({"2-0", "x", "-1+3", "2+", "1.5+0.5", "999999999+1"})
  void replicasThatDoNotReadAreBadInput(String replicas) {
    simulate();
    Cli.write(segments(), Cli.read(segments()).replace("2+0", replicas));
    Cli.Ran ran = Cli.run("validate", out);
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err())
        .hasLineCount(1)
        .contains(
            "segments.csv:2: column replicas: '%s' is not replicas of each stage such as 2+1+0"
                .formatted(replicas));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "4,100,,2~ a job with stages needs a model",
        "4,100,bert-large,5~ 5 stages need at least 5 GPUs",
        "4,100,bert-large,3x2~ these are 6 replicas, the job has 4 GPUs",
        "4,100,bert-large,two~ expected stages x replicas",
        "4,100,small,4~ 'small' has 3 layers; use fewer stages",
        "4,100,plain,4~ model 'plain' has no layers to cut; give them in a file with --models",
      })
  void stagesThatDoNotFitAreOneLine(String row, String says) {
    Path models = temporary.resolve("models.csv");
    Cli.write(
        models,
        """
        model,gradient_bytes,batch,forward_s_per_sample,backward_s,layers
        small,1,1,1,1,1:1:1 1:1:1 1:1:1
        plain,1,1,1,1,
        """);
    Cli.write(Path.of(jobs), HEADER + "a,0," + row + "\n");
    Cli.Ran ran =
        Cli.run(
            "simulate",
            jobs,
            "--cluster",
            cluster,
            "--models",
            models.toString(),
            "--policy",
            "fifo");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).hasLineCount(1).contains("jobs.csv:2: column stages: ", says);
  }
}
