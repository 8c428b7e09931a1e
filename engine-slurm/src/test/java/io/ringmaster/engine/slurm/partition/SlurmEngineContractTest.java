package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Node.Held;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.rehearsal.EngineContract;
import io.ringmaster.rehearsal.ShellPrograms;
import io.ringmaster.rehearsal.WorkerScript;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** All of it twice: as Slurm's own commands do it, and as its slurmrestd does. */
@ParameterizedClass(name = "by {0}")
@ValueSource(strings = {"commands", "slurmrestd"})
class SlurmEngineContractTest extends EngineContract {
  private static final long PATIENCE_MILLIS = 60_000;
  private static @Nullable SlurmTestbed testbed;
  private static @Nullable Namespace namespace;
  private static Map<String, String> rest = Map.of();

  @Parameter
  @SuppressWarnings("NullAway.Init")
  String by;

  private @Nullable Path folder;
  private @Nullable Engine engine;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    if (SlurmTestbed.canRest()) {
      SlurmTestbed fresh = Partition.up(2, Map.of("REST", "yes"));
      testbed = fresh;
      namespace = fresh.enter();
      rest = Partition.rest(fresh, 3600);
      // A slurmctld that has just been asked much may take a node for lost, for a moment.
      for (int i = 0; i < 300 && responding(fresh) < 2; i++) {
        Partition.pause(100);
      }
    } else {
      testbed = Partition.up(2, Map.of());
    }
  }

  private static long responding(SlurmTestbed testbed) {
    return testbed.run("sinfo", "-h", "-N", "-r", "-o", "%N").lines().distinct().count();
  }

  @BeforeEach
  void reachable() {
    assumeTrue(by.equals("commands") || !rest.isEmpty(), SlurmTestbed.MISSING);
  }

  @AfterAll
  static void down() {
    if (namespace != null) {
      namespace.close();
    }
    if (testbed != null) {
      testbed.close();
    }
  }

  private static SlurmTestbed testbed() {
    SlurmTestbed present = testbed;
    assumeTrue(present != null, SlurmTestbed.MISSING);
    return Objects.requireNonNull(present);
  }

  @Override
  protected Engine engine() throws IOException {
    Engine present = engine;
    if (present == null) {
      present = SlurmEngine.KIND.open(setup());
      engine = present;
    }
    return present;
  }

  private EngineSetup setup() throws IOException {
    Path present = folder;
    if (present == null) {
      // A place whose name a careless script would trip over.
      present = Files.createTempDirectory(testbed().folder(), "data of 'some' server");
      folder = present;
    }
    Map<String, String> settings = by.equals("commands") ? Map.of() : rest;
    return new EngineSetup(present, Partition.settings(testbed(), settings), null);
  }

  @Override
  protected List<Node> discovered() throws IOException {
    return SlurmEngine.KIND.discover(setup());
  }

  @Override
  protected Engine reopened(double secondsUnwatched) throws IOException {
    close();
    Partition.pause((long) (1000 * secondsUnwatched));
    return engine();
  }

  @Override
  protected List<String> program(WorkerScript script, List<String> arguments) {
    return ShellPrograms.command(script, arguments);
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        fail("still waiting for " + what + "\n" + testbed().run("squeue", "-t", "all"));
      }
      Partition.pause(100);
    }
  }

  @Override
  protected List<Node> nodes() {
    return List.of(node("n1"), node("n2"));
  }

  /** As the testbed makes them. */
  private static Node node(String name) {
    return new Node(
        name, 4, "", 16, 4096.0 * (1 << 20), Double.NaN, List.of(), Map.of(), Held.NOTHING, true);
  }

  @Test
  void whatWaitsForANodeThatWasDrainedIsGivenUp() throws IOException {
    testbed().run("scontrol", "update", "nodename=n1", "state=drain", "reason=fan");
    try {
      AttemptId attempt = new AttemptId(1, 1);
      JobSpec spec = JobSpecs.of(Map.of("name", "a", "command", List.of("true"), "gpus", 1));
      engine().launch(1, new Launch(attempt, "ada", spec, Allocation.of("n1:1"), "", 1));
      await("its end", () -> phase(attempt).isEnd());
      assertThat(phase(attempt)).isInstanceOf(Status.Gone.class);
      assertThat(testbed().run("squeue", "-h", "-p", "ring")).isBlank();
    } finally {
      testbed().run("scontrol", "update", "nodename=n1", "state=resume");
    }
  }

  private Status.Phase phase(AttemptId attempt) {
    try {
      return engine().observe().attempts().stream()
          .filter(status -> status.attempt().equals(attempt))
          .findAny()
          .orElseThrow()
          .phase();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void clearUp() {
    close();
    Partition.clear(testbed());
  }

  private void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
