package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.ModelTable;
import io.ringmaster.model.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorsTest {
  @TempDir Path dir;

  @Test
  void unknownNames() {
    assertThat(Same.message(dir, () -> Generators.named("phily")))
        .isEqualTo("there is no generator 'phily'; did you mean 'philly'?");
    assertThat(Same.message(dir, () -> Generators.generate("philly", Map.of("job", "5"), 1)))
        .isEqualTo("generator philly has no setting 'job'; did you mean 'jobs'?");
  }

  @Test
  void allSayWhatTheyAre() {
    assertThat(Generators.all())
        .extracting(Generator::name)
        .containsExactly("philly", "sjf-bco", "a-srpt");
    for (Generator generator : Generators.all()) {
      assertThat(generator.summary()).endsWith(".");
      assertThat(generator.source()).isNotEmpty();
      // Defaults are themselves allowed values.
      for (var parameter : generator.parameters()) {
        Settings.of(
            generator.name(),
            generator.parameters(),
            Map.of(parameter.name(), parameter.defaultValue()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"philly", "sjf-bco", "a-srpt"})
  void aSeedGivesTheSameBytesAgain(String name) throws IOException {
    assertThat(bytes(name, 7)).isEqualTo(bytes(name, 7));
    assertThat(bytes(name, 7)).isNotEqualTo(bytes(name, 8));
  }

  private String bytes(String name, long seed) throws IOException {
    Generated generated = Generators.generate(name, Map.of(), seed);
    Path jobs = dir.resolve("jobs.csv");
    JobsFile.write(jobs, generated.jobs());
    return ClusterFile.text(generated.cluster()) + Files.readString(jobs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"philly", "sjf-bco", "a-srpt"})
  void whatIsGeneratedCanBeReadBack(String name) {
    Generated generated = Generators.generate(name, Map.of(), 3);
    Path jobs = dir.resolve("jobs.csv");
    Path cluster = dir.resolve("cluster.yaml");
    JobsFile.write(jobs, generated.jobs());
    ClusterFile.write(cluster, generated.cluster());
    Same.clusters(ClusterFile.read(cluster), generated.cluster());
    Same.jobs(JobsFile.read(jobs, ModelTable.standard(), generated.cluster()), generated.jobs());
  }

  /** Pins the very numbers: a change of them is a change of what a seed means. */
  @Test
  void theFirstJobsOfSeedOne() {
    var given = Map.of("jobs", "1000", "load", "0.95", "longest", "0");
    var jobs = Generators.generate("philly", given, 1).jobs();
    assertThat(Same.job(jobs, 0))
        .isEqualTo(
            "id=j0000001 submit=18.0 gpus=1 1..1 duration=723.0 model=resnet50 user=u0269"
                + " group=g000001");
    assertThat(Same.job(jobs, 999))
        .isEqualTo(
            "id=j0001000 submit=60842.085 gpus=1 1..1 duration=1841.0 model=resnet152 user=u0146"
                + " group=g000347");
    var batch = Generators.generate("sjf-bco", Map.of(), 1).jobs();
    assertThat(Same.job(batch, 0))
        .isEqualTo(
            "id=j001 submit=0.0 gpus=16 16..16 iterations=5534.0 model=inception-v3 user= group=");
    var mixed = Generators.generate("a-srpt", Map.of(), 1).jobs();
    assertThat(Same.job(mixed, 0))
        .isEqualTo(
            "id=j0000001 submit=10.929 gpus=4 4..4 duration=260.0 model=xlnet-large user=u0008"
                + " group=g000001 stages=2x2");
  }
}
