package io.ringmaster.whatif;

import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;

/** Replays a history as it is and under changes, over draws of what it does not tell. */
public final class WhatIf {
  private final History history;
  private final Question question;

  public WhatIf(History history, Question question) {
    this.history = history;
    this.question = question;
  }

  /**
   * Asks.
   *
   * @param asked none: what people usually ask
   * @param progress told how many runs are done, of about how many
   */
  public Answer answer(List<Case> asked, LongConsumer progress) {
    Replays replays = new Replays(history, question);
    List<Scenario> asItIs = replays.asItIs();
    List<Case> cases = new ArrayList<>(List.of(Case.REPLAY));
    cases.addAll(asked.isEmpty() ? Case.usual(asItIs.getFirst()) : asked);
    int draws = question.draws();
    // A case that cannot be is told before anything is run.
    List<List<Scenario>> scenarios = cases.stream().map(each -> of(each, asItIs)).toList();
    List<Outcome> outcomes =
        Parallel.map(
            cases.size() * draws,
            question.threads(),
            progress,
            task -> replays.outcome(scenarios.get(task / draws).get(task % draws), task % draws));
    List<Answer.Result> results = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      List<Outcome> own = outcomes.subList(i * draws, (i + 1) * draws);
      Scenario first = scenarios.get(i).getFirst();
      KnownLengths lengths = replays.lengths(first.policy());
      results.add(result(cases.get(i), first, lengths, own, outcomes.subList(0, draws)));
    }
    Optional<Truth> truth =
        history.jobs().isHistory()
            ? Optional.of(Truth.of(history, outcomes.getFirst()))
            : Optional.empty();
    return new Answer(history, truth, results, new Sentences(history, truth, results).all());
  }

  private List<Scenario> of(Case each, List<Scenario> asItIs) {
    List<Scenario> scenarios = new ArrayList<>();
    for (int draw = 0; draw < asItIs.size(); draw++) {
      scenarios.add(each.of(asItIs.get(draw), question.seed() + draw));
    }
    return scenarios;
  }

  /** How many runs there are for so many cases. */
  public long runs(int cases) {
    return (long) question.draws() * (cases + 1);
  }

  private static Answer.Result result(
      Case asked,
      Scenario scenario,
      KnownLengths lengths,
      List<Outcome> outcomes,
      List<Outcome> replays) {
    List<Difference> differences = new ArrayList<>();
    for (int draw = 0; draw < outcomes.size(); draw++) {
      differences.add(Difference.of(replays.get(draw), outcomes.get(draw)));
    }
    Difference all = Difference.mean(differences);
    return new Answer.Result(
        asked,
        scenario.policy(),
        lengths,
        scenario.cluster().size(),
        scenario.cluster().totalGpus(),
        Range.of(outcomes, Outcome::meanWait),
        Range.of(outcomes, Outcome::wait95),
        Range.of(outcomes, Outcome::meanCompletion),
        Range.of(outcomes, Outcome::completion95),
        Range.of(outcomes, Outcome::goodput),
        Range.of(outcomes, Outcome::lostGpuSeconds),
        Range.of(outcomes, Outcome::stops),
        new Answer.Changes(
            change(outcomes, replays, Outcome::meanWait),
            change(outcomes, replays, Outcome::wait95),
            change(outcomes, replays, Outcome::meanCompletion),
            change(outcomes, replays, Outcome::completion95)),
        Range.of(differences, Difference::meanWaitSeconds),
        all.sooner(),
        all.later(),
        parts(all.bySize(), outcomes.size()),
        parts(all.byUser(), outcomes.size()));
  }

  /** How much more; NaN if there was nothing before and now is. */
  private static double change(
      List<Outcome> outcomes, List<Outcome> replays, ToDoubleFunction<Outcome> figure) {
    double after = Range.of(outcomes, figure).mean();
    double before = Range.of(replays, figure).mean();
    return after == before ? 0 : before == 0 ? Double.NaN : after / before - 1;
  }

  private static List<Answer.Part> parts(Map<?, Difference.Waits> waits, int draws) {
    return waits.entrySet().stream()
        .map(entry ->
            new Answer.Part(
                String.valueOf(entry.getKey()),
                entry.getValue().jobs() / draws,
                entry.getValue().beforeSeconds() / entry.getValue().jobs(),
                entry.getValue().meanChangeSeconds()))
        .toList();
  }
}
