package io.ringmaster.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.testing.Seeds;
import io.ringmaster.workload.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others wrote does not steer the terminal of who looks at it. */
class TerminalTest {
  private static final String TITLE = "\u001b]0;owned\u0007";

  @TempDir Path temporary;

  /** What a task prints, byte by byte what standard output gets. */
  private static String printed(Runnable task) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      Terminal.guard();
      task.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatSteersIsEscapedAndNothingElse() {
    assertThat(Shown.line("a\u001b[2J\u0007\u007f\u009b1m\u2028\u202e\u2066b\r\n\tc"))
        .isEqualTo(
            "a\\u001b[2J\\u0007\\u007f\\u009b1m\\u2028\\u202e\\u2066b\\u000d\\u000a\\u0009c");
    String plain = "C:\\new 100 % é ü 日本語 العربية 👩‍💻 'x' \"y\"";
    assertThat(Shown.line(plain)).isSameAs(plain);
    assertThat(Shown.line(Shown.line(TITLE))).isEqualTo(Shown.line(TITLE));
  }

  @Test
  void everyWayToPrintIsGuarded() {
    assertThat(
            printed(() -> {
              System.out.print(TITLE);
              System.out.println(TITLE);
              System.out.println((Object) TITLE);
              System.out.println(TITLE.toCharArray());
              System.out.printf("%s\t%d%n", TITLE, 1);
              System.out.append(TITLE).append('\u001b');
              System.out.writeBytes(TITLE.getBytes(StandardCharsets.UTF_8));
              System.out.write('\u001b');
            }))
        .doesNotContain("\u001b", "\u0007")
        .contains("\\u001b]0;owned\\u0007\t1\n")
        .hasLineCount(5);
  }

  @Test
  void charactersThatComeInParts() {
    String text = "日本\u009b語 👩‍💻 \u202e é";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Seeds.each(
        50,
        (random, _) ->
            assertThat(
                    printed(() -> {
                      for (int at = 0; at < bytes.length; ) {
                        int length = Math.min(1 + random.nextInt(4), bytes.length - at);
                        System.out.write(bytes, at, length);
                        at += length;
                      }
                    }))
                .isEqualTo(Shown.line(text)));
  }

  private record Said(String reason) {}

  @Test
  void documentsSayTheSame() {
    Said document = new Said(TITLE + "\u009b\u202e\u2029\u007f\n\t\\");
    String shown = printed(() -> System.out.print(Json.document(document)));
    assertThat(shown).doesNotContain("\u001b", "\u009b", "\u202e", "\u2029", "\u007f");
    assertThat(Json.parse(shown)).isEqualTo(Map.of("reason", document.reason));
  }

  @Test
  void whatDrawsForItselfIsLeftAlone() {
    assertThat(printed(() -> Terminal.rawOut().print(TITLE))).isEqualTo(TITLE);
    assertThat(printed(() -> Terminal.logs().print("10 %\r20 %\n" + TITLE)))
        .isEqualTo("10 %\r20 %\n" + Shown.line(TITLE));
  }

  @Test
  void aCellIsOneLine() {
    Table table = new Table("node", "reason");
    table.row("s1", "broken\n" + TITLE);
    assertThat(table.text()).hasLineCount(3).contains("broken\\u000a\\u001b]0;owned\\u0007");
  }

  @Test
  void namesInFilesOfASimulation() {
    Path jobs = temporary.resolve("jobs.csv");
    Path cluster = temporary.resolve("cluster.yaml");
    Cli.write(cluster, "name: \"c\\e]0;owned\\a\"\nservers: [{gpus: 1}]\n");
    Cli.write(jobs, "job_id,submit_s,gpus,duration_s\n" + TITLE + ",0,1,5\n");
    assertThat(run(jobs, cluster).out())
        .doesNotContain("\u001b", "\u0007")
        .contains("on c\\u001b]0;owned\\u0007:");
    Cli.write(jobs, "job_id,submit_s,gpus,duration_s\n" + TITLE + ",0,2,5\n");
    Cli.Ran refused = run(jobs, cluster);
    assertThat(refused.status()).isEqualTo(ExitStatus.BAD_INPUT);
    assertThat(refused.err()).doesNotContain("\u001b", "\u0007").hasLineCount(1);
  }

  @Test
  void argumentsOfTheCommandLine() {
    Cli.Ran ran = Cli.run("simulate", "--" + TITLE);
    assertThat(ran.err()).doesNotContain("\u001b", "\u0007").hasLineCount(1);
  }

  private static Cli.Ran run(Path jobs, Path cluster) {
    return Cli.run(
        "simulate", jobs.toString(), "--cluster", cluster.toString(), "--policy", "fifo");
  }
}
