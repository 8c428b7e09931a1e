package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Past;
import io.ringmaster.workload.JobsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecognisedFormatsTest {
  @TempDir Path dir;

  @Test
  void whatSlurmAndKubernetesPrintIsKnownByItsBeginning() {
    assertThat(TraceFormats.recognised(List.of(RecordedTrace.sample("lab.txt"))))
        .isEqualTo("sacct");
    assertThat(TraceFormats.recognised(List.of(RecordedTrace.sample("lab.json"))))
        .isEqualTo("sacct");
    assertThat(TraceFormats.recognised(List.of(Path.of("../docs/examples/pods.json"))))
        .isEqualTo("kubectl");
  }

  @Test
  void whatNobodyKnowsIsSaid() throws IOException {
    Path file = Files.writeString(dir.resolve("notes.txt"), "milk\nbread\n");
    assertThatThrownBy(() -> TraceFormats.recognised(List.of(file)))
        .isInstanceOf(BadInput.class)
        .hasMessage("%s: no known format can read it; 'ringmaster import --list' lists them", file);
  }

  @Test
  void whatHappenedIsKept() {
    Path history = Path.of("../docs/examples/sacct.txt.gz");
    Imported imported =
        TraceFormats.read("sacct", List.of(history), Map.of("models", "none"), 1, (_, _) -> {});
    double waits = 0;
    for (int job = 0; job < imported.jobs().size(); job++) {
      waits += imported.jobs().startedSeconds(job) - imported.jobs().submitSeconds(job);
    }
    assertThat(waits / imported.jobs().size())
        .isCloseTo(Past.of(imported.jobs()).orElseThrow().waitMeanSeconds(), within(1e-6));
    JobsFile.write(dir.resolve("jobs.csv"), imported.jobs());
    assertThat(dir.resolve("jobs.csv")).content().startsWith("job_id,submit_s,gpus,duration_s,");
  }
}
