package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that do to their files what no job should: it is their own business, and nobody else's. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileJobsTest extends LocalEngineStage {
  private static final AttemptId ONE_MORE = new AttemptId(21, 1);

  /** Runs a shell script in attempt 1.1 that prints 1 when it is done, and waits. */
  private void spoil(String script) throws IOException {
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "data=%s; attempt=$data/attempts/1.1; logs=$data/logs/1/1; "
                    .formatted(folder.toRealPath().resolve("data"))
                + script
                + "; echo 1 >\"$RINGMASTER_CHECKPOINT_DIR/spoiled\"; while :; do sleep 60; done"));
    await(() -> Files.exists(folder.resolve("data/checkpoints/1/spoiled")));
  }

  private static void await(Callable<Boolean> condition) {
    try {
      await("the job", condition);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Others run, tell their progress and end, and what was spoiled can be cancelled. */
  private void checkOthers() throws IOException {
    engine.launch(
        2, launch(TWO, "right:1", "sh", "-c", "echo '{\"done\": 0.5}' >>\"$RINGMASTER_PROGRESS\""));
    assertThat(end(TWO)).isEqualTo(new Status.Exited(0, false));
    assertThat(status(TWO).doneShare()).isEqualTo(0.5);
    engine.stop(ONE, 0.2);
    assertThat(end(ONE).isEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir \"$RINGMASTER_PROGRESS\"",
        "ln -s \"$RINGMASTER_PROGRESS\" \"$RINGMASTER_PROGRESS\"",
        "mkfifo \"$RINGMASTER_PROGRESS\"",
        "ln -s /dev/zero \"$RINGMASTER_PROGRESS\"",
        "touch \"$RINGMASTER_PROGRESS\"; chmod 0 \"$RINGMASTER_PROGRESS\"",
        "rm $logs/0.out; mkfifo $logs/0.out",
        "rm -r $logs; mkfifo $logs",
        "echo many >$logs/progress",
        "rm -f $logs/progress; mkfifo $logs/progress; mkdir $logs/../x",
        "mkfifo $attempt/result",
        "mkdir $attempt/result",
        "rm $attempt/claim; mkdir $attempt/claim",
        "rm $attempt/claim; ln -s 1:2 $attempt/claim",
        "rm $attempt/plan; mkfifo $attempt/plan",
        "echo nonsense >$attempt/plan",
        "mkfifo $attempt/end",
        "mkdir -p $attempt/end.new/x",
        "rm $attempt/mailbox; mkdir $attempt/mailbox",
        "rm $attempt/mailbox; mkfifo $attempt/mailbox",
        "rm -r $attempt",
        "rm -r $attempt; touch $attempt",
        "rm -r $attempt; ln -s $attempt $attempt",
        "mkdir -p $data/events/x/y $data/trash/x/y; chmod 0 $data/trash/x",
        "kill -STOP $(readlink $attempt/claim | cut -d: -f1)",
        "mkdir $data/attempts/99999999999999999999.1 $data/attempts/x",
      })
  void whatOneDoesToItsFilesIsItsOwnBusiness(String script) throws IOException {
    spoil(script);
    checkOthers();
  }

  /** The next server opens whatever is there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir \"$RINGMASTER_PROGRESS\"",
        "mkfifo \"$RINGMASTER_PROGRESS\"",
        "rm $attempt/claim; mkdir $attempt/claim",
        "rm $attempt/plan; mkfifo $attempt/plan",
        "mkfifo $attempt/end",
        "echo nonsense >$attempt/end",
        "rm -r $attempt; touch $attempt",
        "mkdir -p $data/events/x/y $data/trash/x/y; chmod 0 $data/trash/x",
        "mkdir $data/attempts/99999999999999999999.1 $data/attempts/x",
        "mkfifo $data/supervise.sh.new",
      })
  void aServerStartsWithWhatItFinds(String script) throws IOException {
    spoil(script);
    engine.close();
    open();
    checkOthers();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mkfifo", "ln -s /etc/passwd", "ln -s /dev/zero", "mkdir"})
  void aLogThatIsNoFileIsNotRead(String make) throws IOException {
    spoil("rm $logs/0.out; %s $logs/0.out; %s $RINGMASTER_PROGRESS".formatted(make, make));
    for (Engine.Stream stream : List.of(Engine.Stream.STDOUT, Engine.Stream.PROGRESS)) {
      assertThatThrownBy(() -> output(ONE, stream))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("is no regular file");
    }
    checkOthers();
  }

  /** The check and the opening are two steps: what is a file at the first may be a pipe after. */
  @Test
  void aFileThatBecomesAPipeHangsNobody() throws IOException {
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "cd \"$(dirname \"$RINGMASTER_PROGRESS\")\"; while :; do"
                + " echo '{}' >a; mv -f a 1; mkfifo b; mv -f b 1; done"));
    for (int reads = 0; reads < 300; reads++) {
      try {
        assertThat(output(ONE, Engine.Stream.PROGRESS)).matches("(\\{\\}\n)?");
      } catch (IOException e) {
        assertThat(e.toString()).matches("(?s).*(no regular file|Illegal seek|did not answer).*");
      }
    }
    checkOthers();
  }

  @Test
  void nothingOfAJobIsInACommandLineButItsOwn() throws Exception {
    String secret = "hunter2-" + System.nanoTime();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    AtomicBoolean over = new AtomicBoolean();
    // Looks at all command lines, all the time, while attempts are started.
    Thread watcher =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                ProcessHandle.allProcesses()
                    .forEach(process -> {
                      try {
                        Path words = Path.of("/proc", Long.toString(process.pid()), "cmdline");
                        String line = new String(Files.readAllBytes(words), StandardCharsets.UTF_8);
                        if (line.contains(secret)) {
                          seen.add(line.replace('\0', ' '));
                        }
                      } catch (IOException e) {
                        // It has ended.
                      }
                    });
              }
            });
    for (int job = 1; job <= 20; job++) {
      AttemptId id = new AttemptId(job, 1);
      engine.launch(
          job, launch(id, "left:1", Map.of("env", Map.of("SECRET", secret)), "printenv", "SECRET"));
      end(id);
      assertThat(output(id, Engine.Stream.STDOUT)).isEqualTo(secret + "\n");
    }
    engine.launch(21, launch(ONE_MORE, "left:1", "sh", "-c", "sleep 60; :", secret));
    await("the watcher", () -> !seen.isEmpty());
    engine.stop(ONE_MORE, 0);
    over.set(true);
    watcher.join();
    assertThat(seen).containsExactly("sh -c sleep 60; : " + secret + " ");
  }

  @Test
  void filesAreKeptFromOtherUsers() throws Exception {
    engine.launch(1, launch(ONE, "left:1", "sh", "-c", "umask; touch made; sleep 60"));
    await("its output", () -> output(ONE, Engine.Stream.STDOUT).equals("0022\n"));
    try (var paths = Files.walk(folder.resolve("data"))) {
      for (Path path : paths.filter(p -> !p.equals(folder.resolve("data"))).toList()) {
        if (!Files.isSymbolicLink(path) && !path.endsWith("made")) {
          assertThat(Files.getPosixFilePermissions(path))
              .as(path.toString())
              .allMatch(permission -> permission.name().startsWith("OWNER"));
        }
      }
    }
    engine.stop(ONE, 0);
    end(ONE);
  }

  /** Shells keep some variables for themselves, and some bytes mean something to them inside. */
  @Test
  void everyVariableArrivesAsItIs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (char c = 1; c < 0x180; c++) {
      all.append(c);
    }
    Map<String, String> variables =
        Map.of("ALL", all.toString(), "UID", "x", "OPTIND", "y", "IFS", "z", "PPID", "");
    engine.launch(1, launch(ONE, "left:1", Map.of("env", variables), "cat", "/proc/self/environ"));
    end(ONE);
    assertThat(List.of(output(ONE, Engine.Stream.STDOUT).split("\0", -1)))
        .contains("ALL=" + all, "UID=x", "OPTIND=y", "IFS=z", "PPID=");
  }

  /**
   * The supervisor's own timers and shells are killed, or it is stopped: a cancel still ends it.
   */
  @Test
  void whoseSupervisorHangsIsKilledAfterTheGrace() throws IOException {
    spoil("kill -STOP $(readlink $attempt/claim | cut -d: -f1)");
    engine.stop(ONE, 0.1);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(137, true));
  }

  @Test
  void aLaterStopWithAShorterGraceWins() throws IOException {
    spoil("trap '' TERM");
    engine.stop(ONE, 3600);
    engine.stop(ONE, 3600);
    engine.stop(ONE, 0.1);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(137, true));
  }
}
