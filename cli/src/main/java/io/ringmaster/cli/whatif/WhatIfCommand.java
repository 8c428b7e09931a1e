package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.BadInput;
import io.ringmaster.report.WhatIfReport;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.Version;
import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Case;
import io.ringmaster.whatif.Change;
import io.ringmaster.whatif.Question;
import io.ringmaster.whatif.WhatIf;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
  @Spec CommandSpec spec = CommandSpec.create();

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
      names = "--failures",
      paramLabel = "R",
      description =
          "so many failures for each thousand days of a server, as in 6.5; or a rate, 4/1000d")
  List<String> failures = new ArrayList<>();

  @Option(
      names = "--spares",
      paramLabel = "N",
      description = "N servers more, under each of --failures")
  List<String> spares = new ArrayList<>();

  @Option(
      names = "--checkpoint",
      paramLabel = "T[/T]",
      description =
          "jobs save every so often, under each of --failures: 30min, or 30min/1min if it takes a"
              + " minute")
  List<String> checkpoints = new ArrayList<>();

  @Option(
      names = "--case",
      paramLabel = "NAME: CHANGE, ...",
      description =
          "several changes at once, as in \"grown: add 2x8, policy maestro\"; may be repeated")
  List<String> cases = new ArrayList<>();

  @Mixin QuestionOptions asking = new QuestionOptions();

  @Mixin WideOption wide = new WideOption();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Question question = asking.checked();
    List<Case> asked = asked();
    try (OutputOptions.Opened folder = output.open()) {
      Machine machine = new Machine();
      WhatIf whatIf = new WhatIf(history.read(), question);
      Answer answer;
      try (Progress progress = new Progress("replay", whatIf.runs(Math.max(9, asked.size())))) {
        answer = whatIf.answer(asked, progress::at);
      }
      AnswerFolder.write(
          folder,
          WhatIfDocument.of(answer),
          WhatIfReport.of(answer, question, Version.text()),
          machine,
          spec);
      System.out.print(
          output.json.given
              ? Json.document(WhatIfDocument.of(answer))
              : new WhatIfText(answer, question.draws()).text(wide.columns()));
      output.sayNext("a page with who gains and who loses");
    }
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
    for (String rate : failures) {
      each(asked, "--failures", "failures ", List.of(rate));
      under(asked, rate, "--checkpoint", "checkpoint ", checkpoints);
      under(asked, rate, "--spares", "spares ", spares);
    }
    if (failures.isEmpty() && !(spares.isEmpty() && checkpoints.isEmpty())) {
      throw new BadInput("--spares and --checkpoint: say how often servers fail: --failures 4");
    }
    for (String text : cases) {
      try {
        asked.add(Case.parse(text));
      } catch (BadInput e) {
        throw new BadInput("--case: " + e.getMessage());
      }
    }
    return asked;
  }

  private static void under(
      List<Case> asked, String rate, String option, String change, List<String> values) {
    for (String value : values) {
      try {
        asked.add(Case.of(List.of(Change.parse("failures " + rate), Change.parse(change + value))));
      } catch (BadInput e) {
        throw new BadInput(option + ": " + e.getMessage());
      }
    }
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
