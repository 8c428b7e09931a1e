package io.ringmaster.engine.kubernetes.pods;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.rehearsal.EngineContract;
import io.ringmaster.rehearsal.ShellPrograms;
import io.ringmaster.rehearsal.WorkerScript;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Several at once, each with GPUs of its own, under names of their own: to each the others are not
 * there.
 */
@Execution(ExecutionMode.CONCURRENT)
class KubernetesEngineContractTest extends EngineContract {
  private static final BlockingQueue<String> GPUS =
      new ArrayBlockingQueue<>(
          4, true, List.of("test.local/a", "test.local/b", "test.local/c", "test.local/d"));

  private static @Nullable PodStage stage;
  private static List<Node> nodes = List.of();

  private String gpus = "";
  private @Nullable Path folder;
  private @Nullable Engine engine;

  @BeforeAll
  static void up() {
    assumeTrue(KubernetesTestbed.canRun(), KubernetesTestbed.MISSING);
    stage = new PodStage();
    stage.addGpus(GPUS);
    nodes = stage.nodes();
  }

  @AfterAll
  static void down() {
    if (stage != null) {
      stage.close();
    }
  }

  private static PodStage stage() {
    return Objects.requireNonNull(stage);
  }

  private Path folder() throws IOException {
    Path present = folder;
    if (present == null) {
      gpus = free();
      present = stage().folder();
      folder = present;
    }
    return present;
  }

  /** Waits for it: more tests may be begun than there are names. */
  private static String free() {
    try {
      return GPUS.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private EngineSetup setup() throws IOException {
    Path place = folder();
    return stage().setup(place, Map.of("gpu-resource", gpus));
  }

  @Override
  protected Engine engine() throws IOException {
    Engine present = engine;
    if (present == null) {
      present = KubernetesEngine.KIND.open(setup());
      engine = present;
    }
    return present;
  }

  @Override
  protected Engine reopened(double secondsUnwatched) throws IOException {
    close();
    PodStage.pause((long) (1000 * secondsUnwatched));
    return engine();
  }

  @Override
  protected List<Node> discovered() throws IOException {
    return KubernetesEngine.KIND.discover(setup());
  }

  @Override
  protected List<String> program(WorkerScript script, List<String> arguments) {
    return ShellPrograms.command(script, arguments);
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    stage().await(what, condition);
  }

  @Override
  protected List<Node> nodes() {
    return nodes;
  }

  @AfterEach
  void clearUp() throws IOException {
    close();
    stage().clear(folder());
    GPUS.add(gpus);
  }

  private void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
