package io.ringmaster.cli.advise;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Queue;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What {@code advise --json} prints. Scripts read it: add, do not rename.
 *
 * @param at the present: a date in UTC, or seconds where the files have no dates
 */
record AdviseDocument(
    Object at,
    String policy,
    int draws,
    List<Row> jobs,
    List<Advice.OfPolicy> policies,
    List<Advice.Fragment> fragments,
    List<String> notes) {
  record Row(
      String id,
      String state,
      int gpus,
      Advice.@Nullable Start start,
      String why,
      List<Advice.Help> helps) {}

  static AdviseDocument of(Advice advice, List<String> notes) {
    Queue queue = advice.queue();
    return new AdviseDocument(
        queue.hasCalendar()
            ? Instant.ofEpochSecond((long) queue.nowSeconds()).toString()
            : queue.nowSeconds(),
        advice.policy(),
        advice.draws(),
        advice.jobs().stream().map(AdviseDocument::row).toList(),
        advice.policies(),
        advice.fragments(),
        Stream.concat(notes.stream(), advice.notes().stream()).toList());
  }

  private static Row row(Advice.OfJob each) {
    return new Row(
        each.job().id(),
        each.isHeld() ? "held" : "waiting",
        each.job().gpus(),
        each.start().orElse(null),
        each.why(),
        each.helps());
  }
}
