package io.ringmaster.cli.whatif;

import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Case;
import io.ringmaster.whatif.Change;
import io.ringmaster.whatif.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code whatif --json} prints. Scripts read it: add, do not rename. */
record WhatIfDocument(Past history, List<Row> cases, List<String> sentences) {
  record Past(int jobs, Optional<Double> waitMeanSeconds, Optional<Double> jctMeanSeconds) {}

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
      Range goodput,
      Range lostGpuSeconds,
      Range stops,
      double waitChange,
      double jobsSooner,
      double jobsLater,
      List<Answer.Part> bySize,
      List<Answer.Part> byUser) {}

  static WhatIfDocument of(Answer answer) {
    return new WhatIfDocument(
        new Past(
            answer.history().jobs().size(),
            answer.truth().map(io.ringmaster.model.Past::waitMeanSeconds),
            answer.truth().map(io.ringmaster.model.Past::jctMeanSeconds)),
        answer.cases().stream().map(WhatIfDocument::row).toList(),
        answer.sentences());
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
        result.goodput(),
        result.lostGpuSeconds(),
        result.stops(),
        result.waitChange(),
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
