package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Engine.Stream;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Status;
import io.ringmaster.rehearsal.WorkerScript.Exit;
import io.ringmaster.rehearsal.WorkerScript.IgnoreStop;
import io.ringmaster.rehearsal.WorkerScript.OnRank;
import io.ringmaster.rehearsal.WorkerScript.Pass;
import io.ringmaster.rehearsal.WorkerScript.Print;
import io.ringmaster.rehearsal.WorkerScript.PrintArguments;
import io.ringmaster.rehearsal.WorkerScript.PrintVariable;
import io.ringmaster.rehearsal.WorkerScript.Report;
import io.ringmaster.rehearsal.WorkerScript.Save;
import io.ringmaster.rehearsal.WorkerScript.SpoilProgress;
import io.ringmaster.rehearsal.WorkerScript.Step;
import io.ringmaster.rehearsal.WorkerScript.Wait;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What the plane relies on. The test of every engine extends this class, and says by the methods of
 * {@link EngineStage} how to wait and what workers are made of.
 *
 * <p>Longer than others, because it is one contract, a test a promise.
 */
public abstract class EngineContract extends EngineStage {

  @Test
  void aNewEngineTellsItsNodesAndNothingElse() {
    assertThat(observe()).isEqualTo(new Snapshot(nodes(), List.of()));
  }

