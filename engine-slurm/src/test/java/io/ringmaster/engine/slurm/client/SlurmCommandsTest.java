package io.ringmaster.engine.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmCommandsTest {
  private final SlurmCommands commands = new SlurmCommands(Duration.ofSeconds(60));

  @Test
  void tellsWhatACommandPrinted() throws Exception {
    assertThat(commands.run("sh", "-c", "echo one; echo two >&2")).isEqualTo("one\n");
  }

  @Test
  void timesAreSecondsWhateverTheCallersHabits() throws Exception {
    assertThat(commands.run("sh", "-c", "echo $SLURM_TIME_FORMAT $LC_ALL"))
        .isEqualTo("%s C.UTF-8\n");
  }

  @Test
  void handsOverWhatACommandReads() throws Exception {
    assertThat(commands.run(List.of("cat"), "a script\n")).isEqualTo("a script\n");
  }

  @Test
  void aFailureIsToldByItsFirstWords() {
    assertThatThrownBy(() -> commands.run("sh", "-c", "echo; echo 'no such job' >&2; exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("sh failed with code 3: no such job");
  }

  @Test
  void aFailureCanBeLookedInto() throws Exception {
    SlurmCommands.Answer answer = commands.answer(List.of("sh", "-c", "echo a; exit 4"), "");
    assertThat(answer).isEqualTo(new SlurmCommands.Answer(4, "a\n", ""));
  }

  @Test
  void aCommandThatHangsIsKilled() {
    SlurmCommands hasty = new SlurmCommands(Duration.ofMillis(300));
    assertThatThrownBy(() -> hasty.run("sleep", "600"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sleep did not answer within");
  }

  @Test
  void aChildThatKeepsThePipeOpenDoesNotHoldUp() throws Exception {
    assertThat(commands.run("sh", "-c", "sleep 600 & echo done")).isEqualTo("done\n");
  }

  /** Who is killed while it waits for a command leaves nothing in the folder for such files. */
  @Test
  void theFilesOfACommandHaveNoNamesWhileItRuns() throws Exception {
    String untilDeleted =
        "until readlink /proc/$$/fd/1 | grep -q deleted; do sleep 0.02; done; echo gone";
    assertThat(commands.run("sh", "-c", untilDeleted)).isEqualTo("gone\n");
  }

  @Test
  void wordsCanBePutBeforeEachCommand() throws Exception {
    SlurmCommands wrapped = new SlurmCommands(List.of("env", "HOST=far"), Duration.ofSeconds(60));
    assertThat(wrapped.run("sh", "-c", "echo $HOST")).isEqualTo("far\n");
  }

  @Test
  void aCommandThatGoesOnCanBeTalkedTo() throws Exception {
    Process process = commands.start(List.of("sh", "-c", "read x; echo got $x; echo bad >&2; cat"));
    try (BufferedWriter in = process.outputWriter()) {
      in.write("one\n");
    }
    assertThat(process.inputReader().readAllAsString()).isEqualTo("got one\nbad\n");
    assertThat(process.waitFor()).isZero();
  }
}
