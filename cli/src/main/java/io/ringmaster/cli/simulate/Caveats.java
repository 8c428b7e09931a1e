package io.ringmaster.cli.simulate;

import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What whoever reads the figures of some runs must know of them, in sentences. */
final class Caveats {
  private static final int MOST_NAMED = 3;

  private Caveats() {}

  static List<String> of(RunInputs inputs, List<Run> runs) {
    List<String> all = new ArrayList<>();
    List<String> knowing = named(runs, KnownLengths.KNOWN);
    if (!knowing.isEmpty()) {
      all.add(
          ("Lengths known (%s): told how long each job will run, as nobody is outside of a"
                  + " simulation; --set estimate=predicted lets policies guess.")
              .formatted(listed(knowing)));
    }
    List<String> guessing = named(runs, KnownLengths.PREDICTED);
    if (!guessing.isEmpty()) {
      all.add(
          "Lengths predicted (%s): %s."
              .formatted(
                  listed(guessing),
                  inputs.jobs().isHistory()
                      ? "guessed, since these jobs are a history, and nobody knew;"
                          + " --set estimate=perfect tells the truth"
                      : "guessed, as --set estimate says"));
    }
    network(inputs, all);
    return all;
  }

  private static List<String> named(List<Run> runs, KnownLengths lengths) {
    return runs.stream()
        .filter(run -> run.lengths() == lengths)
        .map(run -> run.spec().name())
        .distinct()
        .toList();
  }

  private static String listed(List<String> names) {
    return names.size() <= MOST_NAMED + 1
        ? String.join(", ", names)
        : "%s and %d others"
            .formatted(String.join(", ", names.subList(0, MOST_NAMED)), names.size() - MOST_NAMED);
  }

  private static void network(RunInputs inputs, List<String> all) {
    Jobs jobs = inputs.jobs();
    int[] spread = IntStream.range(0, jobs.size()).filter(job -> jobs.maxGpus(job) > 1).toArray();
    long silent = Arrays.stream(spread).filter(job -> jobs.model(job) < 0).count();
    if (silent == 0 || !IterationTime.of(inputs.cluster()).placesMatter()) {
      return;
    }
    all.add(
        silent == spread.length
            ? "The network has no effect here: no job says what it trains (column model), so none"
                + " has traffic."
            : String.format(
                Locale.ROOT,
                "The network has no effect on %,d of %,d jobs with several GPUs: they do not say"
                    + " what they train (column model).",
                silent,
                spread.length));
  }
}
