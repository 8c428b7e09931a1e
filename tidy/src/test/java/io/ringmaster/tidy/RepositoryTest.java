package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a reader may rely on in every file. */
class RepositoryTest {
  private static final int MAIN_LINES_MAX = 450;
  private static final Pattern TEXT = Pattern.compile(".*\\.(java|md|sh|ya?ml|tsx?|css|html)");
  private static final Pattern MERGE_MARK = Pattern.compile("(<{7}|={7}|>{7})( .*)?");
  private static final Pattern TRAILING_SPACE = Pattern.compile("\\s+$");

  /** These have annotations or a comment before their first keyword. */
  private static final Set<String> NO_PACKAGE_FIRST =
      Set.of("package-info.java", "module-info.java");

  @Test
  void noTabsNoTrailingSpaceNoMarksOfMerges() {
    List<String> found = new ArrayList<>();
    for (Path file : Repository.files()) {
      if (!TEXT.matcher(Repository.name(file)).matches() && !isScript(file)) {
        continue;
      }
      int number = 0;
      for (String line : Repository.read(file).lines().toList()) {
        number++;
        if (line.indexOf('\t') >= 0) {
          found.add(Repository.relative(file) + ":" + number + ": tab");
        }
        if (MERGE_MARK.matcher(line).matches()) {
          found.add(Repository.relative(file) + ":" + number + ": left by a merge");
        }
        if (TRAILING_SPACE.matcher(line).find()) {
          found.add(Repository.relative(file) + ":" + number + ": trailing space");
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void scriptsAreExecutable() {
    List<String> found =
        Repository.files().stream()
            .filter(file -> isScript(file) && !Files.isExecutable(file))
            .map(Repository::relative)
            .toList();
    assertThat(found).as("scripts to chmod +x").isEmpty();
  }

  @Test
  void javaFilesStartWithTheirPackage() {
    List<String> found =
        Repository.javaFiles().stream()
            .filter(file -> !NO_PACKAGE_FIRST.contains(Repository.name(file)))
            .filter(file -> !Repository.read(file).startsWith("package "))
            .map(Repository::relative)
            .toList();
    assertThat(found).as("files whose first line is not their package").isEmpty();
  }

  @Test
  void mainClassesAreShortOrSayWhyNot() {
    List<String> found = new ArrayList<>();
    for (Path file : Repository.javaFiles()) {
      if (!Repository.relative(file).contains("src/main/java")) {
        continue;
      }
      String text = Repository.read(file);
      long lines = text.lines().count();
      if (lines > MAIN_LINES_MAX && !text.contains("Longer than")) {
        found.add(Repository.relative(file) + ": " + lines + " lines");
      }
    }
    assertThat(found)
        .as("over %s lines: split it, or say \"Longer than ... because\"", MAIN_LINES_MAX)
        .isEmpty();
  }

  /** Scripts have no suffix here; their first two bytes tell. */
  private static boolean isScript(Path file) {
    try (var bytes = Files.newInputStream(file)) {
      return bytes.read() == '#' && bytes.read() == '!';
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }
}
