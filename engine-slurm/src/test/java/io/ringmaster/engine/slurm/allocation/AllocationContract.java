package io.ringmaster.engine.slurm.allocation;

import static org.assertj.core.api.Assertions.fail;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.rehearsal.EngineContract;
import io.ringmaster.rehearsal.ShellPrograms;
import io.ringmaster.rehearsal.WorkerScript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of engines, wherever the agents are. Each test has an engine of its own, and leaves
 * its place as it found it: agents stay, as they do from server to server.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class AllocationContract extends EngineContract {
  private static long lastOrder;

  private @Nullable Engine engine;

  AllocationContract() {
    order = Math.max(order, lastOrder);
  }

  /** Where the tests keep everything; nodes see it too. */
  abstract Path data() throws IOException;

  abstract SlurmCommands slurm() throws IOException;

  abstract long job() throws IOException;

  @Override
  protected Engine engine() throws IOException {
    Engine present = engine;
    if (present == null) {
      present = new AllocationEngine(setup(), slurm(), job());
      engine = present;
      Engine opened = present;
      // An engine does not wait for agents for ever, and machines may be slow.
      await("agents", () -> isUp(opened));
    }
    return present;
  }

  private static boolean isUp(Engine engine) {
    try {
      return engine.observe().nodes().stream().allMatch(Node::up);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private EngineSetup setup() throws IOException {
    return new EngineSetup(
        data(),
        AllocationEngine.KIND.settings(Map.of("jobs-of", "everybody", "disk-reserve-mb", "0")),
        null);
  }

  @Override
  protected List<Node> discovered() throws IOException {
    return AllocationEngine.discover(setup(), slurm(), job());
  }

  @Override
  protected Engine reopened(double secondsUnwatched) throws IOException {
    closeEngine();
    Waiting.pause((long) (1000 * secondsUnwatched));
    return engine();
  }

  @Override
  protected List<String> program(WorkerScript script, List<String> arguments) {
    return ShellPrograms.command(script, arguments);
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    long end = System.currentTimeMillis() + Waiting.PATIENCE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        fail("still waiting for " + what);
      }
      Waiting.pause(5);
    }
  }

  private void closeEngine() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }

  @AfterEach
  void leaveNothing() throws Exception {
    if (engine == null) {
      return;
    }
    try {
      for (Status status : engine.observe().attempts()) {
        engine.stop(status.attempt(), 0);
        end(status.attempt());
        engine.forget(++order, status.attempt());
      }
      Places places = new Places(data());
      for (String node : places.nodeNames()) {
        Path attempts = places.node(node).resolve("attempts");
        Waiting.await(node + " to forget", () -> DataFolder.list(attempts).isEmpty());
      }
      TreeSet<Long> jobs = new TreeSet<>(Places.numbered(data().resolve("logs")));
      jobs.addAll(Places.numbered(data().resolve("checkpoints")));
      for (long job : jobs) {
        engine.discard(job, EnumSet.allOf(Engine.Kept.class));
      }
    } finally {
      closeEngine();
      lastOrder = order;
    }
  }
}
