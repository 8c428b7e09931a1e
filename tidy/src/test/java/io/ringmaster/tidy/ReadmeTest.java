package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whoever finds the project reads one page, and that one to its end. */
class ReadmeTest {
  private static final int CHARACTERS_MAX = 6_000;

  @Test
  void theReadmeIsShort() {
    String text = Repository.read(Repository.ROOT.resolve("README.md"));
    assertThat(text.codePointCount(0, text.length()))
        .as("characters of README.md; what does not fit goes to a page in docs")
        .isLessThanOrEqualTo(CHARACTERS_MAX);
  }
}
