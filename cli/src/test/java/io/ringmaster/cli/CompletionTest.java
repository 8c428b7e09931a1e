package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real bash. */
class CompletionTest {
  /** Breaks a line into words as bash does before it calls a completion function. */
  private static final String ASK =
      """
      source completion
      line=$1
      broken=${line//=/ = }
      read -r -a COMP_WORDS <<<"${broken//:/ : }"
      case "$line" in *' ' | *= | *:) COMP_WORDS+=("") ;; esac
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
      _ringmaster
      echo "${COMPREPLY[*]}"
      """;

  @TempDir Path temporary;

  @BeforeEach
  void script() {
    Cli.write(temporary.resolve("completion"), Cli.good("completion").out());
    Cli.write(temporary.resolve("ask"), ASK);
  }

  private List<String> offered(String line) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "ask", line).redirectErrorStream(true);
    Process bash = builder.directory(temporary.toFile()).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    return Arrays.stream(said.strip().split(" +", -1)).toList();
  }

  @Test
  void commandsAndOptions() throws IOException, InterruptedException {
    assertThat(offered("ringmaster simul")).containsExactly("simulate");
    assertThat(offered("ringmaster token ")).contains("add", "list", "remove");
    assertThat(offered("ringmaster fit sp")).containsExactly("speed");
    assertThat(offered("ringmaster compare --se")).containsExactly("--set", "--seeds", "--seed");
    assertThat(offered("ringmaster ")).contains("compare").doesNotContain("complete");
  }

  @Test
  void policiesFormatsAndOtherNames() throws IOException, InterruptedException {
    assertThat(offered("ringmaster simulate --policy sr")).containsExactly("srtf", "srsf");
    assertThat(offered("ringmaster simulate --policy=sr")).containsExactly("srtf", "srsf");
    assertThat(offered("ringmaster compare --policies fifo,ea")).containsExactly("fifo,easy");
    assertThat(offered("ringmaster policies mae")).containsExactly("maestro");
    assertThat(offered("ringmaster import phil")).containsExactly("philly", "philly-csv");
    assertThat(offered("ringmaster whatif x --format sw")).containsExactly("swf");
    assertThat(offered("ringmaster generate phi")).containsExactly("philly");
    assertThat(offered("ringmaster reproduce gad")).containsExactly("gadget");
    assertThat(offered("ringmaster jobs --state runn")).containsExactly("running");
  }

  @Test
  void settingsOfWhatIsNamedAndTheirValues() throws IOException, InterruptedException {
    assertThat(offered("ringmaster simulate j --policy las --set "))
        .containsExactly("queues=", "placement=");
    assertThat(offered("ringmaster simulate j --policy las --set placement=sp"))
        .containsExactly("spread");
    assertThat(offered("ringmaster compare --set estimate=p"))
        .containsExactly("perfect", "predicted");
    assertThat(offered("ringmaster import chronus f --set uni")).containsExactly("unit=");
  }

  @Test
  void files() throws IOException, InterruptedException {
    assertThat(offered("ringmaster validate comp")).containsExactly("completion");
  }
}
