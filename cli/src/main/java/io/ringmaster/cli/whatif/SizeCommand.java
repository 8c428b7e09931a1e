package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.report.SizeReport;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.Version;
import io.ringmaster.whatif.Goal;
import io.ringmaster.whatif.Question;
import io.ringmaster.whatif.Sized;
import io.ringmaster.whatif.Sizing;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ringmaster size}: the fewest servers that meet a goal. */
@Command(
    name = "size",
    description = {
      "Finds the fewest servers on which a site's history would have met a goal, for each policy.",
      "Servers of the size that most have come and go."
    },
    mixinStandardHelpOptions = true)
public final class SizeCommand implements Callable<Integer> {
  /** A bar needs an end: a search takes about so many sizes. */
  private static final int USUAL_SIZES = 7;

  private static final int USUAL_POLICIES = 5;

  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin HistoryFiles history = new HistoryFiles();

  @Option(
      names = "--goal",
      required = true,
      paramLabel = "GOAL",
      description =
          "what is wanted, as in \"p95 wait < 30min\": mean, p50, p95 or p99 of wait or jct")
  String goal = "";

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "policies to search for (default: the one that runs now, and good ones)")
  List<String> policies = new ArrayList<>();

  @Mixin QuestionOptions asking = new QuestionOptions();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Question question = asking.checked();
    Goal wanted = wanted();
    List<String> named =
        policies.stream().map(name -> Policies.named(name).name()).distinct().toList();
    try (OutputOptions.Opened folder = output.open()) {
      Machine machine = new Machine();
      Sizing sizing = new Sizing(history.read(), question);
      long runs =
          (long) USUAL_SIZES * (named.isEmpty() ? USUAL_POLICIES : named.size()) * question.draws();
      Sized sized;
      try (Progress progress = new Progress("search", runs)) {
        sized = sizing.answer(wanted, named, done -> progress.at(Math.min(done, runs)));
      }
      SizeDocument document = SizeDocument.of(sized);
      AnswerFolder.write(
          folder, document, SizeReport.of(sized, question, Version.text()), machine, spec);
      System.out.print(
          output.json.given ? Json.document(document) : SizeText.of(sized, question.draws()));
      output.sayNext("a page with the curves");
    }
    return ExitStatus.OK;
  }

  private Goal wanted() {
    try {
      return Goal.parse(goal);
    } catch (BadInput e) {
      throw new BadInput("--goal: " + e.getMessage());
    }
  }
}
