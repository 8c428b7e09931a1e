package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.ThreadsOption;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.Estimate;
import io.ringmaster.whatif.Question;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a history is asked. */
final class QuestionOptions {
  private static final int MOST_DRAWS = 1000;

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
  String estimate = "predicted";

  @Mixin ThreadsOption threads = new ThreadsOption();

  Question checked() {
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
    return new Question(estimate, draws, seed, threads.count);
  }
}
