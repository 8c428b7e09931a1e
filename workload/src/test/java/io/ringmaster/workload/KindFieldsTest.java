package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Where;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files say of kinds of GPU. */
class KindFieldsTest {
  private static final String HEADER = "job_id,submit_s,gpus,duration_s,model,gpu_kinds,gpu_speeds";

  @TempDir Path dir;

  private Cluster cluster() throws IOException {
    String text =
        """
        name: two-kinds
        servers:
          - {count: 2, gpus: 8, gpu: a100}
          - {count: 1, gpus: 8, gpu: v100}
        """;
    return ClusterFile.read(Files.writeString(dir.resolve("cluster.yaml"), text));
  }

  private ModelTable models() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("models.csv"),
            """
            model,gradient_bytes,batch,forward_s_per_sample,backward_s,speeds
            mine,1e6,4,0.01,0.1,a100:2.5|k80:0.1
            """);
    return ModelTable.standard().with(ModelsFile.read(file));
  }

  private Jobs read(String... rows) throws IOException {
    String text = HEADER + "\n" + String.join("\n", rows) + "\n";
    return JobsFile.read(Files.writeString(dir.resolve("jobs.csv"), text), models(), cluster());
  }

  @Test
  void kindsAndSpeedsAreReadAndWrittenAlike() throws IOException {
    Jobs jobs =
        read(
            "a,0,8,60,,,",
            "b,1,8,60,,a100,",
            "c,2,8,60,,h100|a100,v100:0.45|a100:1",
            "d,3,24,60,,v100+a100,",
            "e,4,8,60,mine,,",
            "f,5,8,60,vgg16,,a100:3");
    assertThat(jobs.namesKinds()).isTrue();
    assertThat(jobs.demand(0).where()).isEqualTo(Where.ANY);
    assertThat(jobs.demand(2).where()).isEqualTo(Where.parse("a100|h100"));
    assertThat(jobs.demand(3).where().mixes()).isTrue();
    assertThat(jobs.demand(4).where()).isEqualTo(Where.ONE_KIND);
    assertThat(jobs.speeds(2).of("v100")).isEqualTo(0.45);
    assertThat(jobs.speeds(4).of("a100")).isEqualTo(2.5);
    assertThat(jobs.speeds(4).of("v100")).isEqualTo(1);
    assertThat(jobs.speeds(5)).isEqualTo(KindSpeeds.parse("a100:3"));
    Path written = dir.resolve("written.csv");
    JobsFile.write(written, jobs);
    assertThat(Files.readAllLines(written))
        .contains(
            "job_id,submit_s,gpus,duration_s,model,gpu_kinds,gpu_speeds",
            "a,0,8,60,,,",
            "c,2,8,60,,a100|h100,a100:1|v100:0.45",
            "d,3,24,60,,a100+v100,",
            "e,4,8,60,mine,,");
    Jobs again = JobsFile.read(written, models(), cluster());
    for (int job = 0; job < jobs.size(); job++) {
      assertThat(again.demand(job)).isEqualTo(jobs.demand(job));
      assertThat(again.speeds(job)).isEqualTo(jobs.speeds(job));
    }
  }

  @Test
  void speedsOfModelsReadBackTheSame() throws IOException {
    Path file = dir.resolve("written.csv");
    ModelsFile.write(file, models().profiles());
    List<ModelProfile> again = ModelsFile.read(file);
    assertThat(again.getLast().speeds()).isEqualTo(KindSpeeds.parse("a100:2.5|k80:0.1"));
    assertThat(again.getFirst().speeds()).isEqualTo(KindSpeeds.NONE);
  }

  private void isRejected(String row, String message) {
    assertThatThrownBy(() -> read(row))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("jobs.csv:2: column " + message);
  }

  @Test
  void whatIsWrongIsSaid() {
    isRejected(
        "a,0,8,60,,h100,",
        "gpu_kinds: 'h100': no server of cluster two-kinds has such GPUs; there are a100, v100");
    isRejected(
        "a,0,24,60,,a100|v100,",
        "gpu_kinds: cluster two-kinds has 16 GPUs of a100|v100, not 24; name more kinds, or ask for"
            + " fewer GPUs");
    isRejected("a,0,24,60,mine,,", "gpus: cluster two-kinds has 16 GPUs of one kind, not 24");
    isRejected("a,0,8,60,,a100|a100,", "gpu_kinds: 'a100|a100': expected each kind once");
    isRejected("a,0,8,60,,a100|v100+k80,", "gpu_kinds: 'a100|v100+k80': expected each kind once");
    isRejected("a,0,8,60,,,a100", "gpu_speeds: 'a100': expected each kind once with a speed");
    isRejected("a,0,8,60,,,a100:0", "gpu_speeds: 'a100:0': expected each kind once with a speed");
  }
}
