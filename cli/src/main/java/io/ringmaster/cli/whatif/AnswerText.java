package io.ringmaster.cli.whatif;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.whatif.History;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What stands above and below the table of an answer. */
final class AnswerText {
  private AnswerText() {}

  static String headline(History history, int draws) {
    return Prose.wrapped(
        String.format(
            Locale.ROOT,
            "%,d jobs, %d servers, %d GPUs; %s",
            history.jobs().size(),
            history.cluster().size(),
            history.cluster().totalGpus(),
            draws == 1
                ? "submitted when they were"
                : "means of %d draws of what is not known".formatted(draws)));
  }

  static String sentences(List<String> sentences) {
    return sentences.stream()
        .map(sentence -> Prose.wrapped("- ", Shown.line(sentence)))
        .collect(Collectors.joining());
  }
}
