package io.ringmaster.cli;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.Policies;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.report.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ringmaster policies}: what can be given to {@code --policy} and {@code --set}. */
@Command(
    name = "policies",
    description = "Lists every policy, its settings with defaults, and its source.",
    mixinStandardHelpOptions = true)
final class PoliciesCommand implements Callable<Integer> {
  @Option(names = "--json", description = "print one JSON document instead of a list")
  boolean json;

  @Override
  public Integer call() {
    if (json) {
      List<Map<String, Object>> policies =
          Policies.all().stream().map(PoliciesCommand::document).toList();
      System.out.print(Json.document(Map.of("policies", policies)));
      return Main.OK;
    }
    for (PolicySpec spec : Policies.all()) {
      print(spec.name(), spec.summary(), spec.parameters(), spec.source());
    }
    return Main.OK;
  }

  /** Lists something that has settings. */
  static void print(String name, String summary, List<Parameter> parameters, String source) {
    System.out.println(name);
    System.out.println("    " + summary);
    printSettings(parameters);
    System.out.println("    Source: " + source);
    System.out.println();
  }

  static void printSettings(List<Parameter> parameters) {
    for (Parameter parameter : parameters) {
      System.out.println("    --set " + parameter.name() + "=" + parameter.defaultValue());
      System.out.println(
          "        " + parameter.help() + " [" + parameter.values().expected() + "]");
    }
  }

  private static Map<String, Object> document(PolicySpec spec) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", spec.name());
    out.put("summary", spec.summary());
    out.put("source", spec.source());
    out.put("parameters", parameters(spec.parameters()));
    return out;
  }

  static List<Map<String, Object>> parameters(List<Parameter> parameters) {
    return parameters.stream()
        .map(parameter -> {
          Map<String, Object> out = new LinkedHashMap<>();
          out.put("name", parameter.name());
          out.put("default", parameter.defaultValue());
          out.put("expected", parameter.values().expected());
          out.put("help", parameter.help());
          return out;
        })
        .toList();
  }
}
