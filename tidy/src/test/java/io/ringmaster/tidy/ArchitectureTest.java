package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every module has a row in architecture.md and a box in its picture. */
class ArchitectureTest {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|");
  private static final Pattern BOX =
      Pattern.compile("<rect class=\"(?:pure|box)[^>]*>\\s*<text class=\"name\"[^>]*>([a-z-]+)<");

  @Test
  void everyModuleIsDescribedAndDrawn() {
    List<String> modules = found(MODULE, "pom.xml");
    assertThat(modules).isNotEmpty();
    assertThat(found(ROW, "docs/architecture.md")).hasSameElementsAs(modules);
    assertThat(found(BOX, "docs/images/architecture.svg")).contains(modules.toArray(String[]::new));
  }

  private static List<String> found(Pattern pattern, String file) {
    return pattern
        .matcher(Repository.read(Repository.ROOT.resolve(Path.of(file))))
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
