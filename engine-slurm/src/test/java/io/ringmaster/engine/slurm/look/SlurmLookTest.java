package io.ringmaster.engine.slurm.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.workload.trace.SlurmTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the right names stand in for Slurm's, and count how often they are asked. */
class SlurmLookTest {
  @TempDir Path dir;
  private final Instant noon = Instant.parse("2026-11-02T12:00:00Z");

  @BeforeEach
  void programs() throws IOException {
    program("squeue", "echo asked >>$DIR/squeue.calls; echo jobs of $SQUEUE_USERS.");
    program("scontrol", "echo \"$@\" >>$DIR/scontrol.calls; echo \"$@\"");
    program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
  }

  private void program(String name, String script) throws IOException {
    Path file = dir.resolve(name);
    Files.writeString(file, "#!/bin/sh\nDIR=%s\n%s\n".formatted(dir, script));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private SlurmLook at(Instant now) {
    List<String> prefix = List.of("env", "PATH=%s:%s".formatted(dir, System.getenv("PATH")));
    return new SlurmLook(
        new SlurmCommands(prefix, Duration.ofSeconds(60)),
        new KeptLooks(dir.resolve("kept")),
        Clock.fixed(now, ZoneOffset.UTC));
  }

  private long calls(String program) throws IOException {
    try (var lines = Files.lines(dir.resolve(program + ".calls"))) {
      return lines.count();
    }
  }

  @Test
  void slurmIsAskedOnceAMinuteAtMost() throws IOException {
    Look first = at(noon).look(false);
    assertThat(first.isKept()).isFalse();
    assertThat(first.texts())
        .isEqualTo(
            new SlurmTexts(
                "jobs of .\n",
                "--details --oneliner show node\n",
                "--all --oneliner show partition\n",
                "show config\n",
                "",
                "sacct: Slurm accounting storage is disabled"));
    assertThat(first.cost().calls()).isEqualTo(4);
    assertThat(first.cost().bytes()).isEqualTo(10 + 31 + 32 + 12);

    Look soon = at(noon.plusSeconds(59)).look(false);
    assertThat(soon.isKept()).isTrue();
    assertThat(soon.atSeconds()).isEqualTo(first.atSeconds());
    assertThat(soon.texts()).isEqualTo(first.texts());
    assertThat(calls("squeue")).isEqualTo(1);

    assertThat(at(noon.plusSeconds(59)).look(true).isKept()).isFalse();
    Look later = at(noon.plusSeconds(120)).look(false);
    assertThat(later.isKept()).isFalse();
    // Settings and history are kept for an hour.
    assertThat(later.cost().calls()).isEqualTo(3);
    assertThat(calls("squeue")).isEqualTo(3);
    assertThat(at(noon.plusSeconds(3700)).look(false).cost().calls()).isEqualTo(4);
  }

  @Test
  void whatIsKeptIsItsOwnersAlone() throws IOException {
    at(noon).look(false);
    Path kept = dir.resolve("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rwx------");
    try (var files = Files.list(kept)) {
      assertThat(files.toList())
          .hasSize(2)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }

  @Test
  void whatOthersCouldHaveWrittenOrIsDamagedIsNotRead() throws IOException {
    at(noon).look(false);
    Path now = dir.resolve("kept/now");
    Files.setPosixFilePermissions(now, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(at(noon).look(false).isKept()).isFalse();
    assertThat(at(noon).look(false).isKept()).isTrue();
    for (String damaged : List.of("x", "at 99999\n1", "at 5\nabcdefgh", "at 1e9\n1")) {
      Files.writeString(now, damaged);
      assertThat(at(noon).look(false).isKept()).as(damaged).isFalse();
    }
  }

  @Test
  void aSlurmThatDoesNotAnswerIsToldInOneLine() throws IOException {
    program(
        "squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
    assertThatThrownBy(() -> at(noon).look(false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "squeue failed with code 1: slurm_load_jobs error: Unable to contact slurm controller");
  }

  @Test
  void anotherSlurmIsKeptElsewhere() {
    assertThat(KeptLooks.ofUser(Map.of("SLURM_CONF", "/a"), "/home/ann"))
        .isNotEqualTo(KeptLooks.ofUser(Map.of("SLURM_CONF", "/b"), "/home/ann"));
  }
}
