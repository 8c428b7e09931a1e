package io.ringmaster.cli.advise;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Clock;
import io.ringmaster.advise.Queue;
import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.cli.terminal.Table;
import java.util.List;

/** Advice as a table of all jobs, or as sentences on some. */
record AdviseText(Advice advice, Clock clock, List<String> notes) {
  private static final int COLUMNS = 78;
  private static final int LONGEST_ID = 18;
  private static final int MOST_HELPS = 5;
  private static final int MOST_FRAGMENTS = 20;
  private static final int MOST_ROWS = 500;

  String text(boolean inDetail) {
    StringBuilder text = new StringBuilder(heading());
    boolean none = advice.jobs().isEmpty();
    if (none) {
      text.append("No job waits.\n");
    } else {
      text.append('\n');
      answers(text, inDetail);
      if (!inDetail) {
        policies(text);
        fragments(text);
      }
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

  /** What others would do with the whole queue. */
  private void policies(StringBuilder text) {
    if (advice.policies().size() < 2) {
      return;
    }
    Durations unit =
        Durations.ofColumn(advice.policies().stream().mapToDouble(Advice.OfPolicy::meanSeconds));
    Table table =
        new Table("policy", "mean wait from now, " + unit.label(), "jobs sooner", "jobs later");
    for (Advice.OfPolicy each : advice.policies()) {
      boolean isOwn = each.policy().equals(advice.policy());
      table.row(
          each.policy() + (isOwn ? " (now)" : ""),
          unit.number(each.meanSeconds()),
          isOwn ? "" : Integer.toString(each.sooner()),
          isOwn ? "" : Integer.toString(each.later()));
    }
    text.append(table.text()).append('\n');
  }

  private void fragments(StringBuilder text) {
    if (advice.fragments().isEmpty()) {
      return;
    }
    int lost = advice.fragments().stream().mapToInt(Advice.Fragment::freeGpus).sum();
    text.append("Free GPUs that no job which waits can use now: %d\n\n".formatted(lost));
    Table table = new Table("server", "free", "of", "why").left("why");
    advice.fragments().stream()
        .limit(MOST_FRAGMENTS)
        .forEach(each ->
            table.row(
                Shown.line(each.server()),
                Integer.toString(each.freeGpus()),
                Integer.toString(each.gpus()),
                each.why()));
    text.append(table.text());
    int more = advice.fragments().size() - MOST_FRAGMENTS;
    text.append(more > 0 ? "and %d more servers\n\n".formatted(more) : "\n");
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
    Durations unit =
        Durations.ofColumn(
            advice.jobs().stream()
                .flatMap(each -> each.helps().stream().limit(1))
                .mapToDouble(Advice.Help::soonerSeconds));
    String sooner = "sooner, " + unit.label();
    Table table =
        new Table("job", "GPUs", "starts", "8 of 10 times", "what helps most", sooner)
            .left("starts", "8 of 10 times", "what helps most");
    for (Advice.OfJob each : advice.jobs().subList(0, Math.min(MOST_ROWS, advice.jobs().size()))) {
      String id = each.job().id();
      table.row(
          id.length() <= LONGEST_ID ? id : id.substring(0, LONGEST_ID - 3) + "...",
          Integer.toString(each.job().gpus()),
          each.start().map(this::about).orElse("held"),
          each.start().map(this::between).orElse(""),
          each.helps().stream().findFirst().map(AdviseText::brief).orElse(""),
          each.helps().stream()
              .findFirst()
              .map(help -> unit.number(help.soonerSeconds()))
              .orElse(""));
    }
    text.append(table.text());
    int more = advice.jobs().size() - MOST_ROWS;
    text.append(more > 0 ? "and %d more; --json has all\n\n".formatted(more) : "\n");
  }

  private String about(Advice.Start start) {
    return start.hasMedian() ? clock.text(start.medianSeconds()) : "not known";
  }

  private String between(Advice.Start start) {
    return start.hasEnd()
        ? clock.between(start.lowSeconds(), start.highSeconds())
        : clock.text(start.lowSeconds()) + " or later";
  }

  /** Short enough for a table: the first words, without what stands in brackets. */
  private static String brief(Advice.Help help) {
    String change = help.change().replaceAll(" \\(.*\\)", "").replace("running job ", "");
    return change.replace("waiting job ", "").replaceAll("(one more server) of .*", "$1");
  }

  private void detail(StringBuilder text, Advice.OfJob each) {
    Queue.Job job = each.job();
    String who = job.kind().user().isEmpty() ? "" : " of " + job.kind().user();
    text.append(Shown.line("Job %s%s".formatted(job.id(), who)));
    each.start()
        .ifPresentOrElse(
            start ->
                text.append(
                    " starts %s; %s, 8 of 10 times.\n"
                        .formatted(
                            start.hasMedian() ? "about " + about(start) : "nobody knows when",
                            between(start))),
            () -> text.append(" is held; no start can be told.\n"));
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
