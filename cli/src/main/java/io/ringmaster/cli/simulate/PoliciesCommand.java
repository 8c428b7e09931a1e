package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.SettingsList;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ringmaster policies}: what can be given to {@code --policy} and {@code --set}. */
@Command(
    name = "policies",
    description = "Lists every policy, its settings with defaults, and its source.",
    mixinStandardHelpOptions = true)
public final class PoliciesCommand implements Callable<Integer> {
  @Option(names = "--json", description = "print one JSON document instead of a list")
  boolean json;

  @Override
  public Integer call() {
    if (json) {
      System.out.print(
          Json.document(
              new Document(
                  Policies.all().stream()
                      .map(p ->
                          SettingsList.choice(p.name(), p.summary(), p.source(), p.parameters()))
                      .toList())));
      return ExitStatus.OK;
    }
    for (PolicySpec spec : Policies.all()) {
      SettingsList.print(spec.name(), spec.summary(), spec.parameters(), spec.source());
    }
    return ExitStatus.OK;
  }

  private record Document(List<SettingsList.Choice> policies) {}
}
