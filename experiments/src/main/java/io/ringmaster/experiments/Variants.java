package io.ringmaster.experiments;

import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.maestro.Maestro;
import io.ringmaster.policy.maestro.Rules;
import io.ringmaster.policy.maestro.Rules.Rule;
import io.ringmaster.policy.maestro.Rules.Stopping;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Run;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Policies by name: those of the registry, and {@code maestro} with one rule left out. These are
 * for experiments alone, which ask what each rule is worth.
 */
public final class Variants {
  /** What is left out if nothing is. */
  public static final String NOTHING = "none";

  private static final String WITHOUT = "maestro-without-";
  private static final Map<String, Rules> ALL = all();

  private Variants() {}

  private static Map<String, Rules> all() {
    Rules usual = Rules.USUAL;
    Stopping s = usual.stopping();
    Map<String, Rules> all = new LinkedHashMap<>();
    all.put("order", usual.without(Rule.ORDER));
    all.put("consolidation", usual.without(Rule.CONSOLIDATION));
    all.put("preemption", usual.with(stopping(0, s.aversion(), s.restartsAhead(), s.sizePower())));
    all.put("waiting", usual.without(Rule.WAITING));
    all.put("growth", usual.without(Rule.GROWTH));
    all.put("search", usual.without(Rule.SEARCH));
    all.put("learning", usual.without(Rule.LEARNING));
    all.put("moving", usual.without(Rule.MOVING));
    all.put("caution", usual.without(Rule.CAUTION));
    all.put("aversion", usual.with(stopping(s.most(), 1, s.restartsAhead(), s.sizePower())));
    all.put("restarts-ahead", usual.with(stopping(s.most(), s.aversion(), 0, s.sizePower())));
    all.put("small-first", usual.with(stopping(s.most(), s.aversion(), s.restartsAhead(), 0)));
    all.put("price", usual.with(priced(0, s.ofWaited())));
    all.put("waited", usual.with(priced(s.secondsAStop(), 0)));
    return all;
  }

  private static Stopping stopping(int most, double aversion, double restarts, double power) {
    Stopping usual = Stopping.USUAL;
    return new Stopping(most, aversion, restarts, power, usual.secondsAStop(), usual.ofWaited());
  }

  private static Stopping priced(double secondsAStop, double ofWaited) {
    Stopping s = Stopping.USUAL;
    return new Stopping(
        s.most(), s.aversion(), s.restartsAhead(), s.sizePower(), secondsAStop, ofWaited);
  }

  /** What can be left out, first what matters to jobs of all kinds. */
  public static List<String> ingredients() {
    return List.copyOf(ALL.keySet());
  }

  /** The name of the policy without something. */
  public static String without(String ingredient) {
    return WITHOUT + ingredient;
  }

  /** A policy with its settings, to be run with a seed. */
  public static Run run(String name, Map<String, String> given, long seed) {
    PolicySpec spec = named(name);
    return new Run(spec, spec.settings(given), seed);
  }

  public static PolicySpec named(String name) {
    Rules rules = name.startsWith(WITHOUT) ? ALL.get(name.substring(WITHOUT.length())) : null;
    return rules == null ? Policies.named(name) : Maestro.spec(rules);
  }
}
