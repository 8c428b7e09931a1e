package io.ringmaster.report;

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
      String name, String lengths, Sized.@Nullable Point fewest, List<Sized.Point> curve) {}

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
        needed.fewest().orElse(null),
        needed.curve());
  }
}