  /** Before one is opened and while one is: a server that stands by asks too. */
  @Test
  void whatIsDiscoveredIsWhatIsObserved() throws IOException {
    assertThat(discovered()).isEqualTo(nodes());
    launch(id(1, 1), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    assertThat(discovered()).isEqualTo(nodes());
    assertThat(observe().nodes()).as("what is ours is not held by others").isEqualTo(nodes());
    engine().stop(id(1, 1), GRACE_SECONDS);
    end(id(1, 1));
  }

  @Test
  void anAttemptRunsAndIsToldWithItsCode() throws IOException {
    launch(id(1, 1), new Pass(0.1));
    launch(id(2, 1), new Exit(7));
    assertThat(observe().attempts()).hasSize(2);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    assertThat(end(id(2, 1))).isEqualTo(new Status.Exited(7, false));
  }

  @Test
  void whatRunsIsToldAsRunning() throws IOException {
    launch(id(1, 1), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    assertThat(Objects.requireNonNull(status(id(1, 1))).phase()).isEqualTo(new Status.Running());
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(143, true));
  }

  @Test
  void endsAreToldWithoutAsking() throws IOException {
    launch(id(1, 1), new Exit(3));
    engine().stop(id(2, 1), GRACE_SECONDS);
    await("being told", () -> told.values().stream().filter(s -> s.phase().isEnd()).count() == 2);
    assertThat(told).containsEntry(id(1, 1), new Status(id(1, 1), new Status.Exited(3, false)));
    assertThat(Objects.requireNonNull(told.get(id(2, 1))).phase()).isInstanceOf(Status.Gone.class);
  }

  @Test
  void aLaunchThatIsRepeatedRunsOnce() throws IOException {
    Launch launch =
        launchOf(id(1, 1), oneGpu(), List.of(), new Save("ran"), new Report(0.5), new Pass(0.2));
    engine().launch(++order, launch);
    engine().launch(order, launch);
    engine().launch(++order, launch);
    awaitDone(id(1, 1), 0.5);
    engine().launch(++order, launch);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    engine().launch(++order, launch);
    assertThat(saved(id(1, 2))).isEqualTo("ran\n");
  }

  @Test
  void aLaunchOfWhatHasEndedHasNoEffect() throws IOException {
    launch(id(1, 1), new Exit(7));
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(7, false));
    launch(id(1, 1), new Save("ran again"));
    assertThat(saved(id(1, 2))).isEmpty();
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(7, false));
  }

  @Test
  void aStopLeavesTimeForACheckpoint() throws IOException {
    launch(id(1, 1), exitOnStop(0, new Pass(0.3), new Save("half")), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    assertThat(Objects.requireNonNull(status(id(1, 1))).saved()).isFalse();
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, true));
    assertThat(Objects.requireNonNull(status(id(1, 1))).saved()).isTrue();
    assertThat(saved(id(1, 2))).isEqualTo("half\n");
  }

  @Test
  void whoIgnoresAStopIsKilledAfterTheGrace() throws IOException {
    launch(id(1, 1), new IgnoreStop(), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    engine().stop(id(1, 1), 0.3);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(137, true));
  }

  @Test
  void aStopThatIsRepeatedHasNoEffect() throws IOException {
    launch(id(1, 1), exitOnStop(4, new Save("stop"), new Pass(0.3)), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    engine().stop(id(1, 1), GRACE_SECONDS);
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(4, true));
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(saved(id(1, 2))).isEqualTo("stop\n");
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(4, true));
  }

  @Test
  void aLaterStopWithLessGraceWins() throws IOException {
    launch(id(1, 1), new IgnoreStop(), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    engine().stop(id(1, 1), 86_400);
    engine().stop(id(1, 1), 0);
    engine().stop(id(1, 1), 86_400);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(137, true));
  }

  @Test
  void whatEndedByItselfWasNotStopped() throws IOException {
    launch(id(1, 1));
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
  }

  @Test
  void aStopOfWhatIsNotKnownKeepsItFromEverStarting() throws IOException {
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isInstanceOf(Status.Gone.class);
    launch(id(1, 1), new Save("ran"));
    reopenedAndHeard(0);
    launch(id(1, 1), new Save("ran"));
    assertThat(saved(id(1, 2))).isEmpty();
    assertThat(end(id(1, 1))).isInstanceOf(Status.Gone.class);
    assertThatThrownBy(() -> output(id(1, 1))).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void anEndIsToldUntilItIsForgotten() throws IOException {
    launch(id(1, 1), new Exit(7));
    Status.Phase ended = end(id(1, 1));
    engine().stop(id(2, 1), GRACE_SECONDS);
    Status.Phase gone = end(id(2, 1));
    reopenedAndHeard(0);
    assertThat(end(id(1, 1))).isEqualTo(ended);
    assertThat(end(id(2, 1))).isEqualTo(gone);
    engine().forget(++order, id(1, 1));
    assertThat(status(id(1, 1))).isNull();
    engine().forget(++order, id(1, 1));
    reopenedAndHeard(0);
    assertThat(status(id(1, 1))).isNull();
    assertThat(end(id(2, 1))).isEqualTo(gone);
  }

  @Test
  void aLaunchThatIsOlderThanAForgetIsDropped() throws IOException {
    Launch launch = launchOf(id(1, 1), oneGpu(), List.of(), new Save("ran"));
    long old = ++order;
    engine().launch(old, launch);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    engine().forget(++order, id(1, 1));
    engine().launch(old, launch);
    assertThat(status(id(1, 1))).isNull();
    reopenedAndHeard(0);
    engine().launch(old, launch);
    assertThat(status(id(1, 1))).isNull();
    assertThat(saved(id(1, 2))).isEqualTo("ran\n");
  }

  /** The plane never asks for it: it gives each attempt a number of its own. */
  @Test
  void whatWasForgottenIsNotKnownAnyMoreAndANewerLaunchRunsIt() throws IOException {
    Launch launch = launchOf(id(1, 1), oneGpu(), List.of(), new Save("ran"));
    engine().launch(++order, launch);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    engine().forget(++order, id(1, 1));
    told.clear();
    observed.clear();
    engine().launch(++order, launch);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    assertThat(saved(id(1, 2))).isEqualTo("ran\nran\n");
  }

  /** An engine may refuse it, or not care. */
  @Test
  void whatRunsIsNotForgotten() throws IOException {
    launch(id(1, 1), exitOnStop(5), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    try {
      engine().forget(++order, id(1, 1));
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("1.1");
    }
    assertThat(Objects.requireNonNull(status(id(1, 1))).phase()).isEqualTo(new Status.Running());
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(5, true));
  }

  @Test
  void whatRunsOutlivesTheServer() throws IOException {
    Launch launch =
        launchOf(
            id(1, 1),
            oneGpu(),
            List.of(),
            new Save("ran"),
            exitOnStop(6),
            new Report(0.5),
            new Wait());
    engine().launch(++order, launch);
    awaitDone(id(1, 1), 0.5);
    reopenedAndHeard(0);
    assertThat(Objects.requireNonNull(status(id(1, 1))).phase()).isEqualTo(new Status.Running());
    engine().launch(++order, launch);
    reopenedAndHeard(0);
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(6, true));
    assertThat(saved(id(1, 2))).isEqualTo("ran\n");
  }

  @Test
  void whatEndedWhileNobodyWatchedIsToldAsItWas() throws IOException {
    launch(id(1, 1), new Report(0.5), new Pass(0.5), new Exit(7));
    launch(id(2, 1), exitOnStop(3, new Pass(0.5)), new Report(0.5), new Wait());
    awaitDone(id(1, 1), 0.5);
    awaitDone(id(2, 1), 0.5);
    engine().stop(id(2, 1), GRACE_SECONDS);
    reopenedAndHeard(1.5);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(7, false));
    assertThat(end(id(2, 1))).isEqualTo(new Status.Exited(3, true));
  }

  @Test
  void theFirstWorkerThatFailsTakesTheOthersWithIt() throws IOException {
    launch(
        id(1, 1),
        threeGpus(),
        new OnRank(1, List.of(new Pass(0.1), new Exit(9))),
        exitOnStop(5),
        new Wait());
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(9, false));
  }

  @Test
  void allWorkersMustEndWell() throws IOException {
    launch(id(1, 1), threeGpus(), new OnRank(2, List.of(new Pass(0.2), new Save("last"))));
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    assertThat(saved(id(1, 2))).isEqualTo("last\n");
  }

  @Test
  void progressIsTold() throws IOException {
    launch(id(1, 1), new Report(0.25), exitOnStop(0, new Report(0.75)), new Wait());
    awaitDone(id(1, 1), 0.25);
    engine().stop(id(1, 1), GRACE_SECONDS);
    end(id(1, 1));
    awaitDone(id(1, 1), 0.75);
    reopenedAndHeard(0);
    awaitDone(id(1, 1), 0.75);
  }

  @Test
  void logsCanBeReadWhileItRunsAndAfter() throws IOException {
    launch(
        id(1, 1),
        threeGpus(),
        exitOnStop(0, new Print(Stream.STDOUT, "last")),
        new Print(Stream.STDOUT, "to out"),
        new Print(Stream.STDERR, "to err"),
        new OnRank(2, List.of(new Print(Stream.STDOUT, "only two"))),
        new OnRank(0, List.of(new Report(0.5))),
        new Wait());
    awaitDone(id(1, 1), 0.5);
    awaitLog(id(1, 1), 2, "to out\nonly two\n");
    assertThat(log(id(1, 1), 0, Stream.STDOUT, 0)).isEqualTo("to out\n");
    assertThat(log(id(1, 1), 0, Stream.STDERR, 0)).isEqualTo("to err\n");
    engine().stop(id(1, 1), GRACE_SECONDS);
    end(id(1, 1));
    engine().forget(++order, id(1, 1));
    assertThat(log(id(1, 1), 0, Stream.STDOUT, 3)).isEqualTo("out\nlast\n");
    assertThat(log(id(1, 1), 2, Stream.STDOUT, 7)).isEqualTo("only two\nlast\n");
    assertThat(log(id(1, 1), 2, Stream.STDOUT, 1_000_000)).isEmpty();
    assertThatThrownBy(() -> log(id(1, 1), 3, Stream.STDOUT, 0))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> log(id(1, 2), 0, Stream.STDOUT, 0))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void whatAnAttemptSaidOfItsProgressIsKeptApart() throws IOException {
    launch(id(1, 1), new Report(0.25), exitOnStop(0, new Report(0.5)), new Wait());
    awaitDone(id(1, 1), 0.25);
    assertThat(log(id(1, 1), 0, Stream.PROGRESS, 0)).isEqualTo("{\"done\": 0.25}\n");
    engine().stop(id(1, 1), GRACE_SECONDS);
    end(id(1, 1));
    engine().forget(++order, id(1, 1));
    launch(id(1, 2), new Report(0.75), new Report(1));
    end(id(1, 2));
    launch(id(1, 3));
    end(id(1, 3));
    reopenedAndHeard(0);
    assertThat(log(id(1, 1), 0, Stream.PROGRESS, 0))
        .isEqualTo("{\"done\": 0.25}\n{\"done\": 0.5}\n");
    // The first line has 15 bytes: {"done": 0.25} and its end.
    assertThat(log(id(1, 1), 0, Stream.PROGRESS, 15)).isEqualTo("{\"done\": 0.5}\n");
    assertThat(log(id(1, 2), 0, Stream.PROGRESS, 0))
        .isEqualTo("{\"done\": 0.75}\n{\"done\": 1.0}\n");
    assertThat(log(id(1, 2), 0, Stream.PROGRESS, 1_000_000)).isEmpty();
    assertThat(log(id(1, 3), 0, Stream.PROGRESS, 0)).isEmpty();
    assertThatThrownBy(() -> log(id(1, 4), 0, Stream.PROGRESS, 0))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> log(id(2, 1), 0, Stream.PROGRESS, 0))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** Before the engine is opened again, and after. */
  @Test
  void whatOneAttemptDoesToItsFilesIsItsOwnBusiness() throws IOException {
    launch(id(1, 1), new SpoilProgress(), new Save("spoiled"), exitOnStop(4), new Wait());
    for (int job = 2; job <= 3; job++) {
      launch(id(job, 1), new Report(0.5), exitOnStop(5), new Wait());
      awaitDone(id(job, 1), 0.5);
      engine().stop(id(job, 1), GRACE_SECONDS);
      assertThat(end(id(job, 1))).isEqualTo(new Status.Exited(5, true));
      reopenedAndHeard(0);
    }
    engine().stop(id(1, 1), GRACE_SECONDS);
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(4, true));
  }

  @Test
  void noTwoAttemptsShareAGpu() throws IOException {
    int gpus = nodes().getFirst().gpus();
    Step[] steps = {new PrintVariable("CUDA_VISIBLE_DEVICES"), new Report(0.5), new Wait()};
    Set<String> taken = new HashSet<>();
    for (int job = 1; job <= gpus; job++) {
      launch(id(job, 1), steps);
      awaitDone(id(job, 1), 0.5);
      assertThat(taken.add(output(id(job, 1)))).as("%s is taken", output(id(job, 1))).isTrue();
    }
    engine().stop(id(1, 1), GRACE_SECONDS);
    end(id(1, 1));
    reopenedAndHeard(0);
    launch(id(100, 1), steps);
    awaitDone(id(100, 1), 0.5);
    assertThat(output(id(100, 1))).isEqualTo(output(id(1, 1)));
    for (Status status : observe().attempts()) {
      engine().stop(status.attempt(), GRACE_SECONDS);
      end(status.attempt());
    }
  }

  @Test
  void workersKnowWhoTheyAre() throws IOException {
    List<String> names =
        List.of(
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "MASTER_ADDR",
            "MASTER_PORT",
            "CUDA_VISIBLE_DEVICES",
            "RINGMASTER_JOB",
            "RINGMASTER_ATTEMPT",
            "RINGMASTER_NODE",
            "RINGMASTER_CHECKPOINT_DIR",
            "RINGMASTER_PROGRESS",
            "RINGMASTER_LEARNING_RATE_SCALE",
            "COLOUR");
    launch(id(41, 2), threeGpus(), names.stream().map(PrintVariable::new).toArray(Step[]::new));
    assertThat(end(id(41, 2))).isEqualTo(new Status.Exited(0, false));
    List<Map<String, String>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Map<String, String> variables = new HashMap<>();
      for (String line : log(id(41, 2), rank, Stream.STDOUT, 0).lines().toList()) {
        variables.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
      }
      assertThat(variables.keySet()).containsExactlyInAnyOrderElementsOf(names);
      assertThat(variables)
          .containsEntry("RANK", Integer.toString(rank))
          .containsEntry("WORLD_SIZE", "3")
          .containsEntry("LOCAL_RANK", rank == 1 ? "1" : "0")
          .containsEntry("LOCAL_WORLD_SIZE", rank == 2 ? "1" : "2")
          .containsEntry("RINGMASTER_JOB", "41")
          .containsEntry("RINGMASTER_ATTEMPT", "2")
          .containsEntry("RINGMASTER_NODE", nodes().get(rank == 2 ? 1 : 0).name())
          .containsEntry("COLOUR", "blue and $HOME");
      assertThat(variables.get("RINGMASTER_LEARNING_RATE_SCALE")).isEqualTo("0.5");
      assertThat(variables.get("CUDA_VISIBLE_DEVICES"))
          .matches(rank == 2 ? "[^,]+" : "[^,]+,[^,]+");
      assertThat(variables.get("MASTER_PORT")).matches("[0-9]+");
      ranks.add(variables);
    }
    for (String same : List.of("MASTER_ADDR", "MASTER_PORT", "RINGMASTER_CHECKPOINT_DIR")) {
      assertThat(ranks.stream().map(variables -> variables.get(same)).distinct()).hasSize(1);
    }
  }

  @Test
  void argumentsArriveAsTheyAre() throws IOException {
    List<String> arguments =
        List.of(
            "two words",
            "",
            "\"double\" 'single'",
            "line one\nline two\n",
            "$(echo no) `echo no` $HOME",
            "*",
            "-n",
            "--",
            "A=B",
            "back\\slash \\n %s",
            "\t tab ",
            "h\u00e4 \u65e5\u672c \ud83d\ude80 \u0081",
            "; & | < > ( ) { } ! #",
            "~");
    engine().launch(++order, launchOf(id(1, 1), oneGpu(), arguments, new PrintArguments()));
    assertThat(end(id(1, 1))).isEqualTo(new Status.Exited(0, false));
    assertThat(output(id(1, 1)))
        .isEqualTo(
            String.join(WorkerScript.AFTER_ARGUMENT, arguments) + WorkerScript.AFTER_ARGUMENT);
  }
}
