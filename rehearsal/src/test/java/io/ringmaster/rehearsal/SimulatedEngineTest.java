package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The engine of rehearsals keeps what every engine promises. */
class SimulatedEngineTest extends EngineContract {
  private static final double MOST_SECONDS = 1000;

  private final Agenda agenda = new Agenda(1_800_000_000);
  private final ScriptedMachines machines = new ScriptedMachines(agenda);
  private final SimulatedEngine engine = new SimulatedEngine(agenda, machines);

  SimulatedEngineTest() {
    machines.size("a", 3);
    machines.size("b", 2);
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
  protected List<Node> discovered() {
    return engine.nodes();
  }

  @Override
  protected List<Node> nodes() {
    return List.of(new Node("a", 3, true), new Node("b", 2, true));
  }

  @Test
  void whatOthersHoldIsToldAndWaitedFor() throws IOException {
    assertThat(machines.takeByOthers("a", 5)).isEqualTo(3);
    assertThat(observe().nodes())
        .containsExactly(
            new Node("a", 3, true).heldByOthers(new Node.Held(3, 0, 0)), new Node("b", 2, true));
    launch(id(1, 1), new WorkerScript.Exit(0));
    agenda.advance(100);
    assertThat(observe().attempts()).containsExactly(new Status(id(1, 1), new Status.Pending()));
    machines.takeByOthers("a", -1);
    engine.roomChanged();
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
  }

  @Test
  void nodesComeAndGoAndTakeTheirAttemptsWithThem() throws IOException {
    launch(id(1, 1), new WorkerScript.Wait());
    engine.nodeLeaves("a");
    machines.size("c", 1);
    assertThat(observe().nodes()).containsExactly(new Node("b", 2, true), new Node("c", 1, true));
    assertThat(end(id(1, 1))).isInstanceOf(Status.Gone.class);
    launch(id(1, 2), new WorkerScript.Wait());
    assertThat(end(id(1, 2))).isInstanceOf(Status.Gone.class);
  }
}
