package io.ringmaster.cli.whatif;

import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.whatif.History;
import java.util.List;
import java.util.Locale;

/** What stands above and below the table of an answer. */
final class AnswerText {
  private static final int SENTENCE_COLUMNS = 78;

  private AnswerText() {}

  static String headline(History history, int draws) {
    return String.format(
        Locale.ROOT,
        "%,d jobs, %d servers, %d GPUs; %s of what is not known%n",
        history.jobs().size(),
        history.cluster().size(),
        history.cluster().totalGpus(),
        draws == 1 ? "one draw" : "means of %d draws".formatted(draws));
  }

  static String sentences(List<String> sentences) {
    StringBuilder text = new StringBuilder();
    sentences.forEach(sentence -> text.append(wrapped("- " + Shown.line(sentence))));
    return text.toString();
  }

  private static String wrapped(String text) {
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > SENTENCE_COLUMNS) {
        out.append("\n ");
        column = 1;
      }
      out.append(column == 0 ? "" : " ").append(word);
      column += word.length() + 1;
    }
    return out.append('\n').toString();
  }
}
