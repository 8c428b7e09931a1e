package io.ringmaster.report;

import io.ringmaster.report.WhatIfReport.Spread;
import io.ringmaster.whatif.Question;
import io.ringmaster.whatif.Sized;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the page of a search for servers shows: what each policy needs, and its curve. */
@NamedAsDeclared
public record SizeReport(
    String kind,
    String title,
    String version,
    String lead,
    int draws,
    long seed,
    String figure,
    double limit,
    int serverGpus,
    int presentServers,
    List<ShownPolicy> policies,
    List<String> sentences) {

  /** What a policy needs; null if no number of servers is enough. */
  public record ShownPolicy(
      String name, String lengths, @Nullable ShownPoint fewest, List<ShownPoint> curve) {}

  /** A cluster that was tried, and the figure that the goal is about. */
  public record ShownPoint(int servers, int gpus, Spread seconds) {}

  /** The page's data. */
  public static SizeReport of(Sized sized, Question question, String version) {
    return new SizeReport(
        "size",
        "Servers for " + sized.goal().text(),
        version,
        WhatIfReport.lead(sized.history()),
        question.draws(),
        question.seed(),
        sized.goal().figure(),
        sized.goal().limitSeconds(),
        sized.serverGpus(),
        sized.history().cluster().size(),
        sized.policies().stream().map(SizeReport::shown).toList(),
        sized.sentences());
  }

  private static ShownPolicy shown(Sized.Needed needed) {
    return new ShownPolicy(
        needed.policy(),
        needed.lengths().name().toLowerCase(Locale.ROOT),
        needed.fewest().map(SizeReport::shown).orElse(null),
        needed.curve().stream().map(SizeReport::shown).toList());
  }

  private static ShownPoint shown(Sized.Point point) {
    return new ShownPoint(point.servers(), point.gpus(), Spread.of(point.seconds()));
  }
}
