package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every Java file reads as google-java-format writes it.
 *
 * <p>A test and not a Maven plugin: the formatter parses with the javac of the JVM it runs in, and
 * Maven's own JVM may be too old for our source.
 */
class FormatTest {
  private static final boolean FIX = Boolean.getBoolean("tidy.fix");

  @Test
  void everyJavaFileIsFormatted() throws IOException {
    Formatter formatter = new Formatter();
    List<String> badlyFormatted = new ArrayList<>();
    for (Path file : Repository.javaFiles()) {
      String text = Repository.read(file);
      String wanted;
      try {
        wanted = formatter.formatSourceAndFixImports(text);
      } catch (FormatterException e) {
        badlyFormatted.add(Repository.relative(file) + ": does not parse: " + e.getMessage());
        continue;
      }
      if (wanted.equals(text)) {
        continue;
      }
      if (FIX) {
        Files.writeString(file, wanted);
        System.out.println("formatted " + Repository.relative(file));
      } else {
        badlyFormatted.add(Repository.relative(file));
      }
    }
    assertThat(badlyFormatted).as("badly formatted; run script/format").isEmpty();
  }
}
