package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.fail;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.rehearsal.EngineContract;
import io.ringmaster.rehearsal.ShellPrograms;
import io.ringmaster.rehearsal.WorkerScript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class LocalEngineContractTest extends EngineContract {
  private static final long PATIENCE_MILLIS = 30_000;

  @TempDir Path folder;
  private @Nullable Engine engine;

  @Override
  protected Engine engine() throws IOException {
    Engine present = engine;
    if (present == null) {
      present = LocalEngine.KIND.open(setup());
      engine = present;
    }
    return present;
  }

  private EngineSetup setup() {
    Server left = Cluster.uniform(1, 4, Network.None.USUAL, 0).server(0).named("left");
    Server right = Cluster.uniform(1, 2, Network.None.USUAL, 0).server(0).named("right");
    return new EngineSetup(
        // A place whose name a careless script would trip over.
        folder.resolve("data of 'some' server"),
        LocalEngine.KIND.settings(Map.of()),
        new Cluster("played", List.of(left, right), Network.None.USUAL, 0));
  }

  @Override
  protected List<Node> discovered() throws IOException {
    return LocalEngine.KIND.discover(setup());
  }

  @Override
  protected Engine reopened(double secondsUnwatched) throws IOException {
    close();
    Watch.pause((long) (1000 * secondsUnwatched));
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
        fail("still waiting for " + what);
      }
      Watch.pause(5);
    }
  }

  @Override
  protected List<Node> nodes() {
    return List.of(new Node("left", 4, true), new Node("right", 2, true));
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
