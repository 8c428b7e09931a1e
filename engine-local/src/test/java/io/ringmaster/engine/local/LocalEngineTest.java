package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What only this engine does, and what may happen to its processes and files. */
class LocalEngineTest extends LocalEngineStage {
  @Test
  void aProgramThatIsNotThereEndsWith127() throws IOException {
    engine.launch(1, launch(ONE, "left:1", "no-such-program", "x"));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(127, false));
    assertThat(output(ONE, Engine.Stream.STDERR)).contains("no-such-program");
  }

  @Test
  void aProgramThatCannotBeRunEndsWith126() throws IOException {
    Path plain = Files.writeString(folder.resolve("plain"), "#!/bin/sh\n");
    engine.launch(1, launch(ONE, "left:1", plain.toString()));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(126, false));
    assertThat(output(ONE, Engine.Stream.STDERR)).contains("plain");
  }

  @Test
  void aDirectoryThatIsNotThereEndsWith126() throws IOException {
    engine.launch(1, launch(ONE, "left:1", Map.of("directory", "/no/such place"), "true"));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(126, false));
    assertThat(output(ONE, Engine.Stream.STDERR)).contains("/no/such place");
  }

  @Test
  void aCommandThatIsTooLongForLinuxEndsWith126() throws IOException {
    List<String> command = new ArrayList<>(List.of("true"));
    for (int i = 0; i < 60; i++) {
      command.add("x".repeat(32_000));
    }
    engine.launch(1, launch(ONE, "left:1", command.toArray(String[]::new)));
    assertThat(end(ONE))
        .isEqualTo(
            new Status.Exited(126, false, "command and environment are longer than 1500000 bytes"));
    assertThat(output(ONE, Engine.Stream.STDERR)).contains("longer than");
  }

  @Test
  void aLongCommandRuns() throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "echo $#", "sh"));
    for (int i = 0; i < 40; i++) {
      command.add("x".repeat(32_000));
    }
    engine.launch(1, launch(ONE, "left:1", command.toArray(String[]::new)));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(output(ONE, Engine.Stream.STDOUT)).isEqualTo("40\n");
  }

  @Test
  void aProgramMayHaveAnEqualsSignInItsName() throws IOException {
    Path program = folder.resolve("rate=0.1");
    Files.writeString(program, "#!/bin/sh\necho \"$1\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    engine.launch(1, launch(ONE, "left:1", program.toString(), "a b"));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(output(ONE, Engine.Stream.STDOUT)).isEqualTo("a b\n");
  }

  @Test
  void jobsRunInAFolderOfTheirOwnOrWhereTheyWant() throws IOException {
    engine.launch(1, launch(ONE, "left:1", "pwd"));
    engine.launch(2, launch(TWO, "left:1", Map.of("directory", "/"), "pwd"));
    end(ONE);
    end(TWO);
    assertThat(output(ONE, Engine.Stream.STDOUT))
        .isEqualTo(folder.toRealPath().resolve("data").resolve("work").resolve("1") + "\n");
    assertThat(output(TWO, Engine.Stream.STDOUT)).isEqualTo("/\n");
  }

  @Test
  void signalsAreWholeInWorkers() throws IOException {
    engine.launch(1, launch(ONE, "left:1", "sh", "-c", "kill -s INT $$; sleep 5"));
    assertThat(end(ONE)).isEqualTo(new Status.Exited(130, false));
  }

  @Test
  void whatDoesNotFitIsRefusedAndLeavesNothing() throws IOException {
    engine.launch(1, launch(ONE, "left:2", "sleep", "60"));
    assertThatThrownBy(() -> engine.launch(2, launch(TWO, "left:1", "true")))
        .isInstanceOf(IOException.class)
        .hasMessage("node 'left' has 0 GPUs free, not 1");
    assertThatThrownBy(() -> engine.launch(3, launch(TWO, "middle:1", "true")))
        .isInstanceOf(IOException.class)
        .hasMessage("there is no node 'middle' here");
    assertThat(engine.observe().attempts()).hasSize(1);
    engine.stop(ONE, 5);
    end(ONE);
    engine.launch(4, launch(TWO, "left:2,right:1", "true"));
    assertThat(end(TWO)).isEqualTo(new Status.Exited(0, false));
  }

  @Test
  void portsAreFreeAndNobodyElses() throws IOException {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), FIRST_PORT));
      String[] command = {"sh", "-c", "echo $MASTER_PORT; sleep 60"};
      engine.launch(1, launch(ONE, "left:1", command));
      engine.launch(2, launch(TWO, "left:1", command));
      List<Long> ports = List.of(printed(ONE, 1).getFirst(), printed(TWO, 1).getFirst());
      assertThat(ports).doesNotHaveDuplicates().doesNotContain((long) FIRST_PORT);
      assertThat(ports).allMatch(port -> port >= FIRST_PORT && port <= LAST_PORT);
      engine.stop(ONE, 5);
      engine.stop(TWO, 5);
      end(ONE);
      end(TWO);
    }
  }

  @Test
  void twoServersCannotShareAFolder() {
    assertThatThrownBy(() -> new LocalEngine(folder.resolve("data"), List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("another server uses this folder");
  }

  /**
   * One in its group, one that left it, one that ignores all signals: none outlives the attempt.
   */
  @Test
  void nothingOfAnEndedAttemptIsLeft() throws IOException {
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "sleep 61 & echo $!; setsid sh -c 'echo $$; sleep 62' & "
                + "sh -c 'trap \"\" TERM HUP; echo $$; while :; do sleep 63; done' & sleep 0.3"));
    List<Long> pids = printed(ONE, 3);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(pids).noneMatch(LocalEngineStage::isAlive);
  }

  @Test
  void anAttemptWhoseSupervisorWasKilledIsGoneWithItsWorkers() throws IOException {
    engine.launch(
        1, launch(ONE, "left:2,right:1", "sh", "-c", "echo $$; sleep 60 & echo $!; wait"));
    List<Long> pids = printed(ONE, 2);
    assertThat(pids).allMatch(LocalEngineStage::isAlive);
    killSupervisor(ONE);
    assertThat(end(ONE))
        .isEqualTo(new Status.Gone("its supervisor was killed, or the machine went down"));
    assertThat(pids).noneMatch(LocalEngineStage::isAlive);
    engine.launch(2, launch(TWO, "left:2,right:1", "true"));
    assertThat(end(TWO)).isEqualTo(new Status.Exited(0, false));
  }

  @Test
  void aSupervisorThatWasKilledWhileNobodyWatchedIsFoundOut() throws IOException {
    engine.launch(1, launch(ONE, "left:1", "sh", "-c", "echo $$; sleep 60"));
    List<Long> pids = printed(ONE, 1);
    engine.close();
    killSupervisor(ONE);
    open();
    assertThat(end(ONE)).isInstanceOf(Status.Gone.class);
    assertThat(pids).noneMatch(LocalEngineStage::isAlive);
  }

  private void killSupervisor(AttemptId id) throws IOException {
    String owner = Files.readSymbolicLink(attemptFolder(id).resolve("claim")).toString();
    ProcessHandle.of(ProcessId.of(owner).pid()).orElseThrow().destroyForcibly();
  }

  /** The server was killed after it made the folder and before it started the supervisor. */
  @Test
  void aFolderThatNobodyClaimedIsGone() throws IOException {
    engine.close();
    Files.createDirectory(attemptFolder(ONE));
    open();
    assertThat(end(ONE)).isEqualTo(new Status.Gone("it was never started"));
    engine.launch(1, launch(ONE, "left:1", "true"));
    assertThat(end(ONE)).isInstanceOf(Status.Gone.class);
  }

  /** The server was killed right after it started the supervisor, which then was slow. */
  @Test
  void aSupervisorThatComesAfterTheTombstoneStartsNothing() throws Exception {
    engine.close();
    try (DataFolder data = new DataFolder(folder.resolve("data"), false)) {
      AttemptFolder late = new AttemptFolder(data, ONE);
      late.create();
      Supervisor supervisor = new Supervisor(data, ProcessId.presentBoot(), null);
      Plan plan = new Plan(List.of(new Plan.Share("left", List.of(0))), FIRST_PORT, 0);
      supervisor.makeLogs(ONE, plan, null);
      Path ran = folder.resolve("ran");
      supervisor.prepare(
          late,
          launch(ONE, "left:1", "touch", ran.toString()),
          Part.whole(1),
          plan,
          null,
          List.of());
      assertThat(late.bury()).isTrue();
      assertThat(Objects.requireNonNull(supervisor.start(late)).waitFor()).isZero();
      // It opens its mailbox before it looks at the claim, and is over soon after.
      for (int tries = 0; tries < 2000 && !Files.exists(late.path().resolve("mailbox")); tries++) {
        Watch.pause(5);
      }
      Watch.pause(300);
      assertThat(ran).doesNotExist();
      assertThat(late.claim()).isInstanceOf(AttemptFolder.Tombstone.class);
    }
    open();
    assertThat(end(ONE)).isInstanceOf(Status.Gone.class);
  }

  /** Numbers of processes are used again: here, that of this very test. */
  @Test
  void aProcessOfTheSameNumberIsNotTheSupervisor() throws IOException {
    engine.close();
    claim(ONE, ProcessHandle.current().pid() + ":1:" + ProcessId.presentBoot());
    claim(TWO, new ProcessId(1, "1", "another-boot"));
    open();
    assertThat(end(ONE)).isInstanceOf(Status.Gone.class);
    assertThat(end(TWO)).isInstanceOf(Status.Gone.class);
  }

  private void claim(AttemptId id, ProcessId owner) throws IOException {
    claim(id, owner.pid() + ":" + owner.start() + ":" + owner.boot());
  }

  private void claim(AttemptId id, String owner) throws IOException {
    Path path = Files.createDirectory(attemptFolder(id));
    Files.createSymbolicLink(path.resolve("claim"), Path.of(owner));
    // What a power cut may leave.
    Files.writeString(path.resolve("result"), "");
  }

  /** An ended attempt's GPUs may long be somebody else's. */
  @Test
  void endedAttemptsHoldNothingAfterReopening() throws IOException {
    engine.launch(1, launch(TWO, "left:2", "true"));
    end(TWO);
    engine.launch(2, launch(ONE, "left:2", "sh", "-c", "echo 1; sleep 60"));
    printed(ONE, 1);
    engine.close();
    open();
    assertThatThrownBy(() -> engine.launch(3, launch(new AttemptId(3, 1), "left:1", "true")))
        .isInstanceOf(IOException.class);
    engine.stop(ONE, 5);
    end(ONE);
  }

  @Test
  void aStopAfterAFailureDoesNotHideTheFailure() throws IOException {
    engine.launch(
        1,
        launch(
            ONE,
            "left:2",
            "sh",
            "-c",
            "if [ $RANK = 1 ]; then until [ -e ready ]; do sleep 0.05; done; exit 7; fi; "
                + "trap 'echo 1; sleep 0.5; exit 0' TERM; touch ready; "
                + "while :; do sleep 60; done"));
    printed(ONE, 1);
    engine.stop(ONE, 5);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(7, false));
  }

  @Test
  void attemptsAreKeptFromOtherUsers() throws IOException {
    assertThat(Files.getPosixFilePermissions(folder.resolve("data/attempts"))).hasSize(3);
  }
}
