package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The engine of rehearsals keeps what every engine promises. */
class SimulatedEngineTest extends EngineContract {
  private static final double MOST_SECONDS = 1000;

  private final Agenda agenda = new Agenda(1_800_000_000);
  private final ScriptedMachines machines = new ScriptedMachines(agenda);
  private final SimulatedEngine engine = new SimulatedEngine(agenda, machines, gpus());

  private static Map<String, Integer> gpus() {
    Map<String, Integer> gpus = new LinkedHashMap<>();
    gpus.put("a", 3);
    gpus.put("b", 2);
    return gpus;
  }

  @Override
  protected Engine engine() {
    return engine;
  }

  /** It is no part of the server: it goes on while nobody listens. */
  @Override
  protected Engine reopened(double secondsUnwatched) {
    engine.close();
    agenda.advance(secondsUnwatched);
    return engine;
  }

  @Override
  protected List<String> program(WorkerScript script, List<String> arguments) {
    return machines.program(script, arguments);
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    double until = agenda.nowSeconds() + MOST_SECONDS;
    while (!condition.getAsBoolean()) {
      if (agenda.nowSeconds() > until) {
        throw new AssertionError("in vain: " + what);
      }
      agenda.advance(0.05);
    }
  }

  @Override
  protected List<Node> nodes() {
    return List.of(new Node("a", 3, true), new Node("b", 2, true));
  }
}
