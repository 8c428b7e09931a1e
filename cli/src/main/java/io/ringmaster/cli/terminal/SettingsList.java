package io.ringmaster.cli.terminal;

import io.ringmaster.model.settings.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can be given to {@code --set}, listed. */
public final class SettingsList {
  private SettingsList() {}

  /** Lists something that has settings. */
  public static void print(String name, String summary, List<Parameter> parameters, String source) {
    System.out.println(name);
    System.out.println("    " + summary);
    print(parameters);
    System.out.println("    Source: " + source);
    System.out.println();
  }

  public static void print(List<Parameter> parameters) {
    for (Parameter parameter : parameters) {
      System.out.println("    --set " + parameter.name() + "=" + parameter.defaultValue());
      System.out.println(
          "        " + parameter.help() + " [" + parameter.values().expected() + "]");
    }
  }

  public static List<Map<String, Object>> document(List<Parameter> parameters) {
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
