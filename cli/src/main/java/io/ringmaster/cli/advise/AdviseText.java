package io.ringmaster.cli.advise;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Clock;
import io.ringmaster.advise.Queue;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.cli.terminal.Table;
import java.util.List;

/** Advice as a table of all jobs, or as sentences on some. */
record AdviseText(Advice advice, Clock clock, List<String> notes) {
  private static final int COLUMNS = 78;
  private static final int LONGEST_ID = 18;
  private static final int MOST_HELPS = 5;

  String text(boolean inDetail) {
    StringBuilder text = new StringBuilder(heading());
    boolean none = advice.jobs().isEmpty();
    if (none) {
      text.append("No job waits.\n");
    } else {
      text.append('\n');
      answers(text, inDetail);
      text.append(
          wrapped(
              "From %d futures, with lengths drawn from what is known of each kind of job; %s."
                  .formatted(advice.draws(), advice.basis()),
              ""));
    }
    for (String note : notes) {
      text.append(wrapped("- Note: " + note + ".", "  "));
    }
    for (String note : advice.notes()) {
      text.append(wrapped("- Note: " + note + ".", "  "));
    }
    if (!inDetail && !none) {
      text.append("Why a job waits, and all that helps: name it behind the command.\n");
    }
    return text.toString();
  }

  private void answers(StringBuilder text, boolean inDetail) {
    if (inDetail) {
      advice.jobs().forEach(job -> detail(text, job));
    } else {
      table(text);
    }
  }

  private String heading() {
    Queue queue = advice.queue();
    int used = queue.running().stream().mapToInt(job -> job.job().gpus()).sum();
    return "%s: %d jobs wait, %d run on %d of %d GPUs%s\n"
        .formatted(
            clock.now(),
            queue.waiting().size(),
            queue.running().size(),
            used,
            queue.cluster().totalGpus(),
            queue.held().isEmpty() ? "" : "; %d are held".formatted(queue.held().size()));
  }

  private void table(StringBuilder text) {
    Table table =
        new Table("job", "GPUs", "starts", "8 of 10 times", "what helps most")
            .left("starts", "8 of 10 times", "what helps most");
    for (Advice.OfJob each : advice.jobs()) {
      String id = each.job().id();
      table.row(
          id.length() <= LONGEST_ID ? id : id.substring(0, LONGEST_ID - 3) + "...",
          Integer.toString(each.job().gpus()),
          each.start().map(start -> clock.text(start.medianSeconds())).orElse("held"),
          each.start()
              .map(start -> clock.between(start.lowSeconds(), start.highSeconds()))
              .orElse(""),
          each.helps().stream().findFirst().map(AdviseText::brief).orElse(""));
    }
    text.append(table.text()).append('\n');
  }

  /** Short enough for a table: the first words, without what stands in brackets. */
  private static String brief(Advice.Help help) {
    String change = help.change().replaceAll(" \\(.*\\)", "").replace("running job ", "");
    return "%s: -%s"
        .formatted(change.replace("waiting job ", ""), Clock.span(help.soonerSeconds()));
  }

  private void detail(StringBuilder text, Advice.OfJob each) {
    Queue.Job job = each.job();
    String who = job.kind().user().isEmpty() ? "" : " of " + job.kind().user();
    text.append(Shown.line("Job %s%s".formatted(job.id(), who)));
    each.start()
        .ifPresentOrElse(
            start ->
                text.append(
                    " starts about %s; %s, 8 of 10 times.\n"
                        .formatted(
                            clock.text(start.medianSeconds()),
                            clock.between(start.lowSeconds(), start.highSeconds()))),
            () -> text.append(" does not start by itself.\n"));
    text.append(wrapped("Why not now: " + each.why() + ".", "  "));
    if (!each.helps().isEmpty()) {
      text.append("What would help:\n");
      each.helps().stream()
          .limit(MOST_HELPS)
          .forEach(help ->
              text.append(
                  wrapped(
                      "- %s: %s sooner".formatted(help.change(), Clock.span(help.soonerSeconds())),
                      "  ")));
    } else if (!each.isHeld()) {
      text.append("Nothing that was tried would start it a minute sooner.\n");
    }
    text.append('\n');
  }

  /** Lines that fit the terminal; those after the first are moved in. */
  static String wrapped(String text, String in) {
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (String word : Shown.line(text).split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > COLUMNS) {
        out.append('\n').append(in);
        column = in.length();
      } else if (column > 0) {
        out.append(' ');
        column++;
      }
      out.append(word);
      column += word.length();
    }
    return out.append('\n').toString();
  }
}
