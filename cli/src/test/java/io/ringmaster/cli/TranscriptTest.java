package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pages show below a command is what the command prints; a line of dots leaves some out. */
class TranscriptTest {
  private static final Path ROOT = Path.of("..");

  private static final String SITE = "docs/examples/sacct.txt.gz";

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  /** By command: several pages show the same. */
  private static final Map<String, String> PRINTED = new ConcurrentHashMap<>();

  private static String printed(String command) {
    return PRINTED.computeIfAbsent(
        command,
        _ -> {
          String[] words =
              WORD.matcher(command.replace(SITE, "../" + SITE))
                  .results()
                  .skip(1)
                  .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                  .toArray(String[]::new);
          Cli.Ran ran = Cli.good(words);
          return ran.out() + ran.err();
        });
  }

  /** Of a command alone in a block, the next block. */
  private static String shown(String page, String command) throws IOException {
    Matcher blocks =
        Pattern.compile(
                "```\n%s\n```\n.*?```\n(.*?)\n```\n".formatted(Pattern.quote(command)),
                Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve(page)));
    assertThat(blocks.find()).as("%s shows what '%s' prints", page, command).isTrue();
    return blocks.group(1);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "README.md, whatif SITE",
        "docs/my-cluster.md, whatif SITE",
        "docs/my-cluster.md, size SITE --goal \"p95 wait < 30min\"",
        "docs/advise.md, advise --from SITE --at 2026-09-28T15:00:00",
        "docs/advise.md, advise --from SITE --at 2026-09-28T15:00:00 2374"
      })
  void aPageShowsWhatIsPrinted(String page, String words) throws IOException {
    String command = "./ringmaster " + words.replace("SITE", SITE);
    String printed = printed(command);
    List<String> parts = Arrays.asList(shown(page, command).split("(?m)^\\.\\.\\.$"));
    int from = 0;
    for (String part : parts) {
      String lines = part.strip();
      assertThat(printed.substring(from)).as("%s, below '%s'", page, command).contains(lines);
      from = printed.indexOf(lines, from) + lines.length();
    }
  }

  @Test
  void whatIsNotPrintedIsNotShown() throws IOException {
    assertThat(shown("docs/my-cluster.md", "./ringmaster whatif " + SITE))
        .startsWith("1,757 jobs, 16 servers, 112 GPUs;")
        .endsWith("who gains and who loses");
  }
}
