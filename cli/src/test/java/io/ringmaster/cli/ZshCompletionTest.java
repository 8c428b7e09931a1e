package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real, interactive zsh; skipped where there is none. */
class ZshCompletionTest {
  /**
   * Types a line and the tab key, and prints what is offered, a word in each line. What is offered
   * comes through compadd, whoever offers it.
   */
  private static final String ASK =
      """
      zmodload zsh/zpty
      export TERM=vt100
      zpty z zsh -f -i
      wait_for() {
        local out= chunk
        local -i tries=0
        while (( tries++ < 1200 )) && [[ $out != *$1* ]]; do
          if zpty -r -t z chunk 2>/dev/null; then out+=$chunk; else sleep 0.05; fi
        done
      }
      zpty -w z "PS1=
      autoload -Uz compinit && compinit -u -D
      source ./completion
      compadd() {
        local -a offered
        builtin compadd -A offered \\"\\$@\\"
        print -l -- \\$offered >> offered
        builtin compadd \\"\\$@\\"
      }
      told() { print -n > told }
      zle -N told; bindkey '^X' told
      print REA''DY"
      wait_for READY
      zpty -w -n z "$1"$'\\t\\C-x'
      typeset -i tries=0
      while (( tries++ < 1200 )) && [[ ! -e told ]]; do
        zpty -r -t z chunk 2>/dev/null
        sleep 0.05
      done
      zpty -d z
      sort -u offered
      """;

  @TempDir Path temporary;

  @BeforeEach
  void script() {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "zsh"))),
        "zsh is not installed");
    Cli.write(temporary.resolve("completion"), Cli.good("completion").out());
    Cli.write(temporary.resolve("ask"), ASK);
  }

  private List<String> offered(String line) throws IOException, InterruptedException {
    Files.deleteIfExists(temporary.resolve("offered"));
    Files.deleteIfExists(temporary.resolve("told"));
    ProcessBuilder builder = new ProcessBuilder("zsh", "-f", "ask", line).redirectErrorStream(true);
    Process zsh = builder.directory(temporary.toFile()).start();
    String said = new String(zsh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(zsh.waitFor()).as(said).isZero();
    return said.lines().filter(word -> !word.isEmpty()).toList();
  }

  @Test
  void whatBashOffersZshDoes() throws IOException, InterruptedException {
    assertThat(offered("ringmaster simul")).containsExactly("simulate");
    assertThat(offered("ringmaster compare --se")).containsExactly("--seed", "--seeds", "--set");
    assertThat(offered("ringmaster compare --policies fifo,ea")).containsExactly("fifo,easy");
    assertThat(offered("ringmaster simulate --policy=sr"))
        .containsExactly("--policy=srsf", "--policy=srtf");
    assertThat(offered("ringmaster simulate j --policy las --set "))
        .containsExactly("placement=", "queues=");
    assertThat(offered("ringmaster simulate j --policy las --set placement=sp"))
        .containsExactly("placement=spread");
    assertThat(offered("ringmaster validate comp")).containsExactly("completion");
  }
}
