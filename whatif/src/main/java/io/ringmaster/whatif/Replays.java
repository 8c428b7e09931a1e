package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Parallel;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs scenarios of one history over draws of what it does not tell; each only once. */
final class Replays {
  /** Plain Slurm. It can be told lengths, as all with a queue can, and does not look at them. */
  private static final String IN_ORDER_OF_SUBMISSION = "fifo";

  /** Slurm with its backfill plugin, as most have it. */
  private static final String BACKFILL = "easy";

  private static final List<String> LIKELY_POLICIES = List.of(IN_ORDER_OF_SUBMISSION, BACKFILL);

  private final History history;
  private final Question question;
  private final Map<Scenario, Outcome> known = new ConcurrentHashMap<>();

  Replays(History history, Question question) {
    this.history = history;
    this.question = question;
  }

  /** The history as it is, by each guess, under the policy that explains best what happened. */
  List<Scenario> asItIs() {
    List<Scenario> drawn;
    // Draws are few: with a thread for each, some would have nothing to do at the end.
    try (ExecutorService trees =
        Executors.newFixedThreadPool(question.threads(), Thread.ofPlatform().daemon().factory())) {
      drawn =
          Parallel.map(question.draws(), question.threads(), _ -> {}, draw -> drawn(draw, trees));
    }
    String policy = likely(drawn.getFirst());
    return drawn.stream().map(scenario -> scenario.under(policy)).toList();
  }

  private Scenario drawn(int draw, Executor trees) {
    Jobs jobs = Draw.of(history, draw, question.seed());
    Scenario unforeseen =
        new Scenario(jobs, history.cluster(), IN_ORDER_OF_SUBMISSION, Foresight.NONE);
    if (!(question.estimate() instanceof Estimate.Predicted)) {
      return unforeseen;
    }
    RunInputs inputs = new RunInputs(history.cluster(), jobs);
    double[] ends = new double[jobs.size()];
    if (history.jobs().isHistory()) {
      Arrays.setAll(ends, jobs::endedSeconds);
    } else {
      Outcome inOrder = outcome(unforeseen, draw);
      Arrays.setAll(ends, job -> jobs.submitSeconds(job) + inOrder.completion(job));
    }
    return unforeseen.knowing(
        Foresight.of(jobs, inputs.lengths(), ends, question.seed() + draw, trees));
  }

  private String likely(Scenario first) {
    if (!history.jobs().isHistory()) {
      return BACKFILL;
    }
    double truth = Outcome.truth(history.jobs()).meanWait();
    List<Double> errors =
        Parallel.map(
            LIKELY_POLICIES.size(),
            question.threads(),
            _ -> {},
            i -> Math.abs(outcome(first.under(LIKELY_POLICIES.get(i)), 0).meanWait() - truth));
    return errors.get(1) < errors.get(0) ? BACKFILL : IN_ORDER_OF_SUBMISSION;
  }

  /** What becomes of a scenario of a draw. */
  Outcome outcome(Scenario scenario, int draw) {
    Outcome before = known.get(scenario);
    if (before != null) {
      return before;
    }
    RunInputs inputs = new RunInputs(scenario.cluster(), scenario.jobs());
    Map<String, String> settings = settings(scenario.policy());
    if (!settings.isEmpty() && question.estimate() instanceof Estimate.Predicted) {
      inputs = inputs.foretelling(scenario.foresight().seconds(scenario.jobs(), inputs.lengths()));
    }
    Run run = Run.of(scenario.policy(), settings, question.seed() + draw);
    Outcome outcome = Outcome.of(run.complete(inputs, true, RunObserver.NONE));
    known.put(scenario, outcome);
    return outcome;
  }

  private Map<String, String> settings(String policy) {
    PolicySpec spec = Policies.named(policy);
    return spec.lengths(spec.settings(Map.of())) == KnownLengths.NONE
        ? Map.of()
        : Map.of(Estimate.PARAMETER.name(), question.estimateText());
  }

  /** What a policy knew of the lengths of jobs. */
  KnownLengths lengths(String policy) {
    PolicySpec spec = Policies.named(policy);
    return spec.lengths(spec.settings(settings(policy)));
  }
}
