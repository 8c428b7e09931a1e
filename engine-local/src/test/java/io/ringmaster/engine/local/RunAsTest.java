package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs run as their owners: here two accounts that every Debian has. Only root can do that. */
class RunAsTest extends LocalEngineStage {
  private static final String SOMEBODY = "nobody";
  private static final String OTHER = "daemon";

  @Override
  LocalSettings settings() {
    return settings(Map.of("run-as", "user"));
  }

  @Override
  @BeforeEach
  void open() throws IOException {
    assumeTrue(Account.self() == 0, "needs root");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Files.createDirectories(folder.resolve("data"));
    Files.writeString(folder.resolve("data/ringmaster.db"), "secrets");
    super.open();
  }

  private static Account account(String name) throws IOException {
    return Objects.requireNonNull(Account.find(name));
  }

  private Status.Phase run(AttemptId id, String user, String script) throws IOException {
    engine.launch(id.job(), launch(id, user, "left:1", Map.of(), "sh", "-c", script));
    return end(id);
  }

  @Test
  void aJobIsItsOwners() throws IOException {
    String script =
        "id -u; id -g; id -un; echo $HOME $USER; pwd; echo x >made; echo y >>/dev/stderr;"
            + " echo z >\"$RINGMASTER_CHECKPOINT_DIR/c\";"
            + " echo '{\"done\": 0.5}' >>\"$RINGMASTER_PROGRESS\"";
    assertThat(run(ONE, SOMEBODY, script)).isEqualTo(new Status.Exited(0, false));
    Account owner = account(SOMEBODY);
    Path work = folder.toRealPath().resolve("data/work/1");
    assertThat(output(ONE, Engine.Stream.STDOUT).lines())
        .containsExactly(
            Integer.toString(owner.uid()),
            Integer.toString(owner.gid()),
            SOMEBODY,
            owner.home() + " " + SOMEBODY,
            work.toString());
    assertThat(output(ONE, Engine.Stream.STDERR)).isEqualTo("y\n");
    assertThat(status(ONE).doneShare()).isEqualTo(0.5);
    assertThat(Account.uid(work.resolve("made"))).isEqualTo(owner.uid());
  }

  /** Neither what is the server's nor what is another user's. */
  @Test
  void aJobCannotGetAtOthers() throws IOException {
    assertThat(run(ONE, SOMEBODY, "echo secret >secret; chmod 644 secret"))
        .isEqualTo(new Status.Exited(0, false));
    String script =
        ("cd %s; for path in attempts logs events trash attempts/1.1 logs/1/1/0.out work/1/secret"
                + " checkpoints/1 work checkpoints progress ringmaster.db; do"
                + " if ls $path/ >/dev/null 2>&1 || cat $path >/dev/null 2>&1; then echo $path; fi;"
                + " done; for path in . work progress logs attempts checkpoints/1; do"
                + " if touch $path/x 2>/dev/null; then echo into $path; fi; done;"
                + " rm -f progress/2 2>/dev/null && echo removed; echo x >>progress/1 && echo said;"
                + " kill -0 %d 2>/dev/null && echo kills; :")
            .formatted(folder.resolve("data"), ProcessHandle.current().pid());
    assertThat(run(TWO, OTHER, script)).isEqualTo(new Status.Exited(0, false));
    assertThat(output(TWO, Engine.Stream.STDOUT)).isEmpty();
  }

  @Test
  void whoHasNoAccountIsRefusedWithTheReason() throws IOException {
    assertThat(run(ONE, "no-such-user", "true"))
        .isEqualTo(
            new Status.Exited(
                126,
                false,
                "user 'no-such-user' has no account on this machine, and jobs run as their"
                    + " owners"));
    assertThat(output(ONE, Engine.Stream.STDERR)).contains("has no account");
    // A number is no name, though the system would find it.
    assertThat(run(TWO, "65534", "true")).isInstanceOf(Status.Exited.class);
    assertThat(output(TWO, Engine.Stream.STDERR)).contains("'65534' has no account");
    AttemptId three = new AttemptId(3, 1);
    engine.launch(3, launch(three, SOMEBODY, "left:2", Map.of(), "true"));
    assertThat(end(three)).as("GPUs are free again").isEqualTo(new Status.Exited(0, false));
  }

  @Test
  void rootsJobsRunOnlyIfThatIsAllowed() throws IOException {
    assertThat(run(ONE, "root", "id -u"))
        .isEqualTo(
            new Status.Exited(
                126,
                false,
                "jobs do not run as root; 'allow-root: true' of the engine would let those of"
                    + " root"));
    engine.close();
    engine = opened(settings(Map.of("run-as", "user", "allow-root", "true")));
    assertThat(run(TWO, "root", "id -u")).isEqualTo(new Status.Exited(0, false));
    assertThat(output(TWO, Engine.Stream.STDOUT)).isEqualTo("0\n");
  }

  /** Also after the server was restarted, and whatever they do to be forgotten. */
  @Test
  void processesOfOthersAreFoundAndKilled() throws IOException {
    engine.launch(
        1,
        launch(
            ONE,
            SOMEBODY,
            "left:1",
            Map.of(),
            "sh",
            "-c",
            "trap '' TERM; echo $$; setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 60;"
                + " done' & while :; do sleep 60; done"));
    List<Long> pids = printed(ONE, 2);
    engine.close();
    super.open();
    engine.stop(ONE, 0.1);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(137, true));
    assertThat(pids).noneMatch(LocalEngineStage::isAlive);
  }

  /** Somebody else's processes that wear an attempt's marks do not hold up its end. */
  @Test
  void marksOfOthersCountOnlyWithTheirUser() throws IOException {
    Path progress = folder.toRealPath().resolve("data/progress/1");
    engine.launch(
        2,
        launch(
            TWO,
            OTHER,
            "right:1",
            Map.of(),
            "sh",
            "-c",
            "export RINGMASTER_PROGRESS=%s; sh -c 'echo $$; while :; do sleep 60; done'"
                .formatted(progress)));
    List<Long> pids = printed(TWO, 1);
    assertThat(run(ONE, SOMEBODY, "true")).isEqualTo(new Status.Exited(0, false));
    assertThat(pids).allMatch(LocalEngineStage::isAlive);
    engine.stop(TWO, 0);
    end(TWO);
  }

  @Test
  void aFolderThatUsersCannotReachIsRefused() throws IOException {
    engine.close();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(super::open)
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("is closed to them")
        .hasMessageContaining("chmod o+x " + folder);
  }

  @Test
  void withoutRootItIsRefused() {
    assertThatThrownBy(() -> Account.checkPossible(1000))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("'run-as: user' needs a server of root, and this one has uid 1000")
        .hasMessageContaining("start it as root");
  }
}
