package io.ringmaster.report;

import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.History;
import io.ringmaster.whatif.Question;
import io.ringmaster.whatif.Range;
import io.ringmaster.whatif.Truth;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a history under changes shows: the table, the sentences, who gains and loses.
 */
@NamedAsDeclared
public record WhatIfReport(
    String kind,
    String title,
    String version,
    String lead,
    int draws,
    long seed,
    @Nullable Happened truth,
    List<ShownCase> cases,
    List<String> sentences) {

  /** What happened, and how far the replay is off. */
  public record Happened(
      int jobs,
      double waitMean,
      double waitP95,
      double jctMean,
      double jctP95,
      double waitError,
      double jctError,
      double nearShare,
      @Nullable Double freeShare) {}

  public record ShownCase(
      String name,
      String policy,
      String lengths,
      int servers,
      int gpus,
      Range waitMean,
      Range waitP95,
      Range jctMean,
      Range jctP95,
      Range goodput,
      Range lostGpuHours,
      Range stops,
      double waitChange,
      double waitP95Change,
      double jctChange,
      double jctP95Change,
      Range waitDifference,
      double soonerShare,
      double laterShare,
      List<Part> bySize,
      List<Part> byUser) {}

  /** Jobs that have something in common. */
  public record Part(String label, int jobs, double waitMean, double change) {}

  private static final double SECONDS_PER_HOUR = 3600;

  public static WhatIfReport of(Answer answer, Question question, String version) {
    return new WhatIfReport(
        "whatif",
        "What if: " + answer.history().cluster().name(),
        version,
        lead(answer.history()),
        question.draws(),
        question.seed(),
        answer.truth().map(WhatIfReport::happened).orElse(null),
        answer.cases().stream().map(result -> shown(answer.title(result), result)).toList(),
        answer.sentences());
  }

  static String lead(History history) {
    return String.format(
        Locale.ROOT,
        "%,d jobs on %d servers with %d GPUs",
        history.jobs().size(),
        history.cluster().size(),
        history.cluster().totalGpus());
  }

  private static Happened happened(Truth truth) {
    return new Happened(
        truth.jobs(),
        truth.waitMeanSeconds(),
        truth.wait95Seconds(),
        truth.completionMeanSeconds(),
        truth.completion95Seconds(),
        truth.waitErrorSeconds(),
        truth.completionErrorSeconds(),
        truth.nearShare(),
        Double.isFinite(truth.freeShare()) ? truth.freeShare() : null);
  }

  private static ShownCase shown(String title, Answer.Result result) {
    return new ShownCase(
        title,
        result.policy(),
        result.lengths().word(),
        result.servers(),
        result.gpus(),
        result.waitMeanSeconds(),
        result.wait95Seconds(),
        result.completionMeanSeconds(),
        result.completion95Seconds(),
        result.goodput(),
        hours(result.lostGpuSeconds()),
        result.stops(),
        result.changes().waitMean(),
        result.changes().wait95(),
        result.changes().completionMean(),
        result.changes().completion95(),
        result.waitDifferenceSeconds(),
        result.soonerShare(),
        result.laterShare(),
        parts(result.bySize()),
        parts(result.byUser()));
  }

  private static Range hours(Range seconds) {
    return new Range(
        seconds.mean() / SECONDS_PER_HOUR,
        seconds.low() / SECONDS_PER_HOUR,
        seconds.high() / SECONDS_PER_HOUR);
  }

  private static List<Part> parts(List<Answer.Part> parts) {
    return parts.stream()
        .map(part -> new Part(part.name(), part.jobs(), part.waitSeconds(), part.changeSeconds()))
        .toList();
  }
}
