package io.ringmaster.cli.options;

import io.ringmaster.model.BadInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is given to {@code --set}. */
public final class NamedValues {
  private NamedValues() {}

  /** Splits {@code name=value} pairs. */
  public static Map<String, String> of(List<String> settings) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String setting : settings) {
      int at = setting.indexOf('=');
      if (at < 1) {
        throw new BadInput("--set " + setting + ": expected NAME=VALUE");
      }
      String name = setting.substring(0, at);
      if (pairs.put(name, setting.substring(at + 1)) != null) {
        throw new BadInput("--set " + setting + ": " + name + " is set twice");
      }
    }
    return pairs;
  }
}
