package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.testing.KubernetesTestbed;
import io.ringmaster.training.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** A real training on real pods, whose ring goes over their network, with other sizes each time. */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesTrainingTest {
  private static final Pattern AFTER =
      Pattern.compile("goes on after sample (\\d+), workers (\\d)");
  private static final Pattern LOSS = Pattern.compile("iteration (\\d+), loss ([0-9.]+)");

  /** Begun on two nodes, grown, shrunk to one, stopped, and resumed on both. */
  private static final List<String> PLACES = List.of("n1:1,n2:1", "n1:2,n2:2", "n2:1", "n1:1,n2:1");

  private @Nullable PodStage stage;

  @BeforeAll
  void up() {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    stage = new PodStage();
  }

  @AfterAll
  void down() {
    PodStage present = stage;
    if (present != null) {
      present.close();
    }
  }

  /** Pods see of this machine what its Java and the program are made of, at the same places. */
  private static String template(List<String> command) {
    String program = command.get(command.indexOf("-cp") + 1);
    StringBuilder volumes = new StringBuilder();
    StringBuilder mounts = new StringBuilder();
    int number = 0;
    for (String path : List.of("/usr", System.getProperty("java.home"), program)) {
      volumes.append("    - {name: v%d, hostPath: {path: '%s'}}\n".formatted(number, path));
      mounts.append(
          "        - {name: v%d, mountPath: '%s', readOnly: true}\n".formatted(number++, path));
    }
    return """
    apiVersion: v1
    kind: Pod
    spec:
      volumes:
    %s  containers:
        - name: workers
          volumeMounts:
    %s\
    """
        .formatted(volumes, mounts);
  }

  @Test
  void anElasticTrainingIsResizedAndGoesOnWhereItWas() throws IOException {
    PodStage here = stage;
    if (here == null) {
      throw new IllegalStateException("no cluster");
    }
    List<String> command = Worker.command("--pace", "20ms", "--samples", "100000000");
    Path template =
        Files.writeString(here.testbed.folder().resolve("template.yaml"), template(command));
    Map<String, String> more =
        Map.of("image", "testbed.local/host:1", "pod-template", template.toString());
    long lastSample = 0;
    double firstLoss = Double.NaN;
    double lastLoss = Double.NaN;
    Path folder = here.folder();
    try (Engine engine = KubernetesEngine.KIND.open(here.setup(folder, more))) {
      for (int number = 1; number <= PLACES.size(); number++) {
        Allocation allocation = Allocation.of(PLACES.get(number - 1));
        AttemptId attempt = new AttemptId(1, number);
        Map<String, Object> job = Map.of("command", command, "gpus", 4, "grace_s", 60);
        engine.launch(number, new Launch(attempt, "ada", JobSpecs.of(job), allocation, 1));
        here.await(
            "a loss of " + attempt,
            () -> {
              assertThat(phase(engine, attempt).isEnd()).as(log(engine, attempt)).isFalse();
              return LOSS.matcher(log(engine, attempt)).find();
            });
        engine.stop(attempt, 60);
        here.await("the end of " + attempt, () -> phase(engine, attempt).isEnd());
        assertThat(phase(engine, attempt)).isEqualTo(new Status.Exited(Worker.STOPPED, true));
        String log = log(engine, attempt);
        System.out.print(log);
        Matcher after = AFTER.matcher(log);
        if (number == 1) {
          assertThat(log).contains("begins, workers 2");
        } else {
          assertThat(after.find()).as(log).isTrue();
          assertThat(Long.parseLong(after.group(1))).isGreaterThan(lastSample);
          lastSample = Long.parseLong(after.group(1));
          assertThat(Integer.parseInt(after.group(2))).isEqualTo(allocation.workers());
        }
        Matcher loss = LOSS.matcher(log);
        while (loss.find()) {
          lastLoss = Double.parseDouble(loss.group(2));
          firstLoss = Double.isNaN(firstLoss) ? lastLoss : firstLoss;
        }
      }
      assertThat(lastLoss).isLessThan(firstLoss);
    } finally {
      here.clear(folder);
    }
  }

  private static Status.Phase phase(Engine engine, AttemptId attempt) {
    try {
      return engine.observe().attempts().stream()
          .filter(status -> status.attempt().equals(attempt))
          .findAny()
          .orElseThrow()
          .phase();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String log(Engine engine, AttemptId attempt) {
    try (InputStream out = engine.log(attempt, 0, Engine.Stream.STDOUT, 0);
        InputStream errors = engine.log(attempt, 0, Engine.Stream.STDERR, 0)) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8)
          + new String(errors.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
