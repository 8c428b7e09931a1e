package io.ringmaster.cli.simulate;

import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.SettingsList;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringmaster policies}: what can be given to {@code --policy} and {@code --set}. */
@Command(
    name = "policies",
    description = "Shows every policy or one: its settings with defaults, and its source.",
    mixinStandardHelpOptions = true)
public final class PoliciesCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "the policy to show (default: all)")
  @Nullable String name;

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    List<PolicySpec> shown = name == null ? Policies.all() : List.of(Policies.named(name));
    if (json.given) {
      System.out.print(
          Json.document(
              new Document(
                  shown.stream()
                      .map(p ->
                          SettingsList.choice(p.name(), p.summary(), p.source(), p.parameters()))
                      .toList())));
      return ExitStatus.OK;
    }
    for (PolicySpec spec : shown) {
      SettingsList.print(spec.name(), about(spec), spec.parameters(), spec.source());
    }
    System.err.println(
        name == null
            ? "Next: ringmaster policies NAME shows one"
            : "Next: ringmaster compare --policies %s,fifo".formatted(name));
    return ExitStatus.OK;
  }

  private static String about(PolicySpec spec) {
    return spec.summary()
        + (spec.lengths(spec.settings(Map.of())) == KnownLengths.NONE
            ? " Asks for no lengths of jobs."
            : " Asks how long jobs will run.");
  }

  private record Document(List<SettingsList.Choice> policies) {}
}
