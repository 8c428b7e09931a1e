package io.ringmaster.engine.slurm.allocation;

import static io.ringmaster.engine.slurm.allocation.AllocationStage.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong, with agents that are plain processes of this machine. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PlainFaultsTest {
  private static final String WAIT = "echo started; while :; do sleep 30; done";
  private static final String SAVE =
      "trap 'echo saved >\"$RINGMASTER_CHECKPOINT_DIR/saved\"; exit 0' TERM; echo started;"
          // A shell hears a signal while it waits, but not while something else runs.
          + " while :; do sleep 30 & wait; done";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private PlainSlurm slurm;

  @SuppressWarnings("NullAway.Init")
  private AllocationStage stage;

  @BeforeEach
  void open() throws Exception {
    slurm = new PlainSlurm(folder);
    stage =
        new AllocationStage(
            folder.resolve("data"), slurm.commands(), PlainSlurm.JOB, Map.of("lease-s", "6"));
    stage.open();
  }

  @AfterEach
  void close() throws Exception {
    stage.close();
    slurm.close();
  }

  @Test
  void anAgentThatIsKilledComesBackAndWhatItWatchedGoesOn() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", WAIT);
    AgentRecord killed = stage.agent("right");
    assertThat(ProcessHandle.of(killed.pid()).orElseThrow().destroyForcibly()).isTrue();
    Waiting.await("another", () -> !stage.agent("right").life().equals(killed.life()));
    stage.awaitUp();
    assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
    stage.engine().stop(ONE, 20);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(143, true));
  }

  @Test
  void whatEndedWhileItsAgentWasAwayIsToldAsItWas() throws Exception {
    stage.launchAndAwait(ONE, "left:1,right:1", "echo started; sleep 1; exit $((3 + RANK))");
    assertThat(ProcessHandle.of(stage.agent("left").pid()).orElseThrow().destroyForcibly())
        .isTrue();
    assertThat(stage.end(ONE)).isInstanceOf(Status.Exited.class);
    assertThat(((Status.Exited) stage.phase(ONE)).code()).isBetween(3, 4);
  }

  @Test
  void whatSlurmEndedIsGone() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", WAIT);
    slurm.say("state", "CANCELLED");
    slurm.close();
    assertThat(stage.end(ONE))
        .isEqualTo(new Status.Gone("on node left: allocation 7 is over (CANCELLED)"));
    assertThat(stage.engine().observe().nodes()).isEmpty();
  }

  @Test
  void aNodeThatIsLostTakesItsAttemptsWithItAfterItsLease() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", WAIT);
    slurm.say("down", "right");
    slurm.killAllOf("right");
    assertThat(stage.end(ONE)).isEqualTo(new Status.Gone("on node right: node right is down"));
    assertThat(stage.engine().observe().nodes().stream().map(Node::up))
        .containsExactly(true, false);
    stage.launchAndAwait(new AttemptId(1, 2), "left:4", WAIT);
  }

  /**
   * Nobody can tell whether a node that is silent still runs something: Slurm says that it is up.
   */
  @Test
  void aNodeThatSlurmReachesIsNotGivenUp() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", WAIT);
    AgentRecord killed = stage.agent("right");
    slurm.killAllOf("right");
    // Another agent is started in time, and sees what is true.
    Waiting.await("another", () -> !stage.agent("right").life().equals(killed.life()));
    assertThat(stage.end(ONE))
        .isEqualTo(
            new Status.Gone("on node right: its supervisor was killed, or the machine went down"));
  }

  @Test
  void allAreStoppedBeforeTheirAllocationEnds() throws Exception {
    say(1000);
    stage.launchAndAwait(ONE, "left:2,right:1", SAVE);
    say(30);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(0, true, "allocation 7 ends"));
    stage.launch(new AttemptId(1, 2), "left:1", WAIT);
    assertThat(stage.end(new AttemptId(1, 2)))
        .isEqualTo(
            new Status.Exited(
                143,
                true,
                "allocation 7 ends within the 50 s that it would need to start and stop"));
    Waiting.await("closed", () -> stage.engine().observe().nodes().stream().noneMatch(Node::up));
  }

  @Test
  void whatCouldNotReachItsCheckpointIsNotStarted() throws Exception {
    say(200);
    Waiting.await(
        "the end to be told", () -> Double.isFinite(stage.told(PlainSlurm.JOB).endSeconds()));
    // It is written down before it counts: once Slurm was asked again, it does.
    Path told = stage.places().job(PlainSlurm.JOB);
    FileTime before = Files.getLastModifiedTime(told);
    stage.touch(PlainSlurm.JOB);
    Waiting.await("it to be told again", () -> !Files.getLastModifiedTime(told).equals(before));
    stage.launch(ONE, "left:1", Map.of("checkpoint_s", 160), "echo ran");
    assertThat(stage.end(ONE))
        .isEqualTo(
            new Status.Exited(
                143,
                true,
                "allocation 7 ends within the 210 s that it would need to start, reach its"
                    + " checkpoint and stop"));
    stage.launch(new AttemptId(2, 1), "left:1", Map.of("checkpoint_s", 60), "exit 4");
    assertThat(stage.end(new AttemptId(2, 1))).isEqualTo(new Status.Exited(4, false));
  }

  private void say(int secondsLeft) throws Exception {
    slurm.say("end", Long.toString(System.currentTimeMillis() / 1000 + secondsLeft));
    stage.touch(PlainSlurm.JOB);
  }

  @Test
  void anAllocationThatIsGivenBackIsLeft() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", SAVE);
    Files.delete(stage.places().registration(PlainSlurm.JOB));
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(0, true, "allocation 7 is given back"));
    assertThat(stage.engine().observe().nodes().getFirst().whyClosed())
        .isEqualTo("allocation 7 is given back");
    // The plane may not have heard yet.
    stage.launch(new AttemptId(1, 2), "left:1", WAIT);
    assertThat(stage.end(new AttemptId(1, 2)))
        .isEqualTo(new Status.Exited(143, true, "allocation 7 is given back"));
  }

  @Test
  void whoeverAsksEveryProcessToEndStopsAnAttempt() throws Exception {
    stage.launchAndAwait(ONE, "left:2,right:1", SAVE);
    slurm.termAllOf("right");
    Status.Phase end = stage.end(ONE);
    assertThat(end)
        .isEqualTo(
            new Status.Exited(
                0, true, "Slurm, or somebody on its nodes, asked its processes to end"));
  }

  @Test
  void whatAServerWasKilledInTheMiddleOfNeverRuns() throws Exception {
    stage.close();
    Path attempt = Files.createDirectories(folder.resolve("data/slurm-allocation/attempts/1.1"));
    Files.writeString(
        attempt.resolve("parts"),
        "{\"grace\":20,\"parts\":[{\"node\":\"left\",\"first\":0,\"gpus\":1}]}");
    stage.open();
    assertThat(stage.end(ONE))
        .isEqualTo(new Status.Gone("the server ended while it was being started"));
    stage.launch(ONE, "left:1", "echo ran");
    assertThat(stage.phase(ONE)).isInstanceOf(Status.Gone.class);
  }

  @Test
  void jobsOfOthersAreRefused() throws Exception {
    stage.close();
    stage =
        new AllocationStage(
            folder.resolve("data"), slurm.commands(), PlainSlurm.JOB, Map.of("jobs-of", "owner"));
    stage.open();
    stage.launch(ONE, "ada", "left:1", Map.of(), "echo ran");
    String self = System.getProperty("user.name");
    String why =
        "jobs run as '%s', who has the allocation, so those of 'ada' are refused; 'jobs-of: everybody' of the engine would run them"
            .formatted(self);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(126, false, why));
    try (var log = stage.engine().log(ONE, 0, Engine.Stream.STDERR, 0)) {
      assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("ringmaster: " + why + "\n");
    }
    stage.launch(new AttemptId(2, 1), self, "left:1", Map.of(), "exit 4");
    assertThat(stage.end(new AttemptId(2, 1))).isEqualTo(new Status.Exited(4, false));
  }
}
