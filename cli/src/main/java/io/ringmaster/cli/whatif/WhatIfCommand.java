package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.ThreadsOption;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.Estimate;
import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Case;
import io.ringmaster.whatif.Change;
import io.ringmaster.whatif.WhatIf;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster whatif}: a history under changes, side by side. */
@Command(
    name = "whatif",
    description = {
      "Replays a site's history as it was and under changes, and says what they would be worth.",
      "Without a change it tries what people ask: other policies, servers more and fewer, a faster"
          + " network."
    },
    mixinStandardHelpOptions = true)
public final class WhatIfCommand implements Callable<Integer> {
  private static final int MOST_DRAWS = 1000;

  @Mixin HistoryFiles history = new HistoryFiles();

  @Option(
      names = "--add-servers",
      paramLabel = "NxG",
      description = "N more servers of G GPUs, as in 2x8; may be repeated")
  List<String> added = new ArrayList<>();

  @Option(names = "--remove-servers", paramLabel = "NxG", description = "N fewer servers of G GPUs")
  List<String> removed = new ArrayList<>();

  @Option(
      names = "--nic",
      paramLabel = "RATE",
      description = "another bandwidth between servers, as in 100Gbps")
  List<String> nics = new ArrayList<>();

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "another policy; several, each by itself: a,b")
  List<String> policies = new ArrayList<>();

  @Option(
      names = "--load",
      paramLabel = "X",
      description = "more work of the same kind: 1.2 is a fifth more")
  List<String> loads = new ArrayList<>();

  @Option(
      names = "--restart",
      paramLabel = "T",
      description = "what it costs to stop a job and go on with it, as in 5min")
  List<String> restarts = new ArrayList<>();

  @Option(
      names = "--case",
      paramLabel = "NAME: CHANGE, ...",
      description =
          "several changes at once, as in \"grown: add 2x8, policy maestro\"; may be repeated")
  List<String> cases = new ArrayList<>();

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "guesses at what the history does not tell (default: 3)")
  int draws = 3;

  @Option(names = "--seed", paramLabel = "N", description = "seed of the guesses (default: 1)")
  long seed = 1;

  @Option(
      names = "--estimate",
      paramLabel = "WHAT",
      description =
          "what policies know of lengths (default: predicted from jobs that ended before)")
  String estimate = Estimate.PREDICTED;

  @Mixin WideOption wide = new WideOption();

  @Mixin ThreadsOption threads = new ThreadsOption();

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    if (draws < 1 || draws > MOST_DRAWS) {
      throw new BadInput("--draws: expected a whole number from 1 to %d".formatted(MOST_DRAWS));
    }
    if (threads.count < 1) {
      throw new BadInput("--threads: expected a whole number of at least 1");
    }
    try {
      Estimate.parse(estimate);
    } catch (IllegalArgumentException e) {
      throw new BadInput(
          "--estimate '%s': expected such as predicted or perfect".formatted(estimate));
    }
    List<Case> asked = asked();
    WhatIf question = new WhatIf(history.read(), estimate, draws, seed, threads.count);
    Answer answer;
    try (Progress progress = new Progress("replay", question.runs(Math.max(9, asked.size())))) {
      answer = question.answer(asked, progress::at);
    }
    WhatIfText text = new WhatIfText(answer, draws);
    System.out.print(
        json.given ? Json.document(WhatIfDocument.of(answer)) : text.text(wide.columns()));
    return ExitStatus.OK;
  }

  private List<Case> asked() {
    List<Case> asked = new ArrayList<>();
    each(asked, "--add-servers", "add ", added);
    each(asked, "--remove-servers", "remove ", removed);
    each(asked, "--nic", "nic ", nics);
    each(asked, "--policy", "policy ", policies);
    each(asked, "--load", "load ", loads);
    each(asked, "--restart", "restart ", restarts);
    for (String text : cases) {
      try {
        asked.add(Case.parse(text));
      } catch (BadInput e) {
        throw new BadInput("--case: " + e.getMessage());
      }
    }
    return asked;
  }

  private static void each(List<Case> asked, String option, String change, List<String> values) {
    for (String value : values) {
      try {
        asked.add(Case.of(List.of(Change.parse(change + value))));
      } catch (BadInput e) {
        throw new BadInput(option + ": " + e.getMessage());
      }
    }
  }
}
