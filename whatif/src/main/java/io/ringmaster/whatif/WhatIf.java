package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.Past;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Parallel;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Replays a history as it is and under changes, over draws of what it does not tell. */
public final class WhatIf {
  /** Plain Slurm. */
  private static final String IN_ORDER_OF_SUBMISSION = "fifo";

  /** Slurm with its backfill plugin, as most have it. */
  private static final String BACKFILL = "easy";

  private static final List<String> LIKELY_POLICIES = List.of(IN_ORDER_OF_SUBMISSION, BACKFILL);

  private final History history;
  private final String estimate;
  private final int draws;
  private final long seed;
  private final int threads;

  /**
   * About to ask.
   *
   * @param estimate what policies know of lengths, as their setting says it
   * @param draws guesses at what the history does not tell
   */
  public WhatIf(History history, String estimate, int draws, long seed, int threads) {
    this.history = history;
    this.estimate = estimate;
    this.draws = draws;
    this.seed = seed;
    this.threads = threads;
  }

  /**
   * Asks.
   *
   * @param asked none: what people usually ask
   * @param progress told how many runs are done, of about how many
   */
  public Answer answer(List<Case> asked, LongConsumer progress) {
    List<Scenario> drawn = drawn(likely());
    List<Case> cases = new ArrayList<>(List.of(Case.REPLAY));
    cases.addAll(asked.isEmpty() ? Case.usual(drawn.getFirst()) : asked);
    // A case that cannot be is told before anything is run.
    List<List<Scenario>> scenarios = cases.stream().map(each -> of(each, drawn)).toList();
    List<Outcome> outcomes =
        Parallel.map(
            cases.size() * draws,
            threads,
            progress,
            task -> run(scenarios.get(task / draws).get(task % draws), task % draws));
    List<Answer.Result> results = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      List<Outcome> own = outcomes.subList(i * draws, (i + 1) * draws);
      Scenario first = scenarios.get(i).getFirst();
      results.add(result(cases.get(i), first, own, outcomes.subList(0, draws)));
    }
    Optional<Past> truth = Past.of(history.jobs());
    return new Answer(history, truth, results, new Sentences(history, truth, results).all());
  }

  private List<Scenario> of(Case each, List<Scenario> drawn) {
    List<Scenario> scenarios = new ArrayList<>();
    for (int draw = 0; draw < draws; draw++) {
      scenarios.add(each.of(drawn.get(draw), seed + draw));
    }
    return scenarios;
  }

  /** How many runs there are for so many cases. */
  public long runs(int cases) {
    return (long) draws * (cases + 1);
  }

  /** The history by each guess. */
  private List<Scenario> drawn(String policy) {
    return Parallel.map(
        draws, threads, _ -> {}, draw -> asItWas(Draw.of(history, draw, seed), policy));
  }

  private Scenario asItWas(Jobs jobs, String policy) {
    return new Scenario(jobs, history.cluster(), policy);
  }

  /** The policy that explains best what happened. */
  private String likely() {
    Optional<Past> past = Past.of(history.jobs());
    if (past.isEmpty()) {
      return BACKFILL;
    }
    double truth = past.get().waitMeanSeconds();
    List<Double> errors =
        Parallel.map(
            LIKELY_POLICIES.size(),
            threads,
            _ -> {},
            i -> {
              Outcome replayed = run(asItWas(history.jobs(), LIKELY_POLICIES.get(i)), 0);
              return Math.abs(replayed.meanWait() - truth);
            });
    int best = 0;
    for (int i = 1; i < errors.size(); i++) {
      best = errors.get(i) < errors.get(best) ? i : best;
    }
    return LIKELY_POLICIES.get(best);
  }

  private Outcome run(Scenario scenario, int draw) {
    RunInputs inputs = new RunInputs(scenario.cluster(), scenario.jobs());
    Run run = run(scenario.policy(), seed + draw);
    return Outcome.of(run.complete(inputs, true, RunObserver.NONE));
  }

  private Run run(String policy, long ownSeed) {
    return Run.of(policy, settings(policy), ownSeed);
  }

  private Map<String, String> settings(String policy) {
    PolicySpec spec = Policies.named(policy);
    return spec.lengths(spec.settings(Map.of())) == KnownLengths.NONE
        ? Map.of()
        : Map.of(Estimate.PARAMETER.name(), estimate);
  }

  private Answer.Result result(
      Case asked, Scenario scenario, List<Outcome> outcomes, List<Outcome> replays) {
    List<Difference> differences = new ArrayList<>();
    for (int draw = 0; draw < draws; draw++) {
      differences.add(Difference.of(replays.get(draw), outcomes.get(draw)));
    }
    Difference all = Difference.mean(differences);
    Range wait = Range.of(outcomes, Outcome::meanWait);
    return new Answer.Result(
        asked,
        scenario.policy(),
        run(scenario.policy(), seed).lengths(),
        scenario.cluster().size(),
        scenario.cluster().totalGpus(),
        wait,
        Range.of(outcomes, Outcome::wait95),
        Range.of(outcomes, Outcome::meanCompletion),
        Range.of(outcomes, Outcome::goodput),
        Range.of(outcomes, Outcome::lostGpuSeconds),
        Range.of(outcomes, Outcome::stops),
        wait.mean() / Range.of(replays, Outcome::meanWait).mean() - 1,
        all.sooner(),
        all.later(),
        parts(all.bySize()),
        parts(all.byUser()));
  }

  private List<Answer.Part> parts(Map<?, Difference.Waits> waits) {
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
