package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Variants;
import io.ringmaster.policy.KnownLengths;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A policy with its settings.
 *
 * @param name as rows name it
 * @param rigidWorkers what jobs ask for if they take no other number; 0: they take any
 */
public record Strategy(String name, String policy, Map<String, String> given, int rigidWorkers) {

  /** Those that the paper compares, and the one that it sets out from. */
  private static final List<Strategy> COMPARED =
      List.of(
          elastic("doubling", "doubling", Map.of()),
          elastic("doubling-exploratory", "doubling", Map.of("mode", "exploratory")),
          elastic("optimus", "optimus", Map.of()),
          fixed(8),
          fixed(4),
          fixed(2),
          fixed(1));

  /** The same decided at other times: every ten minutes as in the patent, or almost at once. */
  private static final List<Strategy> OTHER_TIMES =
      List.of(
          elastic("doubling-600s", "doubling", Map.of("every", "600")),
          elastic("optimus-60s", "optimus", Map.of("slot", "60")));

  /** The same with lengths from fitted losses, and with speeds from trials as well. */
  private static final List<Strategy> FITTED =
      List.of(
          elastic("doubling-loss", "doubling", Map.of("estimate", "loss:0.02")),
          elastic(
              "doubling-fitted",
              "doubling",
              Map.of("estimate", "loss:0.02", "mode", "exploratory")));

  /** Those that know which jobs are short, or find out. */
  private static final List<Strategy> SHORT_FIRST =
      List.of(
          elastic("gadget", "gadget", Map.of()),
          elastic("las-elastic", "las-elastic", Map.of()),
          rigid("srtf-8", "srtf", 8),
          rigid("srtf-4", "srtf", 4),
          rigid("srtf-2", "srtf", 2));

  /** Those that treat all jobs alike. */
  static final List<Strategy> MAIN = joined(COMPARED, OTHER_TIMES);

  static final List<Strategy> MAIN_AND_FITTED = joined(MAIN, FITTED);

  public static final List<Strategy> ALL = joined(MAIN_AND_FITTED, SHORT_FIRST);

  /** Few enough to tell their lines apart. */
  static final List<Strategy> PLOTTED = joined(COMPARED, SHORT_FIRST);

  public static final Strategy DOUBLING = COMPARED.getFirst();

  /** Those that change the workers of jobs under way. */
  static final List<Strategy> RESIZING =
      MAIN.stream().filter(strategy -> !strategy.policy().equals("fixed")).toList();

  /** What it knows of lengths. */
  public KnownLengths lengths() {
    return Variants.run(policy, given, 0).lengths();
  }

  /** Jobs take any number of workers. */
  public static Strategy elastic(String name, String policy, Map<String, String> given) {
    return new Strategy(name, policy, given, 0);
  }

  private static Strategy rigid(String name, String policy, int workers) {
    return new Strategy(name, policy, Map.of(), workers);
  }

  private static Strategy fixed(int workers) {
    return elastic("fixed-" + workers, "fixed", Map.of("workers", "" + workers));
  }

  private static List<Strategy> joined(List<Strategy> first, List<Strategy> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
