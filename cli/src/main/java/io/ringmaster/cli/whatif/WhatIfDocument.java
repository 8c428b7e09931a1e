package io.ringmaster.cli.whatif;

import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Case;
import io.ringmaster.whatif.Change;
import io.ringmaster.whatif.Range;
import io.ringmaster.whatif.Truth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code whatif --json} prints. Scripts read it: add, do not rename. */
record WhatIfDocument(Past history, List<Row> cases, List<String> sentences) {
  /** What happened, and how far the replay is off. */
  record Past(
      int jobs,
      @Nullable Double waitMeanSeconds,
      @Nullable Double waitP95Seconds,
      @Nullable Double jctMeanSeconds,
      @Nullable Double jctP95Seconds,
      @Nullable Double replayWaitErrorSeconds,
      @Nullable Double replayJctErrorSeconds,
      @Nullable Double replayNearShare,
      @Nullable Double freeShare) {}

  record Row(
      String name,
      Map<String, String> changes,
      String policy,
      String lengths,
      int servers,
      int gpus,
      Range waitMeanSeconds,
      Range waitP95Seconds,
      Range jctMeanSeconds,
      Range jctP95Seconds,
      Range goodput,
      Range lostGpuSeconds,
      Range stops,
      double waitChange,
      double waitP95Change,
      double jctChange,
      double jctP95Change,
      Range waitDifferenceSeconds,
      double jobsSooner,
      double jobsLater,
      List<Answer.Part> bySize,
      List<Answer.Part> byUser) {}

  static WhatIfDocument of(Answer answer) {
    return new WhatIfDocument(
        past(answer),
        answer.cases().stream().map(WhatIfDocument::row).toList(),
        answer.sentences());
  }

  private static Past past(Answer answer) {
    return new Past(
        answer.history().jobs().size(),
        told(answer, Truth::waitMeanSeconds),
        told(answer, Truth::wait95Seconds),
        told(answer, Truth::completionMeanSeconds),
        told(answer, Truth::completion95Seconds),
        told(answer, Truth::waitErrorSeconds),
        told(answer, Truth::completionErrorSeconds),
        told(answer, Truth::nearShare),
        told(answer, Truth::freeShare));
  }

  private static @Nullable Double told(Answer answer, Function<Truth, Double> figure) {
    return answer.truth().map(figure).orElse(null);
  }

  private static Row row(Answer.Result result) {
    return new Row(
        result.name(),
        changes(result.asked()),
        result.policy(),
        result.lengths().word(),
        result.servers(),
        result.gpus(),
        result.waitMeanSeconds(),
        result.wait95Seconds(),
        result.completionMeanSeconds(),
        result.completion95Seconds(),
        result.goodput(),
        result.lostGpuSeconds(),
        result.stops(),
        result.changes().waitMean(),
        result.changes().wait95(),
        result.changes().completionMean(),
        result.changes().completion95(),
        result.waitDifferenceSeconds(),
        result.soonerShare(),
        result.laterShare(),
        result.bySize(),
        result.byUser());
  }

  /** By the word that a change begins with. */
  private static Map<String, String> changes(Case asked) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (Change change : asked.changes()) {
      String[] words = change.text().split(" ", 2);
      changes.merge(words[0], words[1], (one, more) -> one + ", " + more);
    }
    return changes;
  }
}
