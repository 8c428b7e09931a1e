package io.ringmaster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrittenTest {
  private static Written written(String jobs, String page) {
    return new Written(Map.of("jobs.csv", jobs, "page.html", page));
  }

  @Test
  void aFileThatAnyRunWritesOtherwiseDiffers() {
    List<Written> before = List.of(written("a", "p"), written("a", "p"));

    assertThat(Written.differing(before, before)).isEmpty();
    assertThat(Written.differing(before, List.of(written("a", "p"), written("b", "p"))))
        .containsExactly("jobs.csv");
  }

  @Test
  void aFileThatIsMissingOrNewDiffers() {
    List<Written> fewer = List.of(new Written(Map.of("jobs.csv", "a")));
    List<Written> more = List.of(written("a", "p"));

    assertThat(Written.differing(fewer, more)).containsExactly("page.html");
    assertThat(Written.differing(more, fewer)).containsExactly("page.html");
  }

  @Test
  void nothingFollowsFromAFileThatIsNeverTheSame() {
    List<Written> before = List.of(written("a", "p"), written("a", "q"));

    assertThat(Written.unsteady(before)).containsExactly("page.html");
    assertThat(Written.differing(before, List.of(written("a", "r")))).isEmpty();
  }

  @Test
  void whatSaysWhenARunWasIsLeftOut(@TempDir Path folder) throws IOException {
    Path out = Files.createDirectories(folder.resolve("out/parts"));
    Files.writeString(folder.resolve("out/run.json"), "at noon");
    Files.writeString(out.resolve("jobs.csv"), "id");
    Path printed = Files.writeString(folder.resolve("printed"), "");

    assertThat(Written.of(folder.resolve("out"), printed).hashes().keySet())
        .containsExactly("parts/jobs.csv", "what it printed");
  }
}
